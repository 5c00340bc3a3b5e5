/**
 * Answers of providers that were read to their end, for our own code: a `Response` of one takes longer to make than to
 * read.
 *
 * @module
 */
import type { Awaitable } from "../kernel/model.ts";
import type { FetchLike } from "./provider_handlers.ts";

/** The members that a `Response` has, too. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Reads its JSON. @throws {SyntaxError} if it is none. */
  json(): Awaitable<unknown>;
  /** Reads its body. */
  arrayBuffer(): Awaitable<ArrayBuffer | Uint8Array<ArrayBuffer>>;
}

/** Sends a request as `fetch` does. */
export type Ask = (...request: Parameters<FetchLike>) => Promise<WholeAnswer>;

const asks = new WeakMap<FetchLike, Ask>();

/** Makes a `fetch` known that gives the same answers without a `Response`. */
export function withAsk(fetch: FetchLike, ask: Ask): FetchLike {
  asks.set(fetch, ask);
  return fetch;
}

/** Sends a request with a `fetch`, and without a `Response` where that is known. The answer must be read once only. */
export async function askWith(fetch: FetchLike, ...request: Parameters<FetchLike>): Promise<WholeAnswer> {
  return await (asks.get(fetch) ?? fetch)(...request);
}
