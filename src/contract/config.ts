/**
 * What a developer may configure.
 *
 * @module
 */
import type { Adapter } from "./adapter.ts";
import type { JWTDecodeParams, JWTEncodeParams } from "../crypto/session_token.ts";
import type { CookieOverrides } from "../http/cookie_specs.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Duration, SessionRequirement } from "../kernel/requirement.ts";
import type {
  Account,
  AdapterSession,
  AdapterUser,
  Awaitable,
  DefaultSession,
  JWT,
  Profile,
  Session,
  Theme,
  User,
} from "../kernel/model.ts";
import type { TextChanges } from "../texts/texts.ts";
import type { Feature } from "./feature.ts";
import type { LimitedMessage } from "./limited.ts";
import type { OutgoingMail } from "./outgoing_mail.ts";
import type { ProviderInput } from "./provider.ts";

export type { Duration, Feature, JWTDecodeParams, JWTEncodeParams, SessionRequirement };

/** Marker for {@linkcode AuthConfig.skipCSRFCheck}: your framework checks CSRF tokens itself. */
export const skipCSRFCheck: unique symbol = Symbol("skip-csrf-check");

/** Marker for {@linkcode AuthConfig.raw}: `Auth()` returns the parts of a response instead of a `Response`. */
export const raw: unique symbol = Symbol("return-type-raw");

/** How sessions are kept. */
export interface SessionOptions {
  /**
   * `jwt` keeps the session encrypted in a cookie, `database` keeps it as a row in storage.
   *
   * @default `database` with an `adapter`, otherwise `jwt`
   */
  strategy?: "jwt" | "database" | undefined;
  /** Seconds until a session that is not used expires. @default {2592000} */
  maxAge?: number | undefined;
  /** Seconds before a session that is read is extended again. 0 extends it at every read. @default {86400} */
  updateAge?: number | undefined;
  /**
   * Seconds that an encrypted session may go on after it was ended elsewhere, because storage is not asked so long. Only
   * with strategy `jwt`, and an adapter that has `commit`, `listSessionsByUserId` and `deleteSessionsByUserId`, as those of
   * this package have. `false` or 0: encrypted sessions have no rows, and cannot be listed or ended.
   *
   * @default 60 where the adapter can, otherwise `false`
   */
  revalidate?: number | false | undefined;
  /**
   * Keeps stored sessions in memory for some `seconds` after they were read: a whole number from 1 to 3600. Until then, a
   * session is shown without storage, even if it was ended or changed by another process, or by your own calls of the
   * adapter. What the services of this process change counts at once. Only with strategy `database`.
   *
   * @default every session is read from storage
   */
  cache?: { seconds: number } | undefined;
  /** Generates the token of a stored session, of 1 to 1024 characters. @default a random UUID */
  generateSessionToken?: (() => string) | undefined;
  /**
   * Sessions that another library began: people who have one stay signed in. See `@x/auth/migrate/better-auth` and
   * `@x/auth/migrate/next-auth-v4`.
   *
   * @default no cookie of another library is read
   */
  migrateFrom?: FormerSessions | undefined;
}

/** A cookie of another library. */
export interface FormerCookie {
  /** Its name over http. Over https, `__Secure-` stands before it. */
  readonly name: string;
  /** The domain it was set for. Without the same domain a browser does not remove it. @default only the host */
  readonly domain?: string | undefined;
}

/**
 * Sessions of another library. They are read where the browser has the cookie, go on as sessions of this service, and
 * the cookies are removed.
 */
export interface FormerSessions {
  /** Every cookie that could keep or bring back the session. All of them are removed. */
  readonly cookies: readonly FormerCookie[];
  /**
   * Finds the token of the session. With strategy `database`, the adapter is asked for the row of this token.
   *
   * @param cookie Reads a cookie by its name over http, joined if it was split.
   * @returns The token, or `null` if there is none, or if it must not be used.
   */
  read(cookie: (name: string) => string | undefined): string | null;
  /**
   * Opens a token, with strategy `jwt`: verifies it as the other library does, its end included. Without this function,
   * sessions are rows, and the strategy has to be `database`.
   *
   * @param token The token.
   * @param secrets The secrets of this service, newest first.
   * @returns The claims; `null` for a token that is malformed, forged or expired.
   */
  open?(token: string, secrets: readonly string[]): Awaitable<JWT | null>;
}

