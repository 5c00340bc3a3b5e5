/**
 * What a developer may configure.
 *
 * @module
 */
import type { Adapter } from "./adapter.ts";
import type { CookieOverrides } from "../http/cookie_specs.ts";
import type { Logger } from "../kernel/logger.ts";
import type {
  Account,
  AdapterSession,
  AdapterUser,
  Awaitable,
  JWT,
  Profile,
  Session,
  Theme,
  User,
} from "../kernel/model.ts";
import type { ProviderInput } from "./provider.ts";

/** Marker for {@linkcode AuthConfig.skipCSRFCheck}: the framework around the service checks CSRF by itself. */
export const skipCSRFCheck: unique symbol = Symbol("skip-csrf-check");

/** Marker for {@linkcode AuthConfig.raw}: `Auth()` gives the parts of a response instead of a `Response`. */
export const raw: unique symbol = Symbol("return-type-raw");

/** How sessions are kept. */
export interface SessionOptions {
  /**
   * `jwt` keeps the session sealed in a cookie, `database` keeps a row in storage.
   *
   * @default `database` with an adapter, else `jwt`
   */
  strategy?: "jwt" | "database" | undefined;
  /** Seconds until an unused session ends. @default {2592000} */
  maxAge?: number | undefined;
  /** Seconds between two renewals; 0 renews at every read. @default {86400} */
  updateAge?: number | undefined;
  /** Makes the token of a stored session. @default a random UUID */
  generateSessionToken?: (() => string) | undefined;
}

/** What {@linkcode JWTOptions.encode} is given. */
export interface JWTEncodeParams<T = JWT> {
  /** The claims; `iat`, `exp` and `jti` are written over. */
  token?: T | undefined;
  /** The secret, or several, newest first: the first one seals. */
  secret: string | readonly string[];
  /** The purpose: the name of the cookie the token is for. */
  salt: string;
  /** Seconds until the token expires. @default {2592000} */
  maxAge?: number | undefined;
}

/** What {@linkcode JWTOptions.decode} is given. */
export interface JWTDecodeParams {
  /** The sealed token. */
  token?: string | undefined;
  /** The secret, or several, newest first: any of them opens. */
  secret: string | readonly string[];
  /** The purpose: the name of the cookie the token came in. */
  salt: string;
}

/** How session tokens are made. */
export interface JWTOptions {
  /** Secrets of session tokens and flows. @default `secret` */
  secret?: string | readonly string[] | undefined;
  /** Seconds until a session token expires. @default `session.maxAge` */
  maxAge?: number | undefined;
  /** Replaces the sealing of session tokens. */
  encode?: ((params: JWTEncodeParams) => Awaitable<string>) | undefined;
  /** Replaces the opening of session tokens. */
  decode?: ((params: JWTDecodeParams) => Awaitable<JWT | null>) | undefined;
}

/** What the `signIn` callback is given. */
export interface SignInCallbackParams {
  /** Who signs in. */
  user: User;
  /** With what. */
  account: Account | null;
  /** What the provider told, if it is one of OAuth. */
  profile?: Profile | undefined;
  /** What was typed, if it is credentials. */
  credentials?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Present if somebody proved the address of this user by another way since these credentials opened it. They may be two
   * people: answer `true` only if you made sure yourself that whoever has the password has the mailbox. Without a callback
   * the sign-in is refused.
   */
  emailProvenElsewhere?: true | undefined;
  /** Present when a link is asked for by e-mail, absent when it is followed. */
  email?: { readonly verificationRequest: true } | undefined;
}

/** What the `jwt` callback is given. */
export interface JWTCallbackParams {
  /** The claims so far. */
  token: JWT;
  /** Who signed in; at sign-in only. */
  user?: User | undefined;
  /** With what; at sign-in only. */
  account?: Account | null | undefined;
  /** What the provider told; at sign-in only. */
  profile?: Profile | undefined;
  /** Why it is called; absent when a session is read. */
  trigger?: "signIn" | "signUp" | "update" | undefined;
  /** What the client sent to change; with trigger `update` only. It comes from the browser: choose what you take. */
  session?: unknown;
  /** Whether the user was made by this sign-in. */
  isNewUser?: boolean | undefined;
}

