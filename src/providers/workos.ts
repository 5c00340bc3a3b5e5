/**
 * Sign in with WorkOS.
 *
 * @module
 */
import { InvalidConfig } from "../kernel/errors.ts";
import { joinName, textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import {
  type AuthorizationHandler,
  type OAuthOptions,
  type OAuthProvider,
  oauthProvider,
} from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at WorkOS. */
export interface WorkOSProfile extends Profile {
  /** Id of the profile, which belongs to a connection. */
  id?: string | null | undefined;
  /** Id of the connection. */
  connection_id?: string | null | undefined;
  /** Kind of the connection, such as `OktaSAML`. */
  connection_type?: string | null | undefined;
  /** Id of the organization. */
  organization_id?: string | null | undefined;
  /** Id of the person at the identity provider. */
  idp_id?: string | null | undefined;
  /** First name. */
  first_name?: string | null | undefined;
  /** Last name. */
  last_name?: string | null | undefined;
  /** What the identity provider has said, under its own names. */
  raw_attributes?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Options of {@linkcode workos}. One of `connection`, `organization` and `provider` chooses the identity provider. */
export interface WorkOSOptions<Id extends string = string> extends OAuthOptions<WorkOSProfile, Id> {
  /** Id of a connection. @default none */
  connection?: string | undefined;
  /** Id of an organization. @default none */
  organization?: string | undefined;
  /** Kind of provider, such as `authkit`, `GoogleOAuth` or `MicrosoftOAuth`. @default none */
  provider?: string | undefined;
  /** Domain that the identity provider gets as a hint. @default none */
  domainHint?: string | undefined;
  /** Address or user name that the identity provider gets as a hint. @default none */
  loginHint?: string | undefined;
}

/**
 * Signs people in with single sign-on of WorkOS.
 *
 * - Register: {@link https://dashboard.workos.com | WorkOS Dashboard}: under Redirects, add
 *   `https://<your site>/auth/callback/workos`. The client id and the API key are under API Keys.
 * - Environment: `AUTH_WORKOS_ID` (the client id), `AUTH_WORKOS_SECRET` (the API key).
 * - Scopes: none.
 * - Email: an address that nobody vouches for: it is what the identity provider of the organization says.
 * - Refresh: none.
 * - Logout: no page for it.
 *
 * Which identity provider people sign in with is an option, or a parameter of each sign-in:
 * `signIn(request, "workos", {}, { organization: "org_…" })`. Anybody can change such a parameter: check
 * `profile.organization_id` or `profile.connection_id` in the `signIn` callback.
 *
 * The administrator of an identity provider decides which addresses it claims. Never link accounts by them.
 *
 * With a domain of your own for the API of WorkOS, set it as `issuer`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { workos } from "@x/auth/providers/workos";
 *
 * const { handler } = createAuth({ providers: [workos({ connection: "conn_01E4ZCR3C56J083X43JQXF3JK5" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What chooses the identity provider, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://workos.com/docs/reference/sso | Single sign-on at WorkOS}
 */
export function workos<const Id extends string = "workos">(
  options: WorkOSOptions<Id> = {},
): OAuthProvider<WorkOSProfile, Id> {
  const { connection, organization, provider, domainHint, loginHint, ...overrides } = optionsFor("workos", options);
  const base = (overrides.issuer ?? "https://api.workos.com").replace(/\/+$/, "");
  return oauthProvider({
    id: "workos",
    name: "WorkOS",
    authorization: {
      url: `${base}/sso/authorize`,
      params: { scope: "", connection, organization, provider, domain_hint: domainHint, login_hint: loginHint },
      request: withChoice,
    },
    token: `${base}/sso/token`,
    userinfo: `${base}/sso/profile`,
    checks: ["state", "pkce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#6363f1",
      text: "#fff",
      mark:
        "m13.98 1.59a4.14 4.14 0 0 0-1.14 1.22l-.06.09-1.01 1.76-4.23 7.33 4 6.93-1.01 1.76c-.82 1.42-2.52 2.06-4.07 1.53-.78-.26-1.42-.84-1.86-1.55l-.04-.07-4.21-7.29c-.23-.39-.35-.85-.35-1.31a2.57 2.57 0 0 1 .31-1.22l.04-.08 4.33-7.5c.56-.97 1.58-1.57 2.69-1.6l.08 0zm1.34.19c1.52-.52 3.19.1 4.03 1.46l.03.07 4.27 7.38c.23.39.35.85.35 1.3 0 .43-.11.86-.31 1.23l-.04.08-4.33 7.49c-.56.97-1.58 1.58-2.69 1.6l-.08 0h-6.53c.45-.32.84-.73 1.14-1.2l.06-.1 1.01-1.76 4.23-7.34-4-6.93.96-1.66c.43-.74 1.08-1.35 1.9-1.62",
    },
    profile: ({ id, first_name, last_name, email, raw_attributes }) => ({
      id: textId(id),
      name: joinName(first_name, last_name),
      email,
      image: typeof raw_attributes?.picture === "string" ? raw_attributes.picture : null,
    }),
  }, overrides);
}

const CHOICES = ["connection", "organization", "provider"] as const;

function withChoice({ provider: { id, authorization }, params }: Parameters<AuthorizationHandler>[0]): URL {
  if (!CHOICES.some((name) => params.get(name))) {
    throw new InvalidConfig(
      `Cannot use provider "${id}": set its \`connection\`, \`organization\` or \`provider\`, ` +
        "or give one of them as a parameter of the sign-in",
    );
  }
  const url = new URL(authorization.url ?? "");
  url.search = String(params);
  return url;
}

export default workos;
