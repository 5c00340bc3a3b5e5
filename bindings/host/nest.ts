/**
 * The members of Nest that are used.
 *
 * @module
 */
import type { NodeRequest, NodeResponse } from "../../src/node.ts";
import type { NodeHeaders } from "./node.ts";

/** A request of Express, or one of Fastify, which has that of `node:http` as `raw`. */
export type NestRequest = NodeRequest | { readonly raw: NodeRequest };

/** The members of a response of `node:http` that are used. */
export interface NestRawResponse extends Omit<NodeResponse, "setHeader" | "getHeader">, NodeHeaders {}

/** A response of Express, or a reply of Fastify, which has that of `node:http` as `raw`. */
export type NestResponse = NestRawResponse | { readonly raw: NestRawResponse };

/** The members of an `ExecutionContext` of Nest that are used. */
export interface NestContext {
  /** What the handler answers, such as `"http"`. */
  getType(): string;
  /** Gives what belongs to HTTP. */
  // deno-lint-ignore no-explicit-any -- so does Nest
  switchToHttp(): { getRequest(): any };
}
