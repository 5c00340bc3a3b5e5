/**
 * What the binding for Next is made of, apart from the functions of Next itself.
 *
 * @module
 */
import type { AuthConfig, AuthorizedParams, Callbacks } from "../../src/contract/config.ts";
import type { ProviderInput } from "../../src/contract/provider.ts";
import type { CookieOptions, SetCookie } from "../../src/http/cookie_text.ts";
import type { NodeHead } from "../../src/http/node_incoming.ts";
import { isHost } from "../../src/http/origin.ts";
import type { FieldsById, IdIn, Inferred, SessionPatch, SomeId } from "../../src/kernel/inferred.ts";
import type { Awaitable, JWT, Session } from "../../src/kernel/model.ts";
import type { RequireOptions } from "../../src/service/require.ts";
import {
  type AuthorizationParams,
  createHost,
  type Host,
  isStepUp,
  type RedirectWithCookies,
  type SentForm,
  type SignInOptions,
  type SignInOptionsOf,
  type SignOutOptions,
} from "./host.ts";
import { type NextUrlLike, withNextUrl } from "./next_paths.ts";
import { admitted } from "./next_proxy.ts";
import { type NodeHeaders, setReading, visitOf } from "./node.ts";
import { warnOfStaticPage } from "./static_page.ts";
import type { Checkable } from "./types.ts";

/** The functions of Next that act for the current request. */
export interface NextParts {
  /** `headers` of `next/headers`. */
  headers(): Promise<HeadersOfNext> | HeadersOfNext;
  /** `cookies` of `next/headers`. */
  cookies(): Promise<CookiesOfNext> | CookiesOfNext;
  /** `redirect` of `next/navigation`. It throws. */
  redirect(url: string): never;
}

interface HeadersOfNext {
  get(name: string): string | null;
  entries(): Iterable<[string, string]>;
}

interface CookiesOfNext {
  set(name: string, value: string, options: CookieOptions): unknown;
}

/** A request of the pages router. */
export type NextApiRequestLike = NodeHead;

/** The response of the pages router. */
export type NextApiResponseLike = NodeHeaders;

/** The members of a `NextRequest` beyond those of a `Request` that are used most. */
export interface NextRequestLike extends Request {
  /** The URL, whose path has no `basePath`. */
  readonly nextUrl: NextUrlLike;
  /** The cookies of the request. */
  readonly cookies: NextCookiesLike;
}

/** The members of `NextRequest.cookies` that are used most. */
export interface NextCookiesLike {
  /** Finds a cookie. */
  get(name: string): { name: string; value: string } | undefined;
  /** Lists all cookies, or those of a name. */
  getAll(...name: [] | [name: string]): { name: string; value: string }[];
  /** Whether there is a cookie. */
  has(name: string): boolean;
}

/** A request that `auth` gives to a handler. */
export interface NextAuthRequest<S = Session> extends NextRequestLike {
  /** The session; `null` if nobody is signed in. */
  auth: S | null;
}

/** What Next gives a handler beside the request: its parameters in a route, the event in a proxy. */
export interface NextContextLike {
  /** The parameters of the path. */
  // deno-lint-ignore no-explicit-any -- a promise since Next 15, an object before, and each route has others
  params?: any;
  /** Goes on with work after the answer. */
  waitUntil?(work: Promise<unknown>): void;
}

/** {@linkcode Callbacks} in Next, whose requests have `nextUrl` and `cookies`. */
export interface NextAuthCallbacks extends Omit<Callbacks, "authorized"> {
  /** Like {@linkcode Callbacks.authorized}. */
  authorized?(
    params: AuthorizedParams<Session, NextAuthorizedRequest>,
  ): ReturnType<NonNullable<Callbacks["authorized"]>>;
}

/** The request that `callbacks.authorized` gets. */
export type NextAuthorizedRequest = Request & Pick<NextRequestLike, "nextUrl" | "cookies">;

/** The configuration for Next, for an object that stands by itself: `{ … } satisfies NextAuthConfig`. */
export interface NextAuthConfig extends Omit<AuthConfig, "providers" | "callbacks" | "raw"> {
  /** The providers that people can sign in with. */
  providers: ProviderInput[];
  /** Functions that change what the service does. */
  callbacks?: NextAuthCallbacks | undefined;
}

