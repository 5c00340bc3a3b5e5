/**
 * The names of all options. Each list is checked against its type: a name too many or too few does not compile.
 *
 * @module
 */
import type {
  AccountOptions,
  AuthConfig,
  Callbacks,
  Events,
  JWTOptions,
  PagesOptions,
  ProtectOptions,
  SessionOptions,
  Timeouts,
} from "../contract/config.ts";
import type {
  AuthorizationEndpoint,
  CredentialsProvider,
  EmailProvider,
  OAuthProvider,
  TokenEndpoint,
  UserinfoEndpoint,
  WebAuthnProvider,
} from "../contract/provider.ts";
import type { ProviderStyle } from "../contract/provider_style.ts";
import type { Logger } from "../kernel/logger.ts";
import type { ProviderType, Theme } from "../kernel/model.ts";

type NamesOf<T> = Readonly<Record<Extract<keyof T, string>, true>>;

function names<T>(all: NamesOf<T>): readonly string[] {
  return Object.keys(all);
}

/** The options of the service. */
export const OPTIONS: readonly string[] = names<AuthConfig>({
  providers: true,
  adapter: true,
  secret: true,
  basePath: true,
  session: true,
  protect: true,
  account: true,
  jwt: true,
  callbacks: true,
  events: true,
  pages: true,
  cookies: true,
  theme: true,
  logger: true,
  debug: true,
  experimental: true,
  redirectSchemes: true,
  redirectProxyUrl: true,
  redirectProxyOrigins: true,
  skipCSRFCheck: true,
  raw: true,
  trustHost: true,
  useSecureCookies: true,
  timeouts: true,
});

/** The callbacks. */
export const CALLBACKS: readonly string[] = names<Callbacks>({
  signIn: true,
  redirect: true,
  jwt: true,
  session: true,
  authorized: true,
});

/** The events. */
export const EVENTS: readonly string[] = names<Events>({
  createUser: true,
  updateUser: true,
  linkAccount: true,
  signIn: true,
  signOut: true,
  session: true,
});

/** The pages. */
export const PAGES: readonly string[] = names<PagesOptions>({
  signIn: true,
  signOut: true,
  error: true,
  verifyRequest: true,
  newUser: true,
  texts: true,
});

/** Options that have members of their own, apart from callbacks and cookies, by name. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  events: EVENTS,
  pages: PAGES,
  session: names<SessionOptions>({
    strategy: true,
    maxAge: true,
    updateAge: true,
    revalidate: true,
    cache: true,
    generateSessionToken: true,
    migrateFrom: true,
  }),
  jwt: names<JWTOptions>({ secret: true, maxAge: true, encode: true, decode: true }),
  theme: names<Theme>({
    brandColor: true,
    buttons: true,
    buttonText: true,
    colorScheme: true,
    language: true,
    logo: true,
    name: true,
  }),
  timeouts: names<Timeouts>({ total: true, request: true, event: true }),
  account: names<AccountOptions>({ tokens: true }),
  experimental: names<NonNullable<AuthConfig["experimental"]>>({ enableWebAuthn: true }),
};

/** The members of `protect`, where it is no list. */
export const PROTECT: readonly string[] = names<ProtectOptions>({ routes: true, ignoreCase: true });

/** The methods of a logger. */
export const LOGGER: readonly string[] = names<Logger>({ error: true, warn: true, debug: true });

const OAUTH = names<OAuthProvider>({
  id: true,
  name: true,
  type: true,
  style: true,
  clientId: true,
  clientSecret: true,
  issuer: true,
  wellKnown: true,
  authorization: true,
  token: true,
  userinfo: true,
  jwks_endpoint: true,
  checks: true,
  profile: true,
  account: true,
  vouches: true,
  ownDomains: true,
  allowDangerousEmailAccountLinking: true,
  allowInsecureRequests: true,
  securityProfile: true,
  client: true,
  redirectProxyUrl: true,
  idToken: true,
  clockTolerance: true,
  expectedIssuer: true,
  logout: true,
  logoutFallback: true,
  requiredOptions: true,
  options: true,
});

/** The options of providers, by their type. */
export const PROVIDERS: Readonly<Record<ProviderType, readonly string[]>> = {
  oauth: OAUTH,
  oidc: OAUTH,
  email: names<EmailProvider>({
    id: true,
    name: true,
    type: true,
    style: true,
    from: true,
    server: true,
    apiKey: true,
    needsApiKey: true,
    lacks: true,
    maxAge: true,
    timeout: true,
    sendVerificationRequest: true,
    generateVerificationToken: true,
    normalizeIdentifier: true,
    secret: true,
    options: true,
  }),
  credentials: names<CredentialsProvider>({
    id: true,
    name: true,
    type: true,
    style: true,
    credentials: true,
    authorize: true,
    options: true,
  }),
  webauthn: names<WebAuthnProvider>({
    id: true,
    name: true,
    type: true,
    style: true,
    relayingParty: true,
    timeout: true,
    registration: true,
    confirm: true,
    allowCredentialsByEmail: true,
    maxCredentials: true,
    enableConditionalUI: true,
    simpleWebAuthnBrowserVersion: true,
    authenticationOptions: true,
    registrationOptions: true,
    verifyAuthenticationOptions: true,
    verifyRegistrationOptions: true,
    getUserInfo: true,
    formFields: true,
    options: true,
  }),
};

/** The members of endpoints and of `style`. */
export const PROVIDER_GROUPS: Readonly<Record<string, readonly string[]>> = {
  authorization: names<AuthorizationEndpoint>({
    url: true,
    params: true,
    pushed: true,
    scopeSeparator: true,
    codeChallengeMethod: true,
    requestObjectKey: true,
    request: true,
  }),
  token: names<TokenEndpoint>({
    url: true,
    refreshUrl: true,
    params: true,
    form: true,
    request: true,
    conform: true,
    clientPrivateKey: true,
    clientAssertionAudience: true,
  }),
  userinfo: names<UserinfoEndpoint>({ url: true, params: true, request: true }),
  style: names<ProviderStyle>({
    bg: true,
    bgDark: true,
    border: true,
    borderDark: true,
    fixed: true,
    logo: true,
    logoDark: true,
    mark: true,
    text: true,
    textDark: true,
  }),
};
