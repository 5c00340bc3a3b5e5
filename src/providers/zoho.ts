/**
 * Sign in with Zoho.
 *
 * @module
 */
import { conformJson, joinName, type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider, type TokenHandler } from "../contract/provider.ts";
import type { Profile, TokenSet } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Zoho. */
export interface ZohoProfile extends Profile {
  /** Account id. */
  ZUID?: number | string | null | undefined;
  /** First name. */
  First_Name?: string | null | undefined;
  /** Last name. */
  Last_Name?: string | null | undefined;
  /** The name to show. */
  Display_Name?: string | null | undefined;
  /** Email address. */
  Email?: string | null | undefined;
}

/** Options of {@linkcode zoho}. */
export interface ZohoOptions<Id extends string = string> extends OAuthOptions<ZohoProfile, Id> {
  /** Where your application is registered. @default {"us"} */
  dataCenter?: "us" | "eu" | "in" | "au" | "jp" | "ca" | "sa" | "cn" | undefined;
}

/**
 * Signs people in with Zoho.
 *
 * - Register: {@link https://api-console.zoho.com | API Console}: add a server-based application. Its authorized
 *   redirect URI is `https://<your site>/auth/callback/zoho`.
 * - Environment: `AUTH_ZOHO_ID`, `AUTH_ZOHO_SECRET`.
 * - Scopes: `AaaServer.profile.Read`.
 * - Email: an address that nobody vouches for.
 * - Refresh: a refresh token comes with `authorization: { params: { access_type: "offline", prompt: "consent" } }`;
 *   access tokens live an hour. It works for people whose data is in the data center of `dataCenter`.
 * - Logout: no page for it.
 *
 * To let people of other data centers sign in, switch multi-DC on in the console, with the same credentials for all.
 * The code is then exchanged where Zoho says that the person is.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { zoho } from "@x/auth/providers/zoho";
 *
 * const { handler } = createAuth({ providers: [zoho({ dataCenter: "eu" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The data center, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://www.zoho.com/accounts/protocol/oauth/web-server-applications.html | OAuth 2.0 at Zoho}
 */
export function zoho<const Id extends string = "zoho">(
  options: ZohoOptions<Id> = {},
): OAuthProvider<ZohoProfile, Id> {
  const { dataCenter = "us", ...overrides } = optionsFor("zoho", options);
  const home = `https://${HOSTS[dataCenter]}`;
  return oauthProvider({
    id: "zoho",
    name: "Zoho",
    authorization: {
      url: `${home}/oauth/v2/auth`,
      params: { scope: "AaaServer.profile.Read" },
      scopeSeparator: ",",
    },
    token: { url: `${home}/oauth/v2/token`, request: (context) => requestTokens(context, home), conform },
    userinfo: {
      url: `${home}/oauth/user/info`,
      request: (context: ProfileContext) => {
        return readJson<ZohoProfile>(context, `${serverOf(context.tokens.location) ?? home}/oauth/user/info`);
      },
    },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#E42527", text: "#000" },
    profile: ({ ZUID, First_Name, Last_Name, Display_Name, Email }) => ({
      id: textId(ZUID),
      name: joinName(First_Name, Last_Name) || Display_Name,
      email: Email,
      image: null,
    }),
  }, overrides);
}

/** The servers, by the `location` in authorization responses. */
const HOSTS: Readonly<Record<NonNullable<ZohoOptions["dataCenter"]>, string>> = {
  us: "accounts.zoho.com",
  eu: "accounts.zoho.eu",
  in: "accounts.zoho.in",
  au: "accounts.zoho.com.au",
  jp: "accounts.zoho.jp",
  ca: "accounts.zohocloud.ca",
  sa: "accounts.zoho.sa",
  cn: "accounts.zoho.com.cn",
};

// The response also has the URL, which anybody may have written.
function serverOf(location: unknown): string | undefined {
  const host = Object.entries(HOSTS).find(([name]) => name === location)?.[1];
  return host && `https://${host}`;
}

async function requestTokens(
  { provider, params, fetch }: Parameters<TokenHandler>[0],
  home: string,
): Promise<TokenSet> {
  const location = params.get("location");
  const response = await fetch(`${serverOf(location) ?? home}/oauth/v2/token`, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: params.get("code") ?? "",
      redirect_uri: provider.callbackUrl,
      client_id: provider.clientId,
      client_secret: provider.clientSecret ?? "",
    }).toString(),
  });
  const tokens: TokenSet = await response.json().catch(() => ({}));
  return { ...tokens, location };
}

// What Zoho writes of a refresh token that was revoked.
const conform = conformJson((body) => body.error === "invalid_code" ? { ...body, error: "invalid_grant" } : body);

export default zoho;