/** What the `session` callback is given. */
export interface SessionCallbackParams {
  /** The session so far: name, e-mail, image and `expires`; with strategy `database` also the row's other members. */
  session: Session;
  /** The claims of the session token; with strategy `jwt`. */
  token?: JWT | undefined;
  /** The stored user; with strategy `database`. */
  user?: AdapterUser | undefined;
  /** What the client sent to change; with strategy `database` and trigger `update` only. It comes from the browser. */
  newSession?: unknown;
  /** Why it is called; absent when a session is read. With strategy `jwt` the `jwt` callback is told instead. */
  trigger?: "update" | undefined;
}

/** Hooks that change what the service does. */
export interface Callbacks {
  /**
   * Decides whether somebody may sign in: `true` to go on, `false` to refuse, a URL to send them there instead.
   *
   * @default everybody may
   */
  signIn?(params: SignInCallbackParams): Awaitable<boolean | string>;
  /**
   * Decides where a browser may be sent: `url` is what was asked for, `baseUrl` the origin of this site.
   *
   * @default any URL of this site, else `baseUrl`
   */
  redirect?(params: { url: string; baseUrl: string }): Awaitable<string>;
  /** Decides what a session token holds; `null` ends the session. */
  jwt?(params: JWTCallbackParams): Awaitable<JWT | null>;
  /** Decides what of a session the browser is told. */
  session?(params: SessionCallbackParams): Awaitable<Session>;
  /**
   * Decides whether a wrapped handler may run: `true`, or a response to give instead. Anything else denies. The path of
   * `request` is normalised (RFC 3986, section 6.2.2), but routers may read it in more ways: to protect paths, use
   * `protect`, which is asked before.
   */
  authorized?(params: { auth: Session | null; request: Request }): Awaitable<boolean | Response | undefined>;
}

/** Notices of what has happened, for audit logs. What they return or throw changes nothing. */
export interface Events {
  /** A user was stored. */
  createUser?(message: { user: AdapterUser }): Awaitable<void>;
  /** A stored user was changed: the address was proven. */
  updateUser?(message: { user: AdapterUser }): Awaitable<void>;
  /** An account was stored for a user. */
  linkAccount?(message: { user: AdapterUser; account: Account; profile: Profile }): Awaitable<void>;
  /** Somebody signed in. */
  signIn?(
    message: { user: User; account: Account | null; profile?: Profile | undefined; isNewUser?: boolean | undefined },
  ): Awaitable<void>;
  /** Somebody signed out: the claims (strategy `jwt`) or the row of the session that ended, if it could be read. */
  signOut?(message: { token?: JWT | null | undefined; session?: AdapterSession | null | undefined }): Awaitable<void>;
  /** A session was read; `token` with strategy `jwt`. */
  session?(message: { session: Session; token?: JWT | undefined }): Awaitable<void>;
}

/** Paths, or absolute URLs, of pages that replace the built-in ones. */
export interface PagesOptions {
  /** Where to sign in. */
  signIn?: string | undefined;
  /** Where to sign out. */
  signOut?: string | undefined;
  /** Where errors are shown; `error` in the query tells which. */
  error?: string | undefined;
  /** Where somebody is told to look into the mailbox. */
  verifyRequest?: string | undefined;
  /** Where somebody goes who signed in for the first time; needs an adapter, or nobody is known to be new. */
  newUser?: string | undefined;
}

/** Which paths are for people who are signed in. */
export interface ProtectOptions {
  /** Paths: `*` stands for a whole segment, at the end for any number of them, none included. */
  readonly routes: readonly string[];
  /**
   * Whether upper and lower case are the same. Switch it off only where the router never takes them for the same.
   *
   * @default {true}
   */
  readonly ignoreCase?: boolean | undefined;
}

/** Limits, in seconds. */
export interface Timeouts {
  /** The whole answer. @default {10} */
  total?: number | undefined;
  /** Each request to a provider. @default {5} */
  request?: number | undefined;
  /** Each event handler. @default {1} */
  event?: number | undefined;
}

