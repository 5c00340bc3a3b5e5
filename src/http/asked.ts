/**
 * A request before it is a `Request`, and an answer before it is a `Response`: for servers that have neither.
 *
 * @module
 */
import type { Field } from "./headers.ts";

/** What most of the service reads of a request. Every `Request` is one. */
export interface Asked {
  /** The method, in upper case. */
  readonly method: string;
  /** The absolute URL. It may not be normal: parse it before you compare it. */
  readonly url: string;
  /** The headers. */
  readonly headers: Pick<Headers, "get" | "has">;
}

/** A request that becomes a `Request` only if something needs one. */
export abstract class Incoming implements Asked {
  abstract readonly method: string;
  abstract readonly url: string;
  abstract readonly headers: Pick<Headers, "get" | "has">;
  /** The `Request`: the same one each time. */
  abstract readonly request: Request;
}

/** Gives the `Request` that was asked, always the same one. */
export function requestOf(asked: Request | Incoming): Request {
  return asked instanceof Incoming ? asked.request : asked;
}

/** An answer as text. It never leaves our own code. */
export interface Written {
  readonly status: number;
  /** The headers, with lower-case names, without `set-cookie`. */
  readonly headers: readonly Field[];
  /** The values of `set-cookie`. */
  readonly cookies: readonly string[];
  readonly body: string | null;
}

/** Answers without a `Response`, and at once if nothing has to be waited for. Never throws. */
export type DirectAnswer = (asked: Request | Incoming) => Written | Promise<Written>;

const direct = new WeakMap<object, DirectAnswer>();

/** Notes how a handler answers without a `Response`. Returns the handler. */
export function answersDirectly<H extends object>(handler: H, answer: DirectAnswer): H {
  direct.set(handler, answer);
  return handler;
}

/** Finds how a handler answers without a `Response`; `undefined` unless it is one of ours, as it is. */
export function directAnswerOf(handler: object): DirectAnswer | undefined {
  return direct.get(handler);
}

/** Reads the session of what is asked, without a `Request`. Never throws. */
export type DirectReader<S> = (asked: Request | Incoming) => Promise<S | null>;

const readers = new WeakMap<object, DirectReader<unknown>>();

/** Notes how a function `auth` reads a session without a `Request`. Returns the function. */
export function readsDirectly<F extends object>(auth: F, read: DirectReader<unknown>): F {
  readers.set(auth, read);
  return auth;
}

/** Finds how a function `auth` reads a session without a `Request`; `undefined` unless it is one of ours, as it is. */
export function directReaderOf(auth: object): DirectReader<unknown> | undefined {
  return readers.get(auth);
}
