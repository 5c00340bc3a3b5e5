/**
 * Sign in with EVE Online.
 *
 * @module
 */
import { type ProfileContext, profileError } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";
import { isObject } from "../kernel/objects.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a character of EVE Online: the claims of the access token. */
export interface EVEOnlineProfile extends Profile {
  /** The character: `CHARACTER:EVE:<id>`. */
  sub?: string | null | undefined;
  /** Name of the character. */
  name?: string | null | undefined;
  /** Whose character it is. It changes when the character is transferred to another account. */
  owner?: string | undefined;
  /** The scopes that were granted. */
  scp?: string | readonly string[] | undefined;
}

/**
 * Signs people in with a character of EVE Online.
 *
 * - Register: {@link https://developers.eveonline.com/applications | Applications}: create an application with the
 *   scope `publicData`. Its callback URL is `https://<your site>/auth/callback/eveonline`.
 * - Environment: `AUTH_EVEONLINE_ID`, `AUTH_EVEONLINE_SECRET`.
 * - Scopes: `publicData`.
 * - Email: none.
 * - Refresh: a refresh token comes with each sign-in; access tokens live 20 minutes.
 * - Logout: no page for it.
 *
 * The account is the character, whose id is the account id. A character can be transferred to another person, who then
 * signs in as the same user. To notice that, store `profile.owner` and compare it in the `signIn` callback.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { eveonline } from "@x/auth/providers/eveonline";
 *
 * const { handler } = createAuth({ providers: [eveonline()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.eveonline.com/docs/services/sso/ | Single sign-on at EVE Online}
 */
export function eveonline<const Id extends string = "eveonline">(
  options: OAuthOptions<EVEOnlineProfile, Id> = {},
): OAuthProvider<EVEOnlineProfile, Id> {
  return oauthProvider({
    id: "eveonline",
    name: "EVE Online",
    issuer: "https://login.eveonline.com",
    authorization: { url: "https://login.eveonline.com/v2/oauth/authorize", params: { scope: "publicData" } },
    token: "https://login.eveonline.com/v2/oauth/token",
    userinfo: { request: readProfile },
    checks: ["state", "pkce"],
    style: { bg: "#000", text: "#fff" },
    profile: ({ sub, name }) => {
      const id = characterOf(sub);
      return { id, name, email: null, image: id && `https://images.evetech.net/characters/${id}/portrait?size=128` };
    },
  }, options);
}

function characterOf(sub: unknown): string | undefined {
  return typeof sub === "string" ? /^CHARACTER:EVE:(\d+)$/.exec(sub)?.[1] : undefined;
}

const ISSUERS: readonly unknown[] = ["https://login.eveonline.com", "login.eveonline.com"];

// The token comes straight from the token endpoint, so TLS says who made it (OpenID Connect Core, section 3.1.3.7).
function readProfile(context: ProfileContext): EVEOnlineProfile {
  const { provider: { clientId }, tokens: { access_token, expires_at = 0, expires_in = 0 } } = context;
  const claims = claimsOf(access_token);
  if (!claims) throw profileError(context, "answered with an access token that is not a JWT");
  const { iss, aud, exp } = claims;
  if (!ISSUERS.includes(iss)) throw profileError(context, "answered with an access token of another issuer");
  if (![aud].flat().includes(clientId)) throw profileError(context, "answered with an access token of another client");
  // By the clock of this service: when the answer came.
  const now = expires_at - expires_in;
  if (!(now > 0 && typeof exp === "number" && exp > now)) {
    throw profileError(context, "answered with an access token that has expired");
  }
  return claims;
}

function claimsOf(token: unknown): Record<string, unknown> | null {
  const [, payload] = typeof token === "string" ? /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(token) ?? [] : [];
  try {
    const binary = atob((payload ?? "").replaceAll("-", "+").replaceAll("_", "/"));
    const claims: unknown = JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0))));
    return isObject(claims) ? claims : null;
  } catch {
    return null;
  }
}

export default eveonline;