/** How session tokens are encrypted. */
export interface JWTOptions {
  /** Secrets that encrypt session tokens and the state of sign-ins. @default `secret` */
  secret?: string | readonly string[] | undefined;
  /** Seconds until a session token expires. @default `session.maxAge` */
  maxAge?: number | undefined;
  /** Replaces the encryption of session tokens. */
  encode?(params: JWTEncodeParams): Awaitable<string>;
  /** Replaces the decryption of session tokens. Return `null`, or throw, for a token that is not valid. */
  decode?(params: JWTDecodeParams): Awaitable<JWT | null>;
}

/** The parameters of the `signIn` callback. */
export interface SignInCallbackParams {
  /** Who signs in. */
  user: User;
  /** The account they sign in with. */
  account: Account | null;
  /** The profile, if the provider is of type `oauth` or `oidc`. */
  profile?: Profile | undefined;
  /** The fields of the form, if the provider is of type `credentials`. */
  // deno-lint-ignore no-explicit-any -- callbacks that were written for Auth.js name their fields
  credentials?: Record<string, any> | undefined;
  /**
   * Present if somebody has verified the address of this user in another way since these credentials last signed in. They
   * may be two people: return `true` only if you know that the owner of the password also owns the mailbox. Without a
   * callback the sign-in is refused.
   */
  emailProvenElsewhere?: true | undefined;
  /** Present when somebody asks for a link by email, absent when the link is opened. */
  email?: { readonly verificationRequest: true } | undefined;
}

/** The parameters of the `jwt` callback. */
export interface JWTCallbackParams {
  /** The claims so far. */
  token: JWT;
  /** Who signed in. Only at sign-in. */
  user?: User | undefined;
  /** The account they signed in with. Only at sign-in. */
  account?: Account | null | undefined;
  /** The profile that the provider returned. Only at sign-in. */
  profile?: Profile | undefined;
  /** Why the callback is called. Absent when a session is read. */
  trigger?: "signIn" | "signUp" | "update" | undefined;
  /** What the client sent. Only with trigger `update`. It comes from the browser, so check what you take from it. */
  // deno-lint-ignore no-explicit-any -- callbacks that were written for Auth.js name its members
  session?: any;
  /** Whether this sign-in created the user. */
  isNewUser?: boolean | undefined;
}

/**
 * {@linkcode JWTCallbackParams} as TypeScript tells them apart: where there is an `account`, or a `trigger` of a sign-in,
 * there is a `user`.
 */
export type JWTCallbackCases =
  | (JWTCallbackParams & { user: User; account: Account | null; trigger: "signIn" | "signUp" })
  | (JWTCallbackParams & {
    user?: undefined;
    account?: undefined;
    profile?: undefined;
    isNewUser?: undefined;
    trigger?: "update" | undefined;
  })
  // For callbacks that were written for Auth.js, whose types promise a user. The service never calls them so.
  | (JWTCallbackParams & { user: User });

/** A session whose user is known to be there: `user` of a {@linkcode Session}, and what `U` adds to it. */
export type SessionWith<U = unknown> = Session & { user: NonNullable<Session["user"]> & U };

/**
 * What a session says about the sign-in that it began with, until it ends: also where it is renewed, or gets another
 * account.
 */
export interface SessionAuth {
  /** When somebody signed in, in seconds since 1970. Absent if it is not known, as of sessions that Auth.js began. */
  time?: number | undefined;
  /**
   * How, as RFC 8176 names it: `pwd` for a password, `hwk` or `swk` for a passkey of one device or of several, `user` if
   * somebody was present, `otp` for a code of an authenticator app, and `mfa` for two factors: a passkey that checked a PIN or
   * a finger, or a second proof. It has no names for three methods: `fed` stands for an OAuth or OpenID provider, `mail` for a
   * link or a code by email, `rcv` for a recovery code. Empty if it is not known.
   */
  methods: readonly string[];
  /** 2 with `mfa`, otherwise 1. */
  level: 1 | 2;
  /** Id of the provider, if it is known. */
  provider?: string | undefined;
}

