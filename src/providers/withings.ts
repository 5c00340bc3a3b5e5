/**
 * Sign in with Withings.
 *
 * @module
 */
import { conformJson, type ProfileContext, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";
import { isObject } from "../kernel/objects.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Withings: what the token response says. */
export interface WithingsProfile extends Profile {
  /** Account id. */
  userid?: number | string | null | undefined;
}

/**
 * Signs people in with Withings.
 *
 * - Register: {@link https://developer.withings.com/dashboard/ | Developer dashboard}: create an application for the
 *   public API. Its callback URI is `https://<your site>/auth/callback/withings`.
 * - Environment: `AUTH_WITHINGS_ID`, `AUTH_WITHINGS_SECRET`.
 * - Scopes: `user.info`; `user.metrics` and others for the API.
 * - Email: none.
 * - Refresh: a refresh token comes with each sign-in; access tokens live three hours.
 * - Logout: no page for it.
 *
 * Withings says no more than the id of the account: there is no name and no picture.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { withings } from "@x/auth/providers/withings";
 *
 * const { handler } = createAuth({ providers: [withings()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.withings.com/developer-guide/v3/integration-guide/public-health-data-api/get-access/oauth-authorization-url | OAuth 2.0 at Withings}
 */
export function withings<const Id extends string = "withings">(
  options: OAuthOptions<WithingsProfile, Id> = {},
): OAuthProvider<WithingsProfile, Id> {
  return oauthProvider({
    id: "withings",
    name: "Withings",
    authorization: {
      url: "https://account.withings.com/oauth2_user/authorize2",
      params: { scope: "user.info" },
      scopeSeparator: ",",
    },
    token: {
      url: "https://wbsapi.withings.net/v2/oauth2",
      form: { action: "requesttoken" },
      conform: conformJson(unwrap),
    },
    userinfo: { request: ({ tokens: { userid } }: ProfileContext) => ({ userid } as WithingsProfile) },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#333", text: "#fff" },
    profile: ({ userid }) => ({ id: textId(userid), name: null, email: null, image: null }),
  }, options);
}

// The HTTP status is always 200. The token set is wrapped, and its scopes have commas between them.
function unwrap({ status, body, error }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (status === 0 && isObject(body)) return { ...body, scope: String(body.scope ?? "").replaceAll(",", " ") };
  const isOfTheCode = /\b(?:code|refresh_?token)\b/i.test(String(error));
  const description = [status, error].filter((part) => part !== undefined).join(" ");
  return { error: isOfTheCode ? "invalid_grant" : "invalid_request", error_description: description };
}

export default withings;
