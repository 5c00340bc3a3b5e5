/**
 * The common part of the bindings for frameworks that pass a request and a response of `node:http` to middlewares.
 *
 * @module
 */
import type { FieldsById, IdIn, SessionPatch, SomeId } from "../../src/kernel/inferred.ts";
import type { Session } from "../../src/kernel/model.ts";
import { nodeListener, type NodeRequest, type NodeResponse } from "../../src/node.ts";
import type { RequireOptions } from "../../src/service/require.ts";
import {
  type AuthorizationParams,
  type Host,
  isStepUp,
  type RedirectWithCookies,
  type SentForm,
  type SignInOptions,
  type SignInOptionsOf,
  type SignOutOptions,
  type Visit,
  withReading,
} from "./host.ts";
import { httpError, type NodeHeaders, seenOf, setCookies, setReading, visitOf } from "./node.ts";
import type { Checkable } from "./types.ts";

/** The members of `http.ServerResponse` that are used. */
export interface NodeAnswer extends Omit<NodeResponse, keyof NodeHeaders>, NodeHeaders {}

/** Calls what stands next in the application. */
export type NodeNext = (error?: unknown) => void;

/** What acts for a request to the application. `Q` and `R` are what the framework passes to its handlers. */
export interface NodeActions<Q, R, S = Session, F = FieldsById> extends Checkable {
  /**
   * Starts a sign-in and redirects. With `redirect: false` it only sets the cookies and gives the URL.
   *
   * @throws {AuthError} if it fails, `MissingCSRF` if another site sent the request.
   */
  signIn<Id extends SomeId<F> = keyof F & string>(
    request: Q,
    response: R,
    provider?: IdIn<F, Id>,
    options?: SignInOptionsOf<F, Id> | SentForm,
    params?: AuthorizationParams,
  ): Promise<string>;
  /** Ends the session and redirects. With `redirect: false` it only sets the cookies and gives the URL. */
  signOut(request: Q, response: R, options?: SignOutOptions): Promise<string>;
  /** Changes the session. `callbacks.jwt` gets `patch` as `session`. */
  update(request: Q, response: R, patch: SessionPatch<S>): Promise<S | null>;
}

/** Makes actions for requests and responses of `node:http`. */
export function nodeActions(host: Host): NodeActions<NodeRequest, NodeAnswer> {
  return {
    async signIn(request, response, provider, options: SignInOptions | SentForm = {}, params) {
      const move = await host.signIn(visitOf(request), provider, options, params);
      return leave(response, move, (options as SignInOptions).redirect);
    },
    async signOut(request, response, options = {}) {
      return leave(response, await host.signOut(visitOf(request), options), options.redirect);
    },
    async update(request, response, patch) {
      const { session, cookies } = await host.update(visitOf(request), patch);
      setCookies(response, cookies);
      return session;
    },
    check: host.check,
  };
}

function leave(response: NodeAnswer, { to, cookies }: RedirectWithCookies, redirect: unknown): string {
  setCookies(response, cookies);
  if (redirect === false) return to;
  response.statusCode = 302;
  response.setHeader("location", to);
  response.end("");
  return to;
}

/**
 * Gives the session of a visit if its sign-in does. Otherwise it answers, and gives `null`.
 *
 * @throws {Error} with the status 503 while storage fails.
 */
export async function requireOrAnswer(
  host: Host,
  { visit, response }: { readonly visit: Visit; readonly response: NodeAnswer },
  options: RequireOptions | undefined,
): Promise<Session | null> {
  try {
    return await host.require(visit, options);
  } catch (error) {
    if (!isStepUp(error)) throw asHttpError(error);
    await send(response, error.response());
    return null;
  }
}

/** Makes an error that frameworks answer with 503 of one that says that something failed, which has been logged. */
export function asHttpError(error: unknown): unknown {
  const isPassing = (error as { readonly family?: unknown }).family === "fault";
  return isPassing ? httpError(503, "Service Unavailable", error) : error;
}

async function send(outgoing: NodeAnswer, response: Response): Promise<void> {
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.setHeader(name, value);
  outgoing.end(await response.text());
}

/** A middleware of Express, or of a framework that accepts them. */
export type NodeMiddleware = (request: NodeRequest, response: NodeAnswer, next: NodeNext) => void;

/**
 * Makes a middleware that answers what may not pass, sets the cookies of what may, and goes on. Errors go to `next`.
 *
 * @param options With `answers`, it answers the paths of the service, too. `keep` gets the session of what goes on.
 */
export function nodeMiddleware<Q extends NodeRequest, R extends NodeAnswer>(
  host: Host,
  options: { readonly answers: boolean; keep(request: Q, response: R, session: Session | null): void },
): (request: Q, response: R, next: NodeNext) => void {
  const pass = async (request: Q, response: R, next: NodeNext): Promise<boolean> => {
    const visit = visitOf(request);
    if (options.answers && await host.isOwn(visit)) {
      nodeListener(host.answer)(request, response, next);
      return false;
    }
    const { denied, ...reading } = await host.admit(visit, seenOf(request));
    if (denied) {
      nodeListener(() => Promise.resolve(withReading(denied, reading)))(request, response, next);
      return false;
    }
    setReading(response, reading);
    options.keep(request, response, reading.session);
    return true;
  };
  return (request, response, next) => {
    pass(request, response, next).then((passes) => passes && next(), next);
  };
}
