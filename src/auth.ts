/**
 * The service: a handler for the web, and functions that act for a request to your application.
 *
 * @module
 */
import type { TokenOwner } from "./service/access_token.ts";
import type {
  AuthorizationParams,
  SentForm,
  SignInOptions,
  SignInOptionsOf,
  SignInTarget,
  SignOutOptions,
} from "./service/actions.ts";
import type { AuthConfig, AuthConfigSource } from "./contract/config.ts";
import type { Adapter } from "./contract/adapter.ts";
import type { ConfigSourceOf, FieldsByIdOf, SessionOf, Strategy, TokenOf } from "./contract/infer.ts";
import type { ProviderInput } from "./contract/provider.ts";
import type { AuthFunction, ConnectionInfo, Handler, SessionHandler } from "./contract/handler.ts";
import { byContents } from "./service/by_contents.ts";
import { createEngine, handlerOf, type Settled } from "./service/engine.ts";
import type { AuthAccount } from "./service/account_actions.ts";
import type { AuthFactors } from "./service/factor_actions.ts";
import type { AuthPasswords, ImportedPassword, NotImported, PasswordImport } from "./service/password_actions.ts";
import {
  accessTokens,
  accountActions,
  actions,
  checks,
  factorActions,
  passwordActions,
  requirements,
  sessionActions,
} from "./service/functions.ts";
import { authFunction } from "./service/guard.ts";
import type { RequireOptions } from "./service/require.ts";
import type { AuthSessions, RevokeOptions } from "./service/session_actions.ts";
import type {
  AccountPasskey,
  AccountSession,
  AccountView,
  AccountWay,
  PasskeySignals,
  Removal,
  WaitingEmail,
} from "./request/account_views.ts";
import type { UserFactor } from "./request/factor_views.ts";
import type { UserSession } from "./session/user_sessions.ts";
import type { SetCookie } from "./http/cookie_text.ts";
import type { FieldsById, IdIn, Inferred, SessionPatch, SomeId } from "./kernel/inferred.ts";
import type { JWT, Session } from "./kernel/model.ts";
import { respond, wantsJson } from "./service/respond.ts";
import type { AccessToken, AccessTokenOptions } from "./access_tokens/access_token.ts";

export type {
  AccessToken,
  AccessTokenOptions,
  AccountPasskey,
  AccountSession,
  AccountView,
  AccountWay,
  AuthAccount,
  AuthFactors,
  AuthFunction,
  AuthorizationParams,
  AuthPasswords,
  AuthSessions,
  ConnectionInfo,
  Handler,
  ImportedPassword,
  NotImported,
  PasskeySignals,
  PasswordImport,
  Removal,
  RequireOptions,
  RevokeOptions,
  SentForm,
  SessionHandler,
  Settled,
  SignInOptions,
  SignInOptionsOf,
  SignInTarget,
  SignOutOptions,
  TokenOwner,
  UserFactor,
  UserSession,
  WaitingEmail,
};

