/**
 * What the binding for SvelteKit is made of, apart from the function of SvelteKit itself.
 *
 * @module
 */
import type { AuthConfig, AuthConfigSource } from "../../src/contract/config.ts";
import type { ConfigOf, ConfigTelling } from "../../src/contract/infer.ts";
import type { CookieOptions, SetCookie } from "../../src/http/cookie_text.ts";
import type { FieldsById, IdIn, Inferred, SessionPatch, SomeId } from "../../src/kernel/inferred.ts";
import type { StepUpRequired } from "../../src/kernel/errors.ts";
import type { JWT, Session } from "../../src/kernel/model.ts";
import type { RequireOptions } from "../../src/service/require.ts";
import { createAround, visitToPage } from "./around.ts";
import {
  type AuthorizationParams,
  BY_URL,
  type Host,
  isStepUp,
  type RedirectWithCookies,
  type Seen,
  type SentForm,
  type SignInOptions,
  type SignInOptionsOf,
  type SignOutOptions,
} from "./host.ts";
import { routePaths } from "./route_path.ts";
import { warnOfStaticPage } from "./static_page.ts";

/** The members of an event of SvelteKit that are used. */
export interface SvelteKitEvent {
  /** The request. */
  readonly request: Request;
  /** The URL of the page. */
  readonly url: URL;
  /** The route of the page; `null` if there is none. */
  readonly route: { readonly id: string | null };
  /** The parameters of the route. */
  readonly params: Readonly<Record<string, string | undefined>>;
  /** What is kept for one request. */
  readonly locals: object;
  /** Whether the router asks for the data of the page. */
  readonly isDataRequest?: boolean | undefined;
  /** Whether the server itself made the request, to render a page. */
  readonly isSubRequest?: boolean | undefined;
  /** Sets cookies. */
  readonly cookies: { set(name: string, value: string, options: CookieOptions & { path: string }): void };
}

/**
 * The `RequestEvent` of SvelteKit, with `platform` and the rest. The npm package gives it the members; elsewhere, annotate
 * the event.
 */
// deno-lint-ignore no-empty-interface -- the npm package extends it
export interface SvelteKitRequestEvent {}

/** The members of `event.locals` that `handle` sets. */
export interface SvelteKitLocals<S = Session> {
  /** Gives the session; `null` if nobody is signed in. */
  auth(): Promise<S | null>;
  /** The type of the session. It does not exist at run time. */
  readonly "~session"?: S | undefined;
}

/** The session of `App.Locals`: that of the {@linkcode SvelteKitLocals} that it extends, or {@linkcode Session}. */
export type SvelteKitSessionOf<L> = L extends { readonly "~session"?: infer S | undefined }
  ? unknown extends S ? Session : S
  : Session;

/** A configuration, or a function that chooses one for each event. */
export type SvelteKitAuthSource =
  | AuthConfig
  | ((event: SvelteKitEvent & SvelteKitRequestEvent) => AuthConfig | PromiseLike<AuthConfig>);

/** {@linkcode SvelteKitAuthSource} that types are inferred from. */
export type SvelteKitSourceOf<P, T, S, N = unknown, A = unknown> =
  | ConfigTelling<P, T, S, N, A>
  | ((event: SvelteKitEvent & SvelteKitRequestEvent) => ConfigOf<P, T, S> | PromiseLike<ConfigOf<P, T, S>>);

/** Options of `SvelteKitAuth`. */
export interface SvelteKitAuthOptions {
  /**
   * Whether SvelteKit is building the site: `building` of `$app/env`, or of `$app/environment` in SvelteKit 2. Pages that are
   * prerendered then see no session, and neither a secret nor storage is needed.
   *
   * @default {false}
   */
  readonly building?: boolean | undefined;
}

/** Ends the session. */
export interface SvelteKitSignOut {
  /** Sets the cookies. With `redirect: false` it gives the URL. */
  (event: SvelteKitEvent, options: SignOutOptions & { readonly redirect: boolean }): Promise<string>;
  /** Sets the cookies and redirects. It is a form action, too. */
  (event: SvelteKitEvent, options?: SignOutOptions): Promise<never>;
}

