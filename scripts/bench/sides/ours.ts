/**
 * This library.
 *
 * @module
 */
import { createAuth, type Provider } from "@x/auth";
import { credentials } from "@x/auth/providers/credentials";
import { github } from "@x/auth/providers/github";
import { authjsAsks } from "./authjs.ts";
import { ADA, CLIENT, idOf, ISSUER, SECRET, type Setup, type Side } from "./side.ts";

/** Makes the service. */
export function ours({ kind, count }: Setup): Side {
  const providers = Array.from({ length: count }, (_, index) => providerOf(kind, idOf(kind, index)));
  const { handler } = createAuth({ providers, secret: SECRET, trustHost: true, basePath: "/auth" });
  return { name: "@x/auth", answer: (request) => handler(request), asks: authjsAsks(handler) };
}

function providerOf(kind: Setup["kind"], id: string): Provider {
  switch (kind) {
    case "github":
      return github({ ...CLIENT, id });
    case "oidc":
      return { ...CLIENT, id, name: "Issuer", type: "oidc", issuer: ISSUER, checks: ["pkce", "state", "nonce"] };
    case "credentials":
      return credentials({
        id,
        credentials: { username: {}, password: { type: "password" } },
        authorize: ({ password }) =>
          password === ADA.password ? { id: ADA.id, name: ADA.name, email: ADA.email } : null,
      });
    default:
      return kind satisfies never;
  }
}
