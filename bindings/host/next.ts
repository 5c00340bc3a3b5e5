/**
 * What the binding for Next is made of, apart from the functions of Next itself.
 *
 * @module
 */
import type { AuthConfigSource } from "../../src/contract/config.ts";
import type { CookieOptions, SetCookie } from "../../src/http/cookie_text.ts";
import { isHost } from "../../src/http/origin.ts";
import type { FieldsById, IdIn, Inferred, SessionPatch, SomeId } from "../../src/kernel/inferred.ts";
import type { JWT, Session } from "../../src/kernel/model.ts";
import {
  type AuthorizationParams,
  createHost,
  type Host,
  type Move,
  type SentForm,
  type SessionReading,
  type SignInOptions,
  type SignInOptionsOf,
  type SignOutOptions,
  withReading,
} from "./host.ts";
import { type NodeHeaders, type NodeVisit, setReading, visitOf } from "./node.ts";

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
export type NextApiRequestLike = NodeVisit;

/** The response of the pages router. */
export type NextApiResponseLike = NodeHeaders;

/** The members of a `NextRequest` beyond those of a `Request` that are used most. */
export interface NextRequestLike extends Request {
  /** The URL, whose path has no `basePath`. */
  readonly nextUrl: URL & { basePath: string };
}

/** Reads the session, or guards. */
export interface NextAuthFunction<S = Session, F = FieldsById, T = JWT> {
  /** The types of this service, for `typeof auth.$infer.Session`. It is not there when the program runs. */
  readonly $infer: Inferred<S, F, T>;
  /** Reads the session in a server component, a server action or a route handler. It is not renewed there. */
  (): Promise<S | null>;
  /**
   * Wraps a route handler or a proxy: it gets the session as `request.auth`, and the session is renewed. It runs only for
   * requests that `protect` and `callbacks.authorized` allow.
   */
  <R extends Request = NextRequestLike, C = unknown>(
    handler: (request: R & { auth: S | null }, context: C) => unknown,
  ): (request: R, context: C) => Promise<Response>;
  /** Is a proxy: renews the session, and denies what `protect` and `callbacks.authorized` do not allow. */
  (request: Request, event: unknown): Promise<Response>;
  /** Reads the session in an API route of the pages router, and renews it. */
  (request: NextApiRequestLike, response: NextApiResponseLike): Promise<S | null>;
  /** Reads the session in `getServerSideProps`, and renews it. */
  (context: { readonly req: NextApiRequestLike; readonly res: NextApiResponseLike }): Promise<S | null>;
}

