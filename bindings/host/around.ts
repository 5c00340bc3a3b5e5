/**
 * The common part of the bindings for frameworks whose middlewares get a request and return a response.
 *
 * @module
 */
import type { SetCookie } from "../../src/http/cookie_text.ts";
import type { FieldsById, IdIn, SessionPatch, SomeId } from "../../src/kernel/inferred.ts";
import type { Session } from "../../src/kernel/model.ts";
import type { RequireOptions } from "../../src/service/require.ts";
import {
  type AuthorizationParams,
  type Host,
  orStepUp,
  redirectWith,
  type Seen,
  type SentForm,
  type SessionReading,
  type SignInOptionsOf,
  type SignOutOptions,
  withReading,
} from "./host.ts";
import type { Checkable } from "./types.ts";

/**
 * What acts for a request to the application.
 *
 * `C` is what the framework passes to its handlers. `R` is what an action that redirects returns: a `Response` to return
 * from the handler or, where the framework has its own response object, the URL or nothing.
 */
export interface Actions<C, S = Session, F = FieldsById, R = Response> extends Checkable {
  /**
   * Gives the session if its sign-in does: that there is one, of which level, how long ago, and how. Otherwise it throws what
   * ends the request with an answer: a redirect for a page, 401 for anything else.
   *
   * @throws {StepUpRequired} if the session does not do, or what the framework makes an answer of.
   * @throws {AuthError} if it cannot be determined who is signed in: `SessionTokenError` while storage fails.
   */
  require(context: C, options?: RequireOptions): Promise<S>;
  /**
   * Starts a sign-in and redirects.
   *
   * @throws {AuthError} if it fails, `MissingCSRF` if another site sent the request.
   */
  signIn<Id extends SomeId<F> = keyof F & string>(
    context: C,
    provider?: IdIn<F, Id>,
    options?: SignInOptionsOf<F, Id> | SentForm,
    params?: AuthorizationParams,
  ): Promise<R>;
  /**
   * Ends the session and redirects.
   *
   * @throws {AuthError} if it fails, `MissingCSRF` if another site sent the request.
   */
  signOut(context: C, options?: SignOutOptions): Promise<R>;
  /**
   * Changes the session, and sees to its cookies. `callbacks.jwt` gets `patch` as `session`.
   *
   * @throws {AuthError} if it fails, `MissingCSRF` if another site sent the request.
   */
  update(context: C, patch: SessionPatch<S>): Promise<S | null>;
}

/** A request on its way through the middleware. */
export interface Passage {
  /** What the service knows the request by. @default the request */
  readonly visit?: Request;
  /** How the server and the framework read the path. */
  readonly seen: Seen;
  /** Whether a session that is due is renewed. @default `true` */
  readonly renew?: boolean;
  /** What comes next. It runs for requests that may pass. */
  next(reading: SessionReading): Response | Promise<Response>;
}

/** The service around the handlers of an application. */
export interface Around {
  /** The service. */
  readonly host: Host;
  /** Answers for the service, guards, and adds to what comes next the cookies of the session. */
  pass(request: Request, passage: Passage): Promise<Response>;
  /** Remembers what an action changed, for the answer that the framework makes. Gives what it got. */
  keep<T extends { readonly cookies: readonly SetCookie[] }>(visit: Request, changed: T): T;
  /** Acts for the visits of contexts. */
  readonly actions: Actions<Request>;
}

/** Puts a service around the handlers of an application. */
export function createAround(host: Host): Around {
  // Cookies of actions whose answer the framework makes.
  const changed = new WeakMap<Request, readonly SetCookie[]>();
  const keep = <T extends { readonly cookies: readonly SetCookie[] }>(visit: Request, result: T): T => {
    if (result.cookies.length > 0) changed.set(visit, result.cookies);
    return result;
  };
  return {
    host,
    keep,
    async pass(request, { visit = request, seen, renew = true, next }) {
      if (await host.isOwn(visit)) return await host.answer(visit === request ? request : ownOf(visit, request));
      const { denied, ...reading } = await host.admit(visit, seen, { renew });
      if (denied) return withReading(denied, reading);
      const response = await orStepUp(() => next(reading));
      // After the handler: cookies that it has set win, so a user who has signed out stays signed out.
      return withReading(withReading(response, { session: null, cookies: changed.get(visit) ?? [] }), reading);
    },
    actions: {
      require: host.require,
      signIn: async (visit, ...rest) => redirectWith(keep(visit, await host.signIn(visit, ...rest))),
      signOut: async (visit, options) => redirectWith(keep(visit, await host.signOut(visit, options))),
      update: async (visit, patch) => keep(visit, await host.update(visit, patch)).session,
      check: host.check,
    },
  };
}

// A visit has no body.
function ownOf(visit: Request, request: Request): Request {
  return visit.url === request.url ? request : new Request(visit.url, request);
}

/** Makes actions for what a framework hands to its handlers. @param visitOf Finds the visit of it. */
export function actionsFor<C>(actions: Actions<Request>, visitOf: (context: C) => Request): Actions<C> {
  return {
    require: (context, options) => actions.require(visitOf(context), options),
    signIn: (context, ...rest) => actions.signIn(visitOf(context), ...rest),
    signOut: (context, options) => actions.signOut(visitOf(context), options),
    update: (context, patch) => actions.update(visitOf(context), patch),
    check: actions.check,
  };
}

/**
 * Makes the visit to a page whose data the router of a framework requests. The guard answers it like a navigation: the
 * router follows redirects, and shows an error page for any other response.
 *
 * @param request The request for data.
 * @param url The URL of the page.
 */
export function visitToPage({ method, headers: given }: Request, url: URL | string): Request {
  const headers = new Headers([...given]);
  headers.delete("sec-fetch-mode");
  return new Request(url, { method, headers });
}

/** Copies a response with another header. */
export function withHeader(response: Response, name: string, value: string): Response {
  const headers = new Headers([...response.headers]);
  headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