/** The parameters of the `session` callback with strategy `jwt`. `T` are the claims. */
export interface JWTSessionParams<T = JWT> {
  /** The session so far: name, email and image of the user, and `expires` as text. The browser sees what you return. */
  session: SessionWith;
  /** The claims of the session token. */
  token: T;
  /** What is known of the sign-in. The browser does not see it unless you return it. */
  auth: SessionAuth;
}

/** The parameters of the `session` callback with strategy `database`. */
export interface DatabaseSessionParams {
  /**
   * The session so far: all members of the row but the session token, all members of the user, and `expires` as a `Date`,
   * as in Auth.js. The browser sees what you return, so return the members that it may see.
   */
  session: SessionWith<AdapterUser>;
  /** The stored user. */
  user: AdapterUser;
  /** What is known of the sign-in. The browser does not see it unless you return it. */
  auth: SessionAuth;
  /** What the client sent. Only with trigger `update`. It comes from the browser: check it. */
  // deno-lint-ignore no-explicit-any -- callbacks that were written for Auth.js name its members
  newSession?: any;
  /** Why the callback is called. Absent when a session is read. With strategy `jwt` the `jwt` callback receives it. */
  trigger?: "update" | undefined;
}

/**
 * The parameters of the `session` callback where the strategy is not known: `token` with strategy `jwt`, `user` with
 * `database`. Whichever is missing tells you that the other one is there.
 */
export type SessionCallbackParams<T = JWT> =
  | (JWTSessionParams<T> & { [K in Exclude<keyof DatabaseSessionParams, keyof JWTSessionParams>]?: undefined })
  | (DatabaseSessionParams & { token?: undefined })
  // For callbacks that were written for Auth.js, whose types promise both. The service never calls them so.
  | (Omit<BothSessionParams<T>, "session"> & { session: Session });

/**
 * The parameters of the `session` callback as the types of Auth.js have them, where nothing says what the strategy is: both
 * `token` and `user`. Only one is there: `token` with strategy `jwt`, `user` with `database`.
 */
export interface BothSessionParams<T = JWT> {
  /** The session so far. The browser sees what you return. */
  session: SessionWith;
  /** The claims of the session token, with strategy `jwt`. */
  token: JWT extends T ? T & ExactClaims : T;
  /** The stored user, with strategy `database`. */
  user: AdapterUser;
  /** What is known of the sign-in. It is always there, but not in the types of callbacks that were written for Auth.js. */
  auth?: SessionAuth | undefined;
  /** What the client sent, with strategy `database` and trigger `update`. It comes from the browser: check it. */
  newSession?: DatabaseSessionParams["newSession"];
  /** Why the callback is called, with strategy `database`. Absent when a session is read. */
  trigger?: "update" | undefined;
}

/** The claims that have a name, without `undefined`: with `exactOptionalPropertyTypes`, those of Auth.js want none. */
export interface ExactClaims {
  /** Id of the user. */
  sub?: string;
  /** Name of the user. */
  name?: string | null;
  /** Email address of the user. */
  email?: string | null;
  /** URL of the user's picture. */
  picture?: string | null;
  /** When the token was sealed, in seconds since 1970. */
  iat?: number;
  /** When the token expires, in seconds since 1970. */
  exp?: number;
  /** Id of the token. */
  jti?: string;
}

/** Functions that change what the service does. */
export interface Callbacks {
  /**
   * Decides whether somebody may sign in. Return `true` to go on, `false` to refuse, or a URL to redirect to instead.
   *
   * @default everybody may sign in
   */
  signIn?(params: SignInCallbackParams): Awaitable<boolean | string>;
  /**
   * Decides where a browser is redirected to. `url` is what was asked for, `baseUrl` is the origin of this site.
   *
   * @default `url` if it belongs to this site, otherwise `baseUrl`
   */
  redirect?(params: { url: string; baseUrl: string }): Awaitable<string>;
  /** Returns the claims of the session token. Return `null` to end the session. */
  jwt?(params: JWTCallbackCases): Awaitable<JWT | null>;
  /**
   * Returns the session that the browser sees. `token` is there with strategy `jwt`, and `user` with `database`: the types
   * have both, as those of Auth.js. `createAuth` tells them apart in a configuration that is written into it.
   */
  session?(params: BothSessionParams): Awaitable<Session | DefaultSession>;
  /**
   * Decides whether a wrapped handler may run. Return `true`, or a response to answer with instead; anything else denies.
   * `protect` is checked first.
   *
   * Routers may read one path in several ways. The callback is asked about each of them, nearly always one, and has to allow
   * all. Compare paths with `matches`.
   *
   * Your own sign-in page stays open. There the callback is asked once somebody is signed in, and only a redirect to another
   * page counts.
   */
  authorized?(params: AuthorizedParams): Awaitable<boolean | Response | undefined>;
}