/** What `NextAuth` gives. */
export interface NextAuthResult<S = Session, F = FieldsById, T = JWT> {
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

/** Makes the service for Next. @param load Loads the functions of Next, once they are needed. */
export function nextAuthWith(config: AuthConfigSource, load: () => Promise<NextParts>): NextAuthResult {
  const host = createHost(config, { basePath: "/api/auth" });
  const visit = currentVisit(host, load);
  function auth(...args: readonly unknown[]): unknown {
    const [first, second] = args;
    if (first === undefined) return visit.read();
    if (typeof first === "function") {
      return (request: Request, context: unknown) => {
        return admitted(host, request, (known) => first(known, context), isEvent(context));
      };
    }
    if (isRequest(first)) return admitted(host, first, () => undefined, true);
    const { req = first, res = second } = first as { readonly req?: unknown; readonly res?: unknown };
    return readOfPage(host, req as NextApiRequestLike, res as NextApiResponseLike);
  }
  return {
    handlers: { GET: host.answer, POST: host.answer },
    auth: auth as NextAuthFunction,
    signIn: (provider, options: SignInOptions | SentForm = {}, params) =>
      visit.leave((request) => host.signIn(request, provider, options, params), (options as SignInOptions).redirect),
    signOut: (options = {}) => visit.leave((request) => host.signOut(request, options), options.redirect),
    unstable_update: (patch) => visit.change((request) => host.update(request, patch)),
  };
}

// A proxy gets an event, a route handler its parameters.
function isEvent(context: unknown): boolean {
  return typeof (context as { readonly waitUntil?: unknown } | undefined)?.waitUntil === "function";
}

// The headers of a request of Node are an object of text.
function isRequest(value: unknown): value is Request {
  return typeof (value as { readonly headers?: { readonly get?: unknown } }).headers?.get === "function";
}

/** Acts for the current request of a server component, a server action or a route handler. */
interface CurrentVisit {
  read(): Promise<Session | null>;
  leave(act: (visit: Request) => Promise<Move>, redirect: unknown): Promise<string>;
  change(act: (visit: Request) => Promise<SessionReading>): Promise<Session | null>;
}

/** Gives the functions for the current request. What Next throws passes. */
function currentVisit(host: Host, load: () => Promise<NextParts>): CurrentVisit {
  const visits = new WeakMap<object, Request>();
  async function open(parts: NextParts): Promise<Request> {
    const headers = await parts.headers();
    const visit = visits.get(headers) ?? visitFrom(headers);
    visits.set(headers, visit);
    return visit;
  }
  async function store({ cookies }: NextParts, changed: readonly SetCookie[]): Promise<void> {
    if (changed.length === 0) return;
    const jar = await cookies();
    for (const { name, value, options } of changed) jar.set(name, value, options);
  }
  return {
    // Server components cannot set cookies, and nothing tells them from actions.
    read: async () => (await host.read(await open(await load()))).session,
    async leave(act, redirect) {
      const parts = await load();
      const { to, cookies } = await act(await open(parts));
      await store(parts, cookies);
      return redirect === false ? to : parts.redirect(to);
    },
    async change(act) {
      const parts = await load();
      const { session, cookies } = await act(await open(parts));
      await store(parts, cookies);
      return session;
    },
  };
}

// Next tells neither URL nor method here. Only what is posted has a type: by the method the service tells a form from a
// link, and is stricter with a form.
function visitFrom(given: HeadersOfNext): Request {
  const headers = new Headers([...given.entries()]);
  const host = headers.get("host");
  const isPosted = headers.has("next-action") || headers.has("content-type");
  return new Request(`http://${isHost(host) ? host : "localhost"}/`, { method: isPosted ? "POST" : "GET", headers });
}

/** Tells a route handler that the proxy has renewed the session of the request. Whoever forges it renews nothing. */
const RENEWED = "x-auth-renewed";

/** Answers in proxy, and for handlers that `auth` wraps. */
async function admitted(
  host: Host,
  request: Request,
  run: (request: Request & { auth: Session | null }) => unknown,
  isProxy: boolean,
): Promise<Response> {
  // What is posted may sign somebody out, behind a proxy that would set the renewed cookie all the same.
  const isRead = request.method === "GET" || request.method === "HEAD";
  const { denied, ...reading } = await host.admit(request, {
    renew: !request.headers.has(RENEWED) && (isRead || !isProxy),
  });
  if (denied) return withReading(denied, reading);
  const response = await run(Object.assign(request, { auth: reading.session })) as Response | undefined ?? goOn();
  if (!isPassedOn(response)) return withReading(response, reading);
  const { cookies } = reading;
  return withReading(cookies.length > 0 ? tellRenewed(response, request) : response, { session: null, cookies });
}

function goOn(): Response {
  return new Response(null, { headers: new Headers({ "x-middleware-next": "1" }) });
}

// As `NextResponse.next({ request: { headers } })` does it: whoever changes one header lists all.
function tellRenewed({ body, status, headers: given }: Response, request: Request): Response {
  const headers = new Headers([...given]);
  if (!headers.has("x-middleware-override-headers")) {
    const all = new Headers([...request.headers, [RENEWED, "1"]]);
    for (const [name, value] of all) headers.set(`x-middleware-request-${name}`, value);
    headers.set("x-middleware-override-headers", [...all.keys()].join(","));
  }
  return new Response(body, { status, headers });
}

// The page that follows says itself how it may be kept: a static one is the same for everybody.
function isPassedOn({ headers }: Response): boolean {
  return headers.has("x-middleware-next") || headers.has("x-middleware-rewrite");
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
