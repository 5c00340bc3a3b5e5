/**
 * What issuers publish of themselves.
 *
 * @module
 */
import { type Check, named } from "./check.ts";
import { isPushed, jsonOf, recordOf } from "./observed.ts";

/** The checks. */
export const ISSUERS: readonly Check[] = [
  {
    id: "pkce-unused",
    level: "note",
    title: "The provider supports PKCE, and the request has none",
    fix: 'Add "pkce" to `checks` of the provider',
    judge: (seen) => {
      return named(seen, ({ to, issuer }) => {
        const methods = issuer?.document.code_challenge_methods_supported;
        return Array.isArray(methods) && methods.includes("S256") && to !== null &&
          !to.searchParams.has("code_challenge") && !isPushed(to.searchParams);
      });
    },
  },
  {
    id: "issuer-name",
    level: "error",
    title: "The metadata of an issuer has another name than the address it is at",
    fix: "Set `issuer` of the provider to what its metadata says",
    judge: (seen) => {
      return named(seen, ({ issuer }) => {
        const name = String(issuer?.document.issuer).replace(/\/$/, "");
        // Entra writes a placeholder where any tenant may sign in.
        return issuer !== null && name !== issuer.expected.replace(/\/$/, "") && !name.includes("{");
      });
    },
  },
  {
    id: "issuer-http",
    level: "error",
    title: "The metadata of an issuer names an endpoint by http",
    fix: "Let the issuer know its https address: its proxy has to pass on X-Forwarded-Proto",
    judge: (seen) => {
      return named(seen, ({ issuer }) => {
        return issuer !== null && issuer.reply.url.protocol === "https:" &&
          ["token_endpoint", "jwks_uri", "userinfo_endpoint"].some((each) => {
            return /^http:/.test(String(issuer.document[each]));
          });
      });
    },
  },
  {
    id: "issuer-keys",
    level: "error",
    title: "The keys of an issuer cannot be read, so no signature can be checked",
    fix: "Look at `jwks_uri` of its metadata",
    judge: (seen) => named(seen, ({ issuer }) => issuer?.keys != null && keysOf(issuer.keys).length === 0),
  },
  {
    id: "issuer-keys-private",
    level: "error",
    title: "An issuer publishes a private key",
    fix: "Replace its keys now: anybody can sign in as anybody",
    judge: (seen) => {
      return named(seen, ({ issuer }) => keysOf(issuer?.keys ?? null).some((key) => "d" in key || "k" in key));
    },
  },
  {
    id: "issuer-clock",
    level: "warning",
    title: "The clocks of the site and of an issuer differ by more than a minute",
    fix: "Set both by NTP: tokens count as expired, or as from the future",
    judge: (seen) => {
      return named(seen, ({ issuer, reply }) => {
        const theirs = issuer?.reply.ahead ?? null;
        const ours = reply.kind === "answer" ? reply.ahead : null;
        return theirs !== null && ours !== null && Math.abs(theirs - ours) > 60;
      });
    },
  },
];

function keysOf(reply: Parameters<typeof jsonOf>[0]): readonly Readonly<Record<string, unknown>>[] {
  const keys = recordOf(jsonOf(reply))?.keys;
  return Array.isArray(keys) ? keys.slice(0, 100).map(recordOf).filter((key) => key !== null) : [];
}