/** What {@linkcode Callbacks.authorized} gets. */
export interface AuthorizedParams<S = Session, R = Request> {
  /** The session; `null` if nobody is signed in. */
  auth: S | null;
  /** The request, with one reading of its path, normalised (RFC 3986, section 6.2.2). */
  request: R;
  /**
   * Whether the path fits one of the patterns, which are written as those of `protect`: `matches("/api/*")`.
   *
   * @throws {TypeError} if a pattern is not valid.
   */
  matches(...routes: readonly string[]): boolean;
}

/** Functions that are called after something has happened, for audit logs. What they return or throw changes nothing. */
export interface Events {
  /** A user was stored. */
  createUser?(message: { user: AdapterUser }): Awaitable<void>;
  /** A stored user was changed: the address was verified, or the account page wrote another address or name. */
  updateUser?(message: { user: AdapterUser }): Awaitable<void>;
  /** A user was deleted with everything that is stored of them here. It is called once; `user` is as they were. */
  deleteUser?(message: { user: AdapterUser }): Awaitable<void>;
  /** An account was stored for a user. `profile` is what the `profile` function of the provider made of the profile. */
  linkAccount?(message: { user: AdapterUser; account: Account; profile: User }): Awaitable<void>;
  /** An account at a provider, or a passkey, was removed from a user. */
  unlinkAccount?(
    message: { user: AdapterUser; account: Pick<Account, "provider" | "providerAccountId" | "type"> },
  ): Awaitable<void>;
  /** Somebody signed in. */
  signIn?(
    message: { user: User; account: Account | null; profile?: Profile | undefined; isNewUser?: boolean | undefined },
  ): Awaitable<void>;
  /** Somebody signed out: the claims (strategy `jwt`) or the row (`database`) of the session, if it could be read. */
  signOut?(
    message: { token?: JWT | null | undefined; session?: AdapterSession | null | void | undefined },
  ): Awaitable<void>;
  /** A session was read. `token` is present with strategy `jwt`. */
  session?(message: { session: Session; token?: JWT | undefined }): Awaitable<void>;
  /**
   * There were too many attempts, and `limits()` refuses more. It is called once for a limit and 15 minutes in each process,
   * and at most 30 times in that time: not for each request.
   */
  limited?(message: LimitedMessage): Awaitable<void>;
}

/** Paths, or absolute URLs, of pages that replace the built-in ones. */
export interface PagesOptions {
  /** Where to sign in. */
  signIn?: string | undefined;
  /** Where to sign out. */
  signOut?: string | undefined;
  /** Where errors are shown. The query parameter `error` says which one. */
  error?: string | undefined;
  /** Where visitors are told to look into their mailbox. */
  verifyRequest?: string | undefined;
  /** Where new users are redirected to. It needs an `adapter`: without one, new users are not recognised. */
  newUser?: string | undefined;
  /** Where to register with a password. The link of the email leads here, too, if another browser began. */
  signUp?: string | undefined;
  /** Where to ask for a new password, and to choose it with the link of the email. */
  reset?: string | undefined;
  /** Where somebody who is signed in sets, changes or removes their password. */
  password?: string | undefined;
  /**
   * Texts that replace those of the built-in pages and emails, by language. `"*"` stands for every language.
   *
   * @default {{}}
   */
  texts?: TextChanges | undefined;
}

/** The names of the pages. */
export type PageName = Exclude<keyof PagesOptions, "texts">;

/** Which paths need a session, and what is asked of its sign-in. */
export interface ProtectOptions extends SessionRequirement {
  /** Paths. `*` stands for one whole segment, and at the end for any number of them, including none. */
  readonly routes: readonly string[];
  /**
   * Whether upper and lower case are the same. Set it to `false` only if your router never treats them as the same.
   *
   * @default {true}
   */
  readonly ignoreCase?: boolean | undefined;
}