/** Gives the session if its sign-in does: that there is one, of which level, how long ago, and how. */
export interface NextRequire<S = Session> {
  /**
   * In a server component or a server action. Otherwise it redirects. Next tells a server component no URL, so say where
   * people go afterwards in `redirectTo`: without it, to the page that sent the form of an action, else to the home page.
   *
   * @throws {AuthError} if it cannot be determined who is signed in: `SessionTokenError` while storage fails.
   */
  (options?: RequireOptions): Promise<S>;
  /**
   * In a route handler that `auth` wraps. Otherwise it throws {@linkcode StepUpRequired}, and `auth` answers with its
   * `response()`. Elsewhere, such as in the pages router, catch it.
   */
  (request: Request | NextApiRequestLike, options?: RequireOptions): Promise<S>;
}

/** Reads the session, or guards. */
export interface NextAuthFunction<S = Session, F = FieldsById, T = JWT> {
  /** The types of this service, for `typeof auth.$infer.Session`. It does not exist at run time. */
  // First, and with the members of `F` one by one: otherwise TypeScript 5 does not take a service with known providers for
  // a `NextAuthResult`.
  readonly $infer: Inferred<S, { [K in keyof F]: F[K] }, T>;
  /** Reads the session in a server component, a server action or a route handler. It is not renewed there. */
  (): Promise<S | null>;
  /**
   * Wraps a route handler or a proxy: it gets the session as `request.auth`, and the session is renewed. It runs only for
   * requests that `protect` and `callbacks.authorized` allow.
   */
  <C = NextContextLike>(
    handler: (request: NextAuthRequest<S>, context: C) => unknown,
  ): (request: NextRequestLike, context: C) => Promise<Response>;
  /** Wraps a handler that names the type of its request. */
  <R extends Request = NextRequestLike, C = unknown>(
    handler: (request: R & { auth: S | null }, context: C) => unknown,
  ): (request: R, context: C) => Promise<Response>;
  /** Is a proxy: renews the session, and denies what `protect` and `callbacks.authorized` do not allow. */
  (request: Request, event: unknown): Promise<Response>;
  /** Reads the session in an API route of the pages router, and renews it. */
  (request: NextApiRequestLike, response: NextApiResponseLike): Promise<S | null>;
  /** Reads the session in `getServerSideProps`, and renews it. */
  (context: { readonly req: NextApiRequestLike; readonly res: NextApiResponseLike }): Promise<S | null>;
  /** Gives the session if its sign-in does. */
  readonly require: NextRequire<S>;
}

/** What `NextAuth` gives. */
export interface NextAuthResult<S = Session, F = FieldsById, T = JWT> extends Checkable {
  /** The handlers of the route of the service. */
  readonly handlers: Readonly<Record<"GET" | "POST", (request: Request) => Promise<Response>>>;
  /** Reads the session, or guards. */
  readonly auth: NextAuthFunction<S, F, T>;
  /**
   * Starts a sign-in and redirects, in a server action or a route handler. With `redirect: false` it gives the URL.
   *
   * @throws {AuthError} if it fails, `MissingCSRF` if another site sent the request.
   */
  signIn<Id extends SomeId<F> = keyof F & string>(
    provider?: IdIn<F, Id>,
    options?: SignInOptionsOf<F, Id> | SentForm,
    params?: AuthorizationParams,
  ): Promise<string>;
  /** Ends the session and redirects, in a server action or a route handler. With `redirect: false` it gives the URL. */
  signOut(options?: SignOutOptions): Promise<string>;
  /** Changes the session, in a server action or a route handler. `callbacks.jwt` gets `patch` as `session`. */
  unstable_update(patch: SessionPatch<S>): Promise<S | null>;
}

/** A configuration, or a function that chooses one for each request, which has `nextUrl`. */
export type NextConfigSource = AuthConfig | ((request: NextAuthorizedRequest) => Awaitable<AuthConfig>);