/** The service for SvelteKit. */
export interface SvelteKitAuthResult<S = Session, F = FieldsById, T = JWT> {
  /** The types of this service, for `typeof auth.$infer.Session`. It does not exist at run time. */
  // First, and with the members of `F` one by one: otherwise TypeScript 5 does not take a service with known providers for
  // a `SvelteKitAuthResult`.
  readonly $infer: Inferred<S, { [K in keyof F]: F[K] }, T>;
  /**
   * Answers the paths of the service. For all others it sets `event.locals.auth`, renews the session, and denies what
   * `protect` and `callbacks.authorized` do not allow.
   */
  readonly handle: <E extends SvelteKitEvent>(
    input: { readonly event: E; resolve(event: E): Response | Promise<Response> },
  ) => Promise<Response>;
  /**
   * Gives the session in a `load`, a form action or an endpoint if its sign-in does. Otherwise it throws what SvelteKit makes
   * an answer of: a redirect for a page, 401 for anything else.
   *
   * @throws {AuthError} if it cannot be determined who is signed in: `SessionTokenError` while storage fails.
   */
  readonly require: (event: SvelteKitEvent, options?: RequireOptions) => Promise<S>;
  /**
   * Starts a sign-in, and sets the cookies. With `redirect: false` it gives the URL.
   *
   * @throws {AuthError} if it fails, `MissingCSRF` if another site sent the request.
   */
  signIn<Id extends SomeId<F> = keyof F & string>(
    event: SvelteKitEvent,
    provider: IdIn<F, Id> | undefined,
    options: SignInOptionsOf<F, Id> & { readonly redirect: boolean },
    params?: AuthorizationParams,
  ): Promise<string>;
  // The last one: SvelteKit reads from it what a form action gives.
  /**
   * Starts a sign-in and redirects. As a form action it takes the provider from the field `providerId`.
   *
   * @throws {AuthError} if it fails, `MissingCSRF` if another site sent the request.
   */
  signIn<Id extends SomeId<F> = keyof F & string>(
    event: SvelteKitEvent,
    provider?: IdIn<F, Id>,
    options?: SignInOptionsOf<F, Id> | SentForm,
    params?: AuthorizationParams,
  ): Promise<never>;
  /** Ends the session and redirects. */
  readonly signOut: SvelteKitSignOut;
  /** Changes the session. `callbacks.jwt` gets `patch` as `session`. */
  readonly update: (event: SvelteKitEvent, patch: SessionPatch<S>) => Promise<S | null>;
  /**
   * Checks the service before the first request: its configuration, its storage, and the metadata of its providers.
   * Warnings are logged. Call it in `init` of `src/hooks.server.ts`. While the site is built it checks nothing.
   *
   * @param event An event, if the configuration is a function. With an event its host is checked, too.
   * @throws {InvalidConfig} if anything is wrong. `problems` lists all of it, and the message has a line for each.
   */
  check(event?: SvelteKitEvent): Promise<void>;
}

/** What starts a sign-in: {@linkcode SvelteKitAuthResult.signIn}. */
export type SvelteKitSignIn<F = FieldsById> = SvelteKitAuthResult<Session, F>["signIn"];

/** The function of `@sveltejs/kit` that redirects. It throws. */
export type Redirect = (status: 302 | 303, location: string, options: { external: true }) => never;

/** The functions of `@sveltejs/kit` that end a request. They throw. */
export interface SvelteKitParts {
  readonly redirect: Redirect;
  readonly error: (status: 401, body: { readonly message: string }) => never;
}

const visits = new WeakMap<Request, Request>();
const events = new WeakMap<Request, SvelteKitEvent>();
const sources = new WeakMap<object, AuthConfigSource>();

/** Makes a configuration that is chosen by the request from one that is chosen by the event: always the same one. */
export function sourceOf(config: SvelteKitAuthSource): AuthConfigSource {
  if (typeof config !== "function") return config;
  const source = sources.get(config) ?? ((request: Request | undefined) => config(eventOf(request)));
  sources.set(config, source);
  return source;
}

function eventOf(request: Request | undefined): SvelteKitEvent {
  const event = request && events.get(request);
  if (!event) throw new TypeError("Cannot choose a configuration: give `getSession` the event, not its request");
  return event;
}

/** Gives the visit of an event: for data, one to the page. */
export function visitOf(event: SvelteKitEvent): Request {
  const { request, url, isDataRequest } = event;
  const visit = visits.get(request) ?? (isDataRequest ? visitToPage(request, url) : request);
  visits.set(request, visit);
  events.set(visit, event);
  return visit;
}

// `reroute` chooses another page than that of the URL. Groups of routes are in no path.
function seenOf({ route: { id }, params, url }: SvelteKitEvent): Seen {
  if (id === null) return BY_URL;
  return { target: null, routes: routePaths(id.replace(/\/\([^/]*\)(?=\/|$)/g, ""), params, url.pathname) };
}