/** How accounts are stored, and when one may be added. */
export interface AccountOptions {
  /**
   * How `access_token`, `refresh_token` and `id_token` of accounts are stored: `plain`, as the provider gave them, or
   * `sealed`, encrypted with `secret` (`jwt.secret` if it is set). Rows of both kinds are read, so you can change this
   * in a service that runs. A column has to hold about 4/3 of a token and 300 characters.
   *
   * @default {"plain"}
   */
  tokens?: "plain" | "sealed" | undefined;
  /**
   * Whether somebody who is signed in can add an account or a passkey only within 10 minutes of their sign-in. Otherwise
   * they are sent to the sign-in page, and back. A session that does not say when it began is never fresh. `false`: a
   * passkey needs a sign-in within 10 minutes only if the session says when it was, and an account needs none.
   *
   * With `accountPage()`, `secondFactor()` or `password()` it is `true` unless you say otherwise: whoever has an old session of
   * another person would add an account of their own, sign in with it, and do whatever their pages ask a fresh sign-in for.
   *
   * @default {false}
   */
  freshSignIn?: boolean | undefined;
}

/** Deadlines, in seconds. */
export interface Timeouts {
  /** Of the whole answer, without `authorize`. @default {10} */
  total?: number | undefined;
  /** Of each request to a provider. @default {5} */
  request?: number | undefined;
  /**
   * Of each event handler. An answer waits for `createUser`, `updateUser` and `linkAccount` before `callbacks.jwt`. For
   * events of what is decided already it waits for at most three quarters of `total`.
   *
   * @default `timeouts.total`
   */
  event?: number | undefined;
  /** Of `authorize` of a credentials provider. It does not count for `total`. @default {30} */
  authorize?: number | undefined;
}