/** The service, made by {@linkcode createAuth}. */
export interface Auth<S = Session, F = FieldsById, T = JWT> {
  /** The types of this service, for `typeof auth.$infer.Session`. It is not there when the program runs. */
  // First, and with the members of `F` one by one: otherwise TypeScript 5 does not take a service with known providers for
  // an `Auth`.
  readonly $infer: Inferred<S, { [K in keyof F]: F[K] }, T>;
  /** Answers every request below `basePath`. Never throws. */
  readonly handler: Handler;
  /** The same handler by method, for file-based routers. */
  readonly handlers: { readonly GET: Handler; readonly POST: Handler };
  /** Reads the session of a request, or wraps a handler so that it gets the session. */
  readonly auth: AuthFunction<S>;
  /**
   * Gives the session of a request if it meets what is asked: a level, a sign-in that is recent, or certain methods.
   *
   * The session is looked up in storage, not in a cache, and it is not renewed. A session that does not say when it began is
   * too old for every `maxAge`, and one that does not say how it began has level 1.
   *
   * @example Usage
   * ```ts
   * import { createAuth, StepUpRequired } from "@x/auth";
   *
   * const auth = createAuth({ providers: [] });
   *
   * async function showKeys(request: Request): Promise<Response> {
   *   try {
   *     const session = await auth.require(request, { level: 2, maxAge: "10m" });
   *     return new Response(`The keys of ${session.user?.name}`);
   *   } catch (error) {
   *     if (error instanceof StepUpRequired) return error.response();
   *     throw error;
   *   }
   * }
   * ```
   *
   * @param request The request.
   * @param options What is asked. Without it, that somebody is signed in.
   * @returns The session, as `callbacks.session` gives it.
   * @throws {StepUpRequired} if something is missing. Its `response()` is the answer: a redirect for a page, otherwise 401.
   * @throws {SessionTokenError} if storage fails, because then it is unknown who is signed in.
   * @throws {InvalidConfig} if an option is wrong, or has a name that there is not.
   * @see {@link https://www.rfc-editor.org/rfc/rfc9470 | RFC 9470: step-up authentication}
   */
  require(request: Request, options?: RequireOptions): Promise<S>;
  /**
   * Starts a sign-in and gives the URL to redirect to, with the cookies to set.
   *
   * @throws {MissingCSRF} if another site made the browser send the request, as `Origin` or `Sec-Fetch-Site` say. A visit
   * (a GET that a link led to) may come from anywhere if it only redirects to a provider or to the sign-in page. An
   * account is linked to the user who is signed in only if a page of this site posted the request.
   */
  signIn<Id extends SomeId<F> = keyof F & string>(
    request: Request,
    provider: IdIn<F, Id> | undefined,
    options: SignInOptionsOf<F, Id> & { redirect: false },
    params?: AuthorizationParams,
  ): Promise<Settled<string>>;
  /**
   * Starts a sign-in and gives a redirect response. Without a provider it redirects to the sign-in page.
   *
   * The members of a `FormData`, or of any object with `entries()`, are form fields, except `redirectTo` and `callbackUrl`,
   * which say where the browser goes afterwards.
   *
   * @throws {MissingCSRF} like the overload with `redirect: false`.
   */
  signIn<Id extends SomeId<F> = keyof F & string>(
    request: Request,
    provider?: IdIn<F, Id>,
    options?: SignInOptionsOf<F, Id> | SentForm,
    params?: AuthorizationParams,
  ): Promise<Response>;
  /**
   * Ends the session and gives the URL to redirect to, with the cookies to set. If the session began with a provider that
   * has the option `logout`, the URL is one of the provider.
   *
   * @throws {MissingCSRF} if another site made the browser send the request. Call it for requests that a form posts: an
   * old browser does not say that a link of another site led to a GET.
   */
  signOut(request: Request, options: SignOutOptions & { redirect: false }): Promise<Settled<string>>;
  /**
   * Ends the session and gives a redirect response.
   *
   * @throws {MissingCSRF} like the overload with `redirect: false`.
   */
  signOut(request: Request, options?: SignOutOptions): Promise<Response>;
  /**
   * Gives an access token with which you can call the API of a provider, for the person who is signed in or for any user by id.
   *
   * It is valid for at least a minute. If the stored one is not, it is refreshed: once, however many requests and
   * processes ask at the same time. It needs an `adapter`; those of this package have all that is necessary.
   *
   * @example Usage
   * ```ts
   * import { createAuth } from "@x/auth";
   * import { sqliteAdapter } from "@x/auth/adapters/sqlite";
   * import { google } from "@x/auth/providers/google";
   *
   * const { accessToken } = createAuth({
   *   adapter: sqliteAdapter("auth.db"),
   *   providers: [google({ authorization: { params: { access_type: "offline", prompt: "consent" } } })],
   * });
   *
   * // In a handler, for the person who sent the request …
   * async function ofVisitor(request: Request): Promise<string> {
   *   return (await accessToken(request, "google")).accessToken;
   * }
   *
   * // … and in a background job, for a user.
   * async function ofUser(userId: string): Promise<string> {
   *   return (await accessToken({ userId }, "google")).accessToken;
   * }
   * ```
   *
   * @param who A request of somebody who is signed in, or the id of a user.
   * @param provider Id of the provider.
   * @param options Which account, and which token is of no use any more.
   * @throws {RefreshRequired} if only the person can help, by signing in with the provider again. It is not logged.
   * @throws {ProviderUnavailable} if the provider cannot be reached and the stored token has expired. Try again later.
   * @throws {OAuthProviderError} if the provider does not accept this client, or its answer is not valid.
   * @throws {InvalidProvider} if there is no such provider, or the user has several accounts there and none is chosen.
   * @throws {MissingAdapter} if there is no `adapter`: then tokens are not stored.
   */
  accessToken(who: Request | TokenOwner, provider: string, options?: AccessTokenOptions): Promise<AccessToken>;
  /**
   * Changes the session of the request. `callbacks.jwt` gets `patch` as `session`.
   *
   * @throws {MissingCSRF} if another site made the browser send the request.
   */
  update(request: Request, patch: SessionPatch<S>): Promise<Settled<S | null>>;
  /**
   * Checks the service before the first request: the configuration and every provider are resolved, the storage is read
   * once, and the metadata of each provider is fetched. Call it when your program starts, so that a mistake shows there
   * and not at the first sign-in. Warnings are logged.
   *
   * @example Usage
   * ```ts
   * import { createAuth } from "@x/auth";
   *
   * const auth = createAuth({ providers: [], secret: "a random text of at least 32 characters" });
   * await auth.check();
   * ```
   *
   * @param request A request, if the configuration is a function. With a request its host is checked, too.
   * @throws {InvalidConfig} if anything is wrong. `problems` lists all of it, and the message has a line for each.
   */
  check(request?: Request): Promise<void>;
  /** Lists the sessions of a user, and ends them. */
  readonly sessions: AuthSessions;
  /**
   * Lists the second factors of a user, and removes them. It needs the feature `secondFactor()` of `@x/auth/second-factor`.
   *
   * @example Usage
   * ```ts
   * import { createAuth } from "@x/auth";
   * import { memoryAdapter } from "@x/auth/adapters/memory";
   * import { secondFactor } from "@x/auth/second-factor";
   *
   * const { factors } = createAuth({ adapter: memoryAdapter(), providers: [], features: [secondFactor()] });
   *
   * async function removeApps(userId: string): Promise<void> {
   *   for (const { id, type } of await factors.list(userId)) if (type === "totp") await factors.remove(userId, id);
   * }
   * ```
   */
  readonly factors: AuthFactors;
  /** Sets, removes and imports passwords of users. */
  readonly passwords: AuthPasswords;
  /**
   * The account page as functions, for pages of your own: what the person who is signed in sees of their account, and what
   * they change. It needs the feature `accountPage()` of `@x/auth/account`.
   *
   * @example Usage
   * ```ts
   * import { createAuth, StepUpRequired } from "@x/auth";
   * import { accountPage } from "@x/auth/account";
   * import { memoryAdapter } from "@x/auth/adapters/memory";
   *
   * const { account } = createAuth({ adapter: memoryAdapter(), providers: [], features: [accountPage()] });
   *
   * async function unlink(request: Request, id: string): Promise<Response> {
   *   try {
   *     await account.unlink(request, id);
   *     return Response.json(await account.get(request));
   *   } catch (error) {
   *     if (error instanceof StepUpRequired) return error.response();
   *     throw error;
   *   }
   * }
   * ```
   */
  readonly account: AuthAccount;
  /** The same as {@linkcode Auth.update}, under its name in Auth.js. */
  unstable_update(request: Request, patch: SessionPatch<S>): Promise<Settled<S | null>>;
}