/** Makes the service for Next. @param load Loads the functions of Next, once they are needed. */
export function nextAuthWith(config: NextConfigSource, load: () => Promise<NextParts>): NextAuthResult {
  const source = typeof config === "function" ? (request: Request) => config(shownByNext(request)) : config;
  const host = createHost(source, { basePath: "/api/auth" });
  const { visit, store, leave } = currentVisit(load);
  function auth(...args: readonly unknown[]): unknown {
    const [first, second] = args;
    if (first === undefined) return readHere();
    if (typeof first === "function") {
      return (request: Request, context: unknown) => {
        return admitted(host, request, (known) => first(known, context), isEvent(context));
      };
    }
    if (isRequest(first)) return admitted(host, first, () => undefined, true);
    const { req = first, res = second } = first as { readonly req?: unknown; readonly res?: unknown };
    return readOfPage(host, req as NextApiRequestLike, res as NextApiResponseLike);
  }
  // Server components cannot set cookies, and cannot be told from actions.
  async function readHere(): Promise<Session | null> {
    return (await host.read(await visit())).session;
  }
  async function requireHere(...args: readonly unknown[]): Promise<Session> {
    const [first, second] = args;
    if (isSent(first)) return await host.require(isRequest(first) ? first : visitOf(first), second as RequireOptions);
    try {
      return await host.require(await visit(), first as RequireOptions | undefined);
    } catch (error) {
      return isStepUp(error) ? (await load()).redirect(error.url) : Promise.reject(error);
    }
  }
  return {
    handlers: { GET: host.answer, POST: host.answer },
    auth: Object.assign(auth, { require: requireHere }) as unknown as NextAuthFunction,
    async signIn(provider, options: SignInOptions | SentForm = {}, params) {
      const move = await host.signIn(await visit(), provider, options, params);
      return await leave(move, (options as SignInOptions).redirect);
    },
    signOut: async (options = {}) => await leave(await host.signOut(await visit(), options), options.redirect),
    async unstable_update(patch) {
      const { session, cookies } = await host.update(await visit(), patch);
      await store(cookies);
      return session;
    },
    check: host.check,
  };
}

function shownByNext(request: Request): NextAuthorizedRequest {
  return withNextUrl(request) as NextAuthorizedRequest;
}

// A proxy gets an event, a route handler its parameters.
function isEvent(context: unknown): boolean {
  return typeof (context as { readonly waitUntil?: unknown } | undefined)?.waitUntil === "function";
}

// Options have no headers.
function isSent(value: unknown): value is Request | NextApiRequestLike {
  return typeof (value as { readonly headers?: unknown } | undefined)?.headers === "object";
}

// The headers of a request of Node are an object of text.
function isRequest(value: unknown): value is Request {
  return typeof (value as { readonly headers?: { readonly get?: unknown } }).headers?.get === "function";
}

/** Acts for the current request of a server component, a server action or a route handler. */
interface CurrentVisit {
  visit(): Promise<Request>;
  store(changed: readonly SetCookie[]): Promise<void>;
  leave(move: RedirectWithCookies, redirect: unknown): Promise<string>;
}

/** Gives the functions for the current request. They let through what Next throws. */
function currentVisit(load: () => Promise<NextParts>): CurrentVisit {
  const visits = new WeakMap<object, Request>();
  async function store(changed: readonly SetCookie[]): Promise<void> {
    if (changed.length === 0) return;
    const jar = await (await load()).cookies();
    for (const { name, value, options } of changed) jar.set(name, value, options);
  }
  return {
    async visit() {
      const headers = await (await load()).headers();
      const visit = visits.get(headers) ?? visitFrom(headers);
      visits.set(headers, visit);
      return visit;
    },
    store,
    async leave({ to, cookies }, redirect) {
      await store(cookies);
      return redirect === false ? to : (await load()).redirect(to);
    },
  };
}

// Next exposes neither URL nor method here. Only a POST has a content type. The service tells a form from a link by the
// method, and is stricter with a form.
function visitFrom(given: HeadersOfNext): Request {
  const headers = new Headers([...given.entries()]);
  // A request has headers. Next gives none to a page that is forced to be static.
  if ([...headers.keys()].length === 0) {
    warnOfStaticPage("a page or a route handler", 'remove `dynamic = "force-static"` from it');
  }
  const host = headers.get("host");
  const isPosted = headers.has("next-action") || headers.has("content-type");
  return new Request(`http://${isHost(host) ? host : "localhost"}/`, { method: isPosted ? "POST" : "GET", headers });
}

/** Reads the session of a request of the pages router, and renews it. */
async function readOfPage(
  host: Host,
  request: NextApiRequestLike,
  response: NextApiResponseLike,
): Promise<Session | null> {
  const reading = await host.read(visitOf(request), { renew: true });
  setReading(response, reading);
  return reading.session;
}
