/**
 * Sign in with Foursquare.
 *
 * @module
 */
import { conformJson, joinName, type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

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
export function foursquare<const Id extends string = "foursquare">(
  options: FoursquareOptions<Id> = {},
): OAuthProvider<FoursquareProfile, Id> {
  const { apiVersion = "20230131", ...overrides } = optionsFor("foursquare", options);
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
    style: {
      bg: "#000",
      text: "#fff",
      mark:
        "m2.38 0h7.33v1.2h-6.12v3.38h5.44v1.2h-5.44v4.87h-1.21v-10.65zm-.21 20.16 1.19-.27c.21 1.47 1.23 2.35 2.89 2.35 1.48 0 2.66-.69 2.66-1.82 0-.81-.59-1.49-2.92-2.18-2.63-.76-3.51-1.72-3.51-3.13 0-1.83 1.47-2.81 3.61-2.81 2.4 0 3.46 1.22 3.83 2.89l-1.19.27c-.3-1.37-1.24-1.96-2.68-1.96-1.36 0-2.32.51-2.32 1.49 0 .79.62 1.4 2.77 2.08 2.57.8 3.67 1.66 3.67 3.31 0 2.04-1.71 3.1-3.89 3.1-2.28 0-3.84-1.19-4.11-3.32zm9.22-2.24c0-3.16 2.07-5.62 5.24-5.62 3.16 0 5.2 2.48 5.2 5.62 0 1.57-.52 2.93-1.4 3.93a36.16 36.16 0 0 1 1.25 1.3l-.88.85a57.16 57.16 0 0 0-1.31-1.35c-.8.53-1.77.83-2.86.83-3.06 0-5.24-2.36-5.24-5.56zm7.18 3.83a31.24 31.24 0 0 0-1.25-1.15l.86-.86a36.54 36.54 0 0 1 1.33 1.21c.63-.76 1.02-1.81 1.02-3.04 0-2.5-1.52-4.39-3.9-4.39s-3.91 1.89-3.91 4.39c0 2.56 1.66 4.36 3.91 4.36.73 0 1.38-.18 1.94-.52z",
    },
    profile: ({ response }) => {
      const { id, firstName, lastName, contact, photo } = response?.user ?? {};
      return {
        id: textId(id),
        name: joinName(firstName, lastName),
        email: contact?.email,
        image: photo?.prefix && photo.suffix ? `${photo.prefix}original${photo.suffix}` : null,
      };
    },
  }, overrides);
}

const USER = "https://api.foursquare.com/v2/users/self";

function readProfile(context: ProfileContext, v: string): Promise<FoursquareProfile> {
  const { access_token: oauth_token = "" } = context.tokens;
  return readJson(context, USER, { query: { v, oauth_token }, scheme: null });
}

export default foursquare;