/** The configuration of the service. */
export interface AuthConfig {
  /** The ways of signing in. @default {[]} */
  providers?: readonly ProviderInput[] | undefined;
  /** Where users, accounts, sessions and tokens are kept. Without one sessions live in cookies and nobody is remembered. */
  adapter?: Adapter | undefined;
  /**
   * Derives all keys and signs cookies: text, never bytes. Several, newest first, while secrets are rotated.
   *
   * @default `AUTH_SECRET_3`, `_2`, `_1` and `AUTH_SECRET` of the environment, else `NEXTAUTH_SECRET`
   */
  secret?: string | readonly string[] | undefined;
  /** The path the service is mounted at. @default the path of `AUTH_URL`, else `/auth` */
  basePath?: string | undefined;
  /** How sessions are kept. */
  session?: SessionOptions | undefined;
  /**
   * Paths whose wrapped handlers (`auth(handler)`) run only for people who are signed in: `["/members/*"]` is `/members`
   * and all below. Others are led to the sign-in page, or refused with 401 if they do not visit a page.
   *
   * Compared are segments, in every way that a router may read them: encoded or not, twice too, in upper or lower case,
   * with empty and dot segments, parameters after a semicolon, backslashes, `.data` or `.json` at the end. A path that
   * can be read in no certain way is protected. The service's own paths and the sign-in page stay open.
   *
   * @default nothing is protected
   */
  protect?: readonly string[] | ProtectOptions | undefined;
  /** How session tokens are made. */
  jwt?: JWTOptions | undefined;
  /** Hooks that change what the service does. */
  callbacks?: Callbacks | undefined;
  /** Notices of what has happened. */
  events?: Events | undefined;
  /** Pages that replace the built-in ones. */
  pages?: PagesOptions | undefined;
  /** Names and attributes of cookies. */
  cookies?: CookieOverrides | undefined;
  /** How the built-in pages look. */
  theme?: Theme | undefined;
  /** Where the service writes what happens; each method replaces its default on its own. @default the console */
  logger?: Partial<Logger> | undefined;
  /** Whether the default logger prints what happens inside. @default {false} */
  debug?: boolean | undefined;
  /** Flags of the service family. None is needed; `enableWebAuthn: false` refuses WebAuthn providers. */
  experimental?: { readonly enableWebAuthn?: boolean | undefined } | undefined;
  /** URL of the service that receives the providers' answers and forwards them here. @default `AUTH_REDIRECT_PROXY_URL` */
  redirectProxyUrl?: string | undefined;
  /**
   * Origins this service forwards answers to when it is the redirect proxy; `*` stands for one label. Needed there:
   * without it nothing is forwarded, and the error says so.
   */
  redirectProxyOrigins?: readonly string[] | undefined;
  /** Turns CSRF tokens off, with the marker {@linkcode skipCSRFCheck}. The origin of a request is still checked. */
  skipCSRFCheck?: symbol | undefined;
  /** Makes `Auth()` give the parts of a response, with the marker {@linkcode raw}. */
  raw?: symbol | undefined;
  /**
   * Whether the host of any request is believed, and what a proxy says of it in `X-Forwarded-Host` and `-Proto`. It
   * stands in links and mails, and whoever sends a request may name another: where no server in front checks it, set
   * `AUTH_URL` instead. `false` serves nobody.
   *
   * @default `true` with `AUTH_URL`, else `AUTH_TRUST_HOST`, else `true` on Vercel and Cloudflare Pages and where
   * `NODE_ENV` is `development` or `test`. Otherwise only hosts of this very machine are believed: `localhost`,
   * `*.localhost`, `127.0.0.0/8` and `::1`
   */
  trustHost?: boolean | undefined;
  /** Whether cookies are for https only. @default whether the visitor came over https */
  useSecureCookies?: boolean | undefined;
  /** Limits, in seconds. */
  timeouts?: Timeouts | undefined;
}

/** The configuration, or a function that chooses one for each request. */
export type AuthConfigSource = AuthConfig | ((request: Request) => Awaitable<AuthConfig>);
