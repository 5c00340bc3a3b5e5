/**
 * Minimal types of requests and responses, so that Node servers need not build a `Request` and a `Response`.
 *
 * @module
 */
import type { Field } from "./headers.ts";

/** What most of the service reads of a request. Every `Request` is one. */
export type RequestLike = Pick<Request, "method" | "url" | "headers">;

/** The part of a connection of Node that is read. */
interface ConnectedSocket {
  readonly remoteAddress?: string | undefined;
}

/** A request that becomes a `Request` only if something needs one. */
export class LazyRequest implements RequestLike {
  readonly method: string;
  /** The absolute URL. It may not be normal: parse it before you compare it. */
  readonly url: string;
  readonly headers: Headers;
  /** The connection that it came by. */
  readonly socket: ConnectedSocket | undefined;
  readonly #make: () => Request;
  #made: Request | undefined = undefined;

  /** @param make Makes the `Request`. */
  constructor({ method, url, headers }: RequestLike, make: () => Request, socket?: ConnectedSocket) {
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.socket = socket;
    this.#make = make;
  }

  /** The `Request`: the same one each time. */
  get request(): Request {
    return this.#made ??= this.#make();
  }
}

/** Gives the `Request` of an incoming request: the same one each time. */
export function requestOf(incoming: Request | LazyRequest): Request {
  return incoming instanceof LazyRequest ? incoming.request : incoming;
}

/** A response as text. It never leaves our own code. */
export interface PlainResponse {
  readonly status: number;
  /** The headers, with lower-case names, without `set-cookie`. */
  readonly headers: readonly Field[];
  /** The values of `set-cookie`. */
  readonly cookies: readonly string[];
  readonly body: string | null;
}

/** What a function of ours does without Fetch objects. Never throws. */
export type Direct<Result> = (incoming: Request | LazyRequest) => Promise<Result>;

/** The member of a function that does the same without Fetch objects. */
const DIRECT = Symbol("direct");

/** Gives a function a member that does the same without Fetch objects. Returns the function. */
export function withDirect<F extends object>(of: F, direct: Direct<unknown>): F {
  return Object.defineProperty(of, DIRECT, { value: { of, direct } });
}

/**
 * Finds what does the same as a function without Fetch objects. `undefined` unless the function is one of ours: a proxy has
 * the member as well, and what the proxy does must not be left out.
 */
export function directOf<Result>(given: object): Direct<Result> | undefined {
  const member = (given as { readonly [DIRECT]?: { readonly of: object; readonly direct: Direct<Result> } })[DIRECT];
  return member?.of === given ? member.direct : undefined;
}
