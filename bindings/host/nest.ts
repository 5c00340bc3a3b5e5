/**
 * The members of Nest that are used.
 *
 * @module
 */
import type { NodeRequest } from "../../src/node.ts";
import type { NodeAnswer } from "./node_actions.ts";

/** A request of Express, or one of Fastify, which has that of `node:http` as `raw`. */
export type NestRequest = NodeRequest | { readonly raw: NodeRequest };

/** The members of a response of `node:http` that are used. */
export type NestRawResponse = NodeAnswer;

/** A response of Express, or a reply of Fastify, which has that of `node:http` as `raw`. */
export type NestResponse = NestRawResponse | { readonly raw: NestRawResponse };

/** The members of an `ExecutionContext` of Nest that are used. */
export interface NestContext {
  /** What the handler answers, such as `"http"`. */
  getType(): string;
  /** Gives what belongs to HTTP. */
  switchToHttp(): { getRequest(): unknown };
}