/**
 * Creates the authentication service.
 *
 * Nothing happens before the first request: no environment variable is read and no key is derived. In production, set
 * the environment variable `AUTH_URL` to the address of your site.
 *
 * The types follow the configuration: the session is what `callbacks.session` returns, ids are those of `providers`, and
 * fields those of `credentials`. Write the callbacks in the order `jwt`, `session`, `authorized`. `$infer` names the types.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { github } from "@x/auth/providers/github";
 *
 * const { handler } = createAuth({ providers: [github()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param config The configuration, or a function that chooses one for each request.
 * @returns The handler, and the functions that act for a request. `signIn`, `signOut` and `update` throw an
 * {@linkcode AuthError} when they fail; the handler never throws.
 */
export function createAuth<
  const P extends readonly ProviderInput<Id>[],
  T extends JWT,
  S extends Session,
  Id extends string,
  N extends Strategy | undefined = never,
  A extends Adapter | undefined = never,
>(config: ConfigSourceOf<P, T, S, N, A>): Auth<SessionOf<S>, FieldsByIdOf<P>, TokenOf<T>> {
  // The type parameters change nothing when the program runs.
  return serviceOf(config as AuthConfigSource) as unknown as Auth<SessionOf<S>, FieldsByIdOf<P>, TokenOf<T>>;
}

