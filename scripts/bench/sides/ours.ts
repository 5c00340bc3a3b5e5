/**
 * This library.
 *
 * @module
 */
import { type AuthConfig, createAuth, type Provider } from "@x/auth";
import { credentials } from "@x/auth/providers/credentials";
import { github } from "@x/auth/providers/github";
import { authjsQuestions, credentialsForm, oidcProvider } from "./authjs.ts";
import { CLIENT, SECRET, type Setup, type Side } from "./side.ts";
import { openStore } from "./stores.ts";

/** Makes the service. */
export async function ours({ kind, store }: Setup): Promise<Side> {
  const adapter = store && await openStore(store);
  const logger = { warn: () => {} };
  const common: AuthConfig = {
    providers: [providerOf(kind)],
    adapter,
    secret: SECRET,
    trustHost: true,
    basePath: "/auth",
    logger,
  };
  const { handler } = createAuth(common);
  return { name: "@x/auth", answer: handler, questions: authjsQuestions(handler, adapter) };
}

function providerOf(kind: Setup["kind"]): Provider {
  switch (kind) {
    case "github":
      return github(CLIENT);
    case "oidc":
      return oidcProvider();
    case "credentials":
      return credentials(credentialsForm());
    default:
      return kind satisfies never;
  }
}
