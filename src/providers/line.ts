/**
 * Sign in with LINE.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with LINE.
 *
 * - Register: {@link https://developers.line.biz/en/docs/line-login/integrate-line-login/ | TODO: name of the
 *   console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/line`.
 * - Environment: `AUTH_LINE_ID`, `AUTH_LINE_SECRET`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { line } from "@x/auth/providers/line";
 *
 * const { handler } = createAuth({ providers: [line()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.line.biz/en/docs/line-login/integrate-line-login/ | TODO}
 */
export function line<Id extends string = "line">(options: OidcOptions<Profile, Id> = {}): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "line",
    name: "LINE",
    issuer: "https://access.line.me",
    checks: ["state", "pkce", "nonce"],
    client: { token_endpoint_auth_method: "client_secret_post", id_token_signed_response_alg: "HS256" },
    style: { bg: "#00C300", text: "#fff" },
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - extra request: {"method": "POST", "url": "https://api.line.me/oauth2/v2.1/verify", "purpose": "server-side id_token check (form: id_token, client_id, nonce)", "optional": true}
// - notes: Web login id_tokens are HS256 with the channel secret; native/LIFF ones ES256; discovery advertises only ES256. Email permission must be applied for in the console. PKCE supported though not advertised.
// - revocation endpoint: https://api.line.me/oauth2/v2.1/revoke
// - pkce: supported; docs https://developers.line.biz/en/docs/line-login/integrate-line-login/
