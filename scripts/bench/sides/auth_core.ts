/**
 * `@auth/core`, without its log.
 *
 * @module
 */
import { Auth, type AuthConfig } from "@auth/core";
import credentials from "@auth/core/providers/credentials";
import github from "@auth/core/providers/github";
import { authjsQuestions, credentialsForm, oidcProvider } from "./authjs.ts";
import { mapAdapter } from "./map_adapter.ts";
import { CLIENT, idOf, SECRET, type Setup, type Side } from "./side.ts";

/** Makes the service. */
export function authCore({ kind, count, store }: Setup): Side {
  const providers = Array.from({ length: count }, (_, index) => providerOf(kind, idOf(kind, index)));
  const logger = { error: () => {}, warn: () => {} };
  const adapter = store === "map" ? mapAdapter() : undefined;
  const config: AuthConfig = {
    providers,
    secret: SECRET,
    trustHost: true,
    basePath: "/auth",
    logger,
    ...(adapter && { adapter: adapter as NonNullable<AuthConfig["adapter"]> }),
  };
  const answer = (request: Request): Promise<Response> => Auth(request, config);
  return { name: "@auth/core", answer, questions: store === "sqlite" ? {} : authjsQuestions(answer, adapter) };
}

function providerOf(kind: Setup["kind"], id: string): AuthConfig["providers"][number] {
  switch (kind) {
    case "github":
      // Its default is PKCE alone.
      return github({ ...CLIENT, id, checks: ["pkce", "state"] });
    case "oidc":
      return oidcProvider(id);
    case "credentials":
      return credentials(credentialsForm(id));
    default:
      return kind satisfies never;
  }
}