function serviceOf(config: AuthConfigSource): Omit<Auth, "$infer"> {
  const engine = createEngine(config);
  const handler = handlerOf(engine);
  const update: Auth["update"] = async (request, patch) => (await actions()).updateFor(engine, request, patch);
  const sessions = async () => (await sessionActions()).sessionFunctions(engine);
  const factors = async () => (await factorActions()).factorFunctions(engine);
  const passwords = async () => (await passwordActions()).passwordFunctions(engine);
  const account = async () => (await accountActions()).accountFunctions(engine);
  return Object.freeze({
    handler,
    handlers: Object.freeze({ GET: handler, POST: handler }),
    auth: authFunction(engine),
    require: async (request, options) => (await requirements()).requireFor(engine, request, options),
    // One function has the type of both overloads only by assertion.
    signIn: (async (
      request: Request,
      provider: string | undefined,
      options: SignInOptions | SentForm = {},
      params: AuthorizationParams | undefined,
    ) => {
      return (await actions()).signInFor(engine, request, { provider, options, params });
    }) as Auth["signIn"],
    signOut: (async (request, options = {}) => {
      return (await actions()).signOutFor(engine, request, options);
    }) as Auth["signOut"],
    accessToken: async (...args) => (await accessTokens()).accessTokenFor(engine, ...args),
    check: async (request) => (await checks()).checkService(engine, request),
    sessions: Object.freeze<AuthSessions>({
      list: async (of) => await (await sessions()).list(of),
      revoke: async (id, options) => await (await sessions()).revoke(id, options),
      revokeOthers: async (request) => await (await sessions()).revokeOthers(request),
      revokeAll: async (of) => await (await sessions()).revokeAll(of),
    }),
    factors: Object.freeze<AuthFactors>({
      list: async (userId) => await (await factors()).list(userId),
      remove: async (userId, id) => await (await factors()).remove(userId, id),
    }),
    passwords: Object.freeze<AuthPasswords>({
      set: async (userId, text) => await (await passwords()).set(userId, text),
      remove: async (userId) => await (await passwords()).remove(userId),
      import: async (rows) => await (await passwords()).import(rows),
    }),
    account: Object.freeze<AuthAccount>({
      get: async (request) => await (await account()).get(request),
      rename: async (request, name) => await (await account()).rename(request, name),
      changeEmail: async (request, to) => await (await account()).changeEmail(request, to),
      unlink: async (request, id) => await (await account()).unlink(request, id),
      renamePasskey: async (request, id, name) => await (await account()).renamePasskey(request, id, name),
      removePasskey: async (request, id) => await (await account()).removePasskey(request, id),
      endSession: async (request, id) => await (await account()).endSession(request, id),
      endOthers: async (request) => await (await account()).endOthers(request),
      exportData: async (request) => await (await account()).exportData(request),
      delete: async (request) => await (await account()).delete(request),
      deleteDue: async () => await (await account()).deleteDue(),
    }),
    update,
    unstable_update: update,
  });
}

/** What the function {@linkcode Auth} gives instead of a `Response` when `config.raw` is set. */
export interface RawResponse {
  /** The status, unless it is a redirect. */
  readonly status?: number;
  /** Where the browser is sent. */
  readonly redirect?: string;
  /** The body: JSON as a value, a page as text. */
  readonly body?: unknown;
  /** Headers of the response. */
  readonly headers?: Headers;
  /** Cookies to set. */
  readonly cookies?: readonly SetCookie[];
}

const engineOf = byContents((config) => createEngine(config));

/**
 * Answers one request. Bindings of web frameworks call this form.
 *
 * The configuration is resolved once for each configuration object, and again when something in the object has changed.
 *
 * @example Usage
 * ```ts
 * import { Auth } from "@x/auth";
 * import assert from "node:assert/strict";
 *
 * const config = { providers: [], secret: "a random text of at least 32 characters", trustHost: true };
 * const response = await Auth(new Request("http://localhost/auth/session"), config);
 * assert.equal(await response.json(), null);
 * ```
 *
 * @param request The request, below `basePath`.
 * @param config The configuration.
 * @returns The response; with `config.raw`, its parts.
 * @throws {AuthError} only with `config.raw`, unless the request has the header `X-Auth-Return-Redirect`.
 */
export function Auth(request: Request, config: AuthConfig & { raw: symbol }): Promise<RawResponse>;
/** Answers one request with a response. */
export function Auth(request: Request, config: AuthConfig): Promise<Response>;
export async function Auth(request: Request, config: AuthConfig): Promise<Response | RawResponse> {
  // Read first: the caller may change the object while this waits.
  const isRaw = config.raw?.description === "return-type-raw";
  // What is not an object is a problem, which is reported.
  const engine = typeof config === "object" && config !== null ? engineOf(config) : createEngine(config);
  const answer = await engine.run(request);
  if (!isRaw) return await respond(answer);
  if (answer.error && !wantsJson(answer)) throw answer.error;
  const { outcome, cookies } = answer;
  if (outcome.kind === "redirect") return { redirect: outcome.to, cookies };
  if (outcome.kind === "json") return { status: outcome.status, body: outcome.body, cookies };
  const response = await respond({ ...answer, cookies: [] });
  return { status: response.status, headers: response.headers, body: await response.text(), cookies };
}
