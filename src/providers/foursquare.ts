/**
 * Sign in with Foursquare.
 *
 * @module
 */
import { conformJson, joinName, type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** A person at Foursquare. */
export interface FoursquareUser {
  /** Account id. */
  readonly id?: string | null | undefined;
  /** First name. */
  readonly firstName?: string | null | undefined;
  /** Last name. */
  readonly lastName?: string | null | undefined;
  /** How to reach the person. */
  readonly contact?: { readonly email?: string | null | undefined } | null | undefined;
  /** A picture: its size stands between the two parts of its URL. */
  readonly photo?: { readonly prefix?: string | undefined; readonly suffix?: string | undefined } | null | undefined;
}

/** The profile of a person at Foursquare. */
export interface FoursquareProfile extends Profile {
  /** What was asked for. */
  response?: { readonly user?: FoursquareUser | null | undefined } | null | undefined;
}

/** Options of {@linkcode foursquare}. */
export interface FoursquareOptions<Id extends string = string> extends OAuthOptions<FoursquareProfile, Id> {
  /** The version of the API: a date, `YYYYMMDD`. @default {"20230131"} */
  apiVersion?: string | undefined;
}

/**
 * Signs people in with Foursquare.
 *
 * - Register: {@link https://foursquare.com/developers/home | Developer Console}: create a project and in it OAuth
 *   credentials. The redirect URL is `https://<your site>/auth/callback/foursquare`.
 * - Environment: `AUTH_FOURSQUARE_ID`, `AUTH_FOURSQUARE_SECRET`.
 * - Scopes: none.
 * - Email: an address that nobody vouches for.
 * - Refresh: none; access tokens do not expire.
 * - Logout: no page for it.
 *
 * Legacy: only projects from before 18 November 2021 can use this API.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { foursquare } from "@x/auth/providers/foursquare";
 *
 * const { handler } = createAuth({ providers: [foursquare()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The version of the API, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.foursquare.com/developer/docs/using-oauth-authentication | OAuth 2.0 at Foursquare}
 */
export function foursquare<Id extends string = "foursquare">(
  { apiVersion = "20230131", ...options }: FoursquareOptions<Id> = {},
): OAuthProvider<FoursquareProfile, Id> {
  return oauthProvider({
    id: "foursquare",
    name: "Foursquare",
    authorization: { url: "https://foursquare.com/oauth2/authenticate", params: { scope: "" } },
    token: {
      url: "https://foursquare.com/oauth2/access_token",
      // The answer is an access token and nothing else.
      conform: conformJson((body) => ({ token_type: "bearer", ...body })),
    },
    userinfo: { url: USER, params: { v: apiVersion }, request: (context) => readProfile(context, apiVersion) },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#000", text: "#fff" },
    profile: ({ response }) => {
      const { id, firstName, lastName, contact, photo } = response?.user ?? {};
      return {
        id: textId(id),
        name: joinName(firstName, lastName),
        email: contact?.email,
        image: photo?.prefix && photo.suffix ? `${photo.prefix}original${photo.suffix}` : null,
      };
    },
  }, options);
}

const USER = "https://api.foursquare.com/v2/users/self";

function readProfile(context: ProfileContext, v: string): Promise<FoursquareProfile> {
  const { access_token: oauth_token = "" } = context.tokens;
  return readJson(context, USER, { query: { v, oauth_token }, scheme: null });
}