/** Makes the service for SvelteKit. @param load Loads the functions of SvelteKit, once they are needed. */
export function svelteKitAuthWith(
  host: Host,
  load: () => Promise<SvelteKitParts>,
  { building = false }: SvelteKitAuthOptions = {},
): Omit<SvelteKitAuthResult, "$infer"> {
  const { pass, keep } = createAround(host);
  const leave = async (event: SvelteKitEvent, move: RedirectWithCookies, redirect: unknown): Promise<never> => {
    const { to, cookies } = keep(visitOf(event), move);
    setCookies(event, cookies);
    // A caller that passes `redirect` gets a string.
    if (redirect === false) return to as never;
    return (await load()).redirect(302, to, { external: true });
  };
  const refused = new WeakMap<Request, StepUpRequired>();
  const refuse = async (event: SvelteKitEvent, error: StepUpRequired): Promise<never> => {
    const { status, headers } = error.response();
    const { redirect, error: fail } = await load();
    const to = headers.get("location") ?? (isEnhanced(event) ? error.url : null);
    if (to !== null) return redirect(status === 303 ? 303 : 302, to, { external: true });
    // SvelteKit writes an answer of its own, which `handle` replaces.
    refused.set(visitOf(event), error);
    return fail(401, { message: error.message });
  };
  return {
    async handle({ event, resolve }) {
      if (building) {
        const auth = () => {
          warnOfStaticPage(event.url.pathname, "remove `prerender` from the page");
          return Promise.resolve(null);
        };
        Object.assign(event.locals, { auth });
        return await resolve(event);
      }
      const visit = visitOf(event);
      return await pass(event.request, {
        visit,
        seen: seenOf(event),
        // The answer to the page carries the renewed cookie.
        renew: !event.isSubRequest,
        async next() {
          Object.assign(event.locals, { auth: async () => (await host.read(visit)).session });
          const response = await resolve(event);
          return response.status === 401 ? refused.get(visit)?.response() ?? response : response;
        },
      });
    },
    async require(event, options) {
      try {
        return await host.require(visitOf(event), options);
      } catch (error) {
        return isStepUp(error) ? await refuse(event, error) : Promise.reject(error);
      }
    },
    async signIn(
      event: SvelteKitEvent,
      provider?: string,
      options?: SignInOptions | SentForm,
      params?: AuthorizationParams,
    ) {
      const sent: Sent = options ? { provider, options } : await readForm(event, provider);
      const move = await host.signIn(visitOf(event), sent.provider, sent.options, params ?? sent.params);
      return await leave(event, move, (sent.options as SignInOptions).redirect);
    },
    async signOut(event: SvelteKitEvent, options?: SignOutOptions) {
      const { redirect, redirectTo } = options ?? (await readForm(event)).options;
      return await leave(event, await host.signOut(visitOf(event), { redirectTo }), redirect);
    },
    async update(event, patch) {
      const { session, cookies } = keep(visitOf(event), await host.update(visitOf(event), patch));
      setCookies(event, cookies);
      return session;
    },
    async check(event) {
      if (!building) await host.check(event && visitOf(event));
    },
  };
}

// The script of SvelteKit sends the form, and follows the redirect as the browser would.
function isEnhanced({ request: { headers } }: SvelteKitEvent): boolean {
  return headers.get("x-sveltekit-action") === "true";
}

/** What a sign-in starts with. */
interface Sent {
  readonly provider: string | undefined;
  readonly options: SignInOptions | SentForm;
  readonly params?: AuthorizationParams | undefined;
}

// The component `<SignIn />` sends parameters for the provider as fields that begin with this.
const PARAMETER = "authorizationParams-";

// A form action gets only the event. A caller that names a provider may have read the form already.
async function readForm({ request }: SvelteKitEvent, provider?: string): Promise<Sent & { options: SignInOptions }> {
  if (
    request.bodyUsed ||
    !/^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(request.headers.get("content-type") ?? "")
  ) {
    return { provider, options: {} };
  }
  const fields = [...await request.formData()].filter((field): field is [string, string] =>
    typeof field[1] === "string"
  );
  const params = fields.filter(([name]) => name.startsWith(PARAMETER));
  const { providerId, redirect: _, ...options } = Object.fromEntries(fields.filter((field) => !params.includes(field)));
  return {
    provider: provider ?? (providerId || undefined),
    options,
    params: params.map(([name, value]) => [name.slice(PARAMETER.length), value] as const),
  };
}

function setCookies({ cookies: jar }: SvelteKitEvent, cookies: readonly SetCookie[]): void {
  for (const { name, value, options } of cookies) jar.set(name, value, { ...options, path: options.path ?? "/" });
}
