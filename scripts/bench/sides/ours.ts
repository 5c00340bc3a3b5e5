/**
 * This library.
 *
 * @module
 */
import { type Adapter, createAuth, type Provider } from "@x/auth";
import { credentials } from "@x/auth/providers/credentials";
import { github } from "@x/auth/providers/github";
import { authjsQuestions, credentialsForm, oidcProvider } from "./authjs.ts";
import { mapAdapter } from "./map_adapter.ts";
import { CLIENT, freshFile, idOf, SECRET, type Setup, type Side } from "./side.ts";

/** Makes the service. */
export async function ours({ kind, count, store }: Setup): Promise<Side> {
  const providers = Array.from({ length: count }, (_, index) => providerOf(kind, idOf(kind, index)));
  const adapter = store && await openStore(store);
  const logger = { warn: () => {} };
  const { handler } = createAuth({ providers, adapter, secret: SECRET, trustHost: true, basePath: "/auth", logger });
  return { name: "@x/auth", answer: (request) => handler(request), questions: authjsQuestions(handler, adapter) };
}

async function openStore(store: NonNullable<Setup["store"]>): Promise<Adapter> {
  if (store === "map") return mapAdapter();
  const { sqliteAdapter } = await import("@x/auth/adapters/sqlite");
  return sqliteAdapter(freshFile());
}

function providerOf(kind: Setup["kind"], id: string): Provider {
  switch (kind) {
    case "github":
      return github({ ...CLIENT, id });
    case "oidc":
      return oidcProvider(id);
    case "credentials":
      return credentials(credentialsForm(id));
    default:
      return kind satisfies never;
  }
}