/** The configuration of the service. */
export interface AuthConfig {
  /** The providers that people can sign in with. @default {[]} */
  providers?: readonly ProviderInput[] | undefined;
  /** Stores users, accounts, sessions and tokens. Without one, sessions live in cookies and users are not stored. */
  adapter?: Adapter | undefined;
  /**
   * The secret that encrypts and signs cookies: random text of at least 32 characters, never bytes. While you rotate
   * secrets, give several, newest first.
   *
   * @default `AUTH_SECRET_3`, `_2`, `_1` and `AUTH_SECRET` of the environment, otherwise `NEXTAUTH_SECRET`
   */
  secret?: string | readonly string[] | undefined;
  /** The path that the service is mounted at. @default the path of `AUTH_URL`, otherwise `/auth` */
  basePath?: string | undefined;
  /** How sessions are kept. */
  session?: SessionOptions | undefined;
  /**
   * Paths that need a session: handlers wrapped with `auth(handler)` run there only for people who are signed in.
   * `["/members/*"]` protects `/members` and everything below it. Other visitors are redirected to the sign-in page;
   * requests that do not load a page are answered with 401.
   *
   * `{ routes: ["/admin/*"], level: 2, maxAge: "1h" }` asks for more than a session, and answers as
   * {@linkcode StepUpRequired} does. Such objects may stand in the list, too. Where several fit a path, all of them count.
   *
   * A path is protected if a router could read it as one of these: encoded once or twice, in upper or lower case, with
   * empty or dot segments, with parameters after a semicolon, with backslashes, or with `.data` or `.json` at the end. A
   * path that can be read in too many ways is protected too. The paths of the service and the sign-in page stay open.
   *
   * @default nothing is protected
   */
  protect?: ProtectOptions | readonly (string | ProtectOptions)[] | undefined;
  /**
   * What the service does beyond signing people in: `secondFactor()` of `@x/auth/second-factor`, `limits()` of
   * `@x/auth/limits`, and in development `doctor()` of `@x/auth/doctor`.
   *
   * @default {[]}
   */
  features?: readonly Feature[] | undefined;
  /** How accounts are stored, and when one may be added. */
  account?: AccountOptions | undefined;
  /** How session tokens are encrypted. */
  jwt?: JWTOptions | undefined;
  /** Functions that change what the service does. */
  callbacks?: Callbacks | undefined;
  /** Functions that are called after something has happened. */
  events?: Events | undefined;
  /**
   * Sends an email that is not a sign-in link: to a user with a proven address, after an account or a passkey was added. If
   * it throws, or takes longer than `timeouts.event`, that is logged and changes nothing.
   *
   * @default the first of `providers` that has `sendMail`, as the mail services of this package have. If there is none,
   * nothing is sent
   * @example
   * ```ts
   * import { createAuth } from "@x/auth";
   *
   * createAuth({
   *   providers: [],
   *   mail: async ({ to, subject, text, html }) => {
   *     const body = JSON.stringify({ from: "hello@example.com", to, subject, text, html });
   *     const response = await fetch("https://mail.example.com/send", { method: "POST", body });
   *     if (!response.ok) throw new Error(`The mail service answered ${response.status}`);
   *   },
   * });
   * ```
   */
  mail?(mail: OutgoingMail): Awaitable<void>;
  /** Pages that replace the built-in ones. */
  pages?: PagesOptions | undefined;
  /** Names and attributes of cookies. */
  cookies?: CookieOverrides | undefined;
  /** How the built-in pages look. */
  theme?: Theme | undefined;
  /**
   * The log. Each method that you give replaces the default one, and gets the line as data in its last parameter: the
   * code, the sentence, the request and the provider. Secrets have been removed. Loggers for Auth.js work unchanged.
   *
   * @default the console, one line for each thing that happened
   * @example
   * ```ts
   * import { createAuth } from "@x/auth";
   *
   * createAuth({
   *   providers: [],
   *   logger: {
   *     error: (_error, details) => console.error(JSON.stringify(details)),
   *     warn: (_code, _message, details) => console.warn(JSON.stringify(details)),
   *   },
   * });
   * ```
   */
  logger?: Partial<Logger> | undefined;
  /** Whether the default log prints debug messages. @default {false} */
  debug?: boolean | undefined;
  /** Flags of Auth.js. You need none; `enableWebAuthn: false` refuses WebAuthn providers. */
  experimental?: { readonly enableWebAuthn?: boolean | undefined } | undefined;
  /**
   * Schemes of applications, such as `com.example.app` or `myapp`, that `callbacks.redirect` may send the browser to, in
   * addition to http(s). Any application on a device can claim a scheme, so do not put secrets into such a URL.
   *
   * @default {[]}
   * @see {@link https://www.rfc-editor.org/rfc/rfc8252#section-7.1 | RFC 8252, section 7.1}
   */
  redirectSchemes?: readonly string[] | undefined;
  /** URL of the service that receives the answers of providers and forwards them here. @default `AUTH_REDIRECT_PROXY_URL` */
  redirectProxyUrl?: string | undefined;
  /**
   * Origins that this service forwards answers to, if it is the redirect proxy. `*` stands for one label, such as in
   * `https://*.example.com`. Without it, a redirect proxy forwards nothing.
   */
  redirectProxyOrigins?: readonly string[] | undefined;
  /** Turns CSRF tokens off, with the marker {@linkcode skipCSRFCheck}. The origin of a request is still checked. */
  skipCSRFCheck?: symbol | undefined;
  /** Makes `Auth()` return the parts of a response, with the marker {@linkcode raw}. */
  raw?: symbol | undefined;
  /**
   * Whether to trust the host of every request, and what a proxy says in `X-Forwarded-Host` and `X-Forwarded-Proto`. The
   * host is part of links and emails, and the sender of a request chooses it: set `AUTH_URL` instead unless a server
   * in front checks it. `false` serves no request.
   *
   * @default `true` with `AUTH_URL`, otherwise `AUTH_TRUST_HOST`, otherwise `true` on Vercel and Cloudflare Pages and where
   * `NODE_ENV` is `development` or `test`. Elsewhere only the hosts of this machine are trusted: `localhost`,
   * `*.localhost`, `127.0.0.0/8` and `::1`
   */
  trustHost?: boolean | undefined;
  /** Whether cookies are sent over https only. @default whether the request came over https */
  useSecureCookies?: boolean | undefined;
  /** Deadlines, in seconds. */
  timeouts?: Timeouts | undefined;
}

/**
 * The configuration, or a function that chooses one for each request. An object that it returns again is read once, and read
 * again when something in it has changed.
 */
export type AuthConfigSource = AuthConfig | ((request: Request) => Awaitable<AuthConfig>);
