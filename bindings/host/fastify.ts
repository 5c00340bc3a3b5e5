/**
 * Visits and cookies for Fastify, which writes the headers of a reply by itself.
 *
 * @module
 */
import type { SetCookie } from "../../src/http/cookie_text.ts";
import type { Session } from "../../src/kernel/model.ts";
import type { NodeRequest, NodeResponse } from "../../src/node.ts";
import type { SessionReading, Visit } from "./host.ts";
import { setCookies, setReading } from "./node.ts";

/** The members of a reply of Fastify with which headers are set. */
export interface ReplyHeaders {
  /** Reads a header that was set before. */
  getHeader(name: string): number | string | string[] | undefined;
  /** Lists the headers that were set. */
  getHeaders(): Readonly<Record<string, number | string | string[] | undefined>>;
  /** Sets a header; a second `set-cookie` stands beside the first. */
  header(name: string, value: string | string[]): unknown;
  /** Removes a header. */
  removeHeader(name: string): unknown;
}

/** The members of a request of Fastify that are used. */
export interface FastifyRequest {
  /** The request of `node:http`. */
  readonly raw: NodeRequest;
  /** The session; `null` if nobody is signed in. The plugin sets it. */
  session: Session | null;
}

/** The members of a reply of Fastify that are used. */
export interface FastifyReply extends ReplyHeaders {
  /** The response of `node:http`. */
  readonly raw: NodeResponse;
  /** Sets the status. */
  code(status: number): FastifyReply;
  /** Sets a header; a second `set-cookie` stands beside the first. */
  header(name: string, value: string | string[]): FastifyReply;
  /** Sends the reply. */
  send(payload?: unknown): unknown;
  /** Tells Fastify that the response is sent by other code. */
  hijack(): unknown;
}

/** The members of an application of Fastify that are used. */
export interface FastifyApplication {
  /** Whether requests have a member. */
  hasRequestDecorator(name: string): boolean;
  /** Gives requests a member. */
  decorateRequest(name: string, value: null): unknown;
  /** Adds a function that is called for each request. */
  addHook(name: "onRequest" | "onSend", hook: (request: FastifyRequest, reply: FastifyReply) => Promise<void>): unknown;
}

/** A request on its way through the application. */
export interface ReplyState {
  readonly visit: Visit;
  /** What reading the session gave. */
  readonly reading: Pick<SessionReading, "session" | "cookies">;
  /** Cookies of a sign-in, a sign-out or a change of the session. */
  readonly changed: SetCookie[];
}

/** Sets the cookies of a request when its reply is sent: only then has the application set its headers. */
export function finishReply(reply: ReplyHeaders, { reading, changed }: ReplyState): void {
  const headers = {
    getHeader: (name: string) => reply.getHeader(name),
    setHeader: (name: string, value: string | string[]) => {
      reply.removeHeader(name);
      reply.header(name, value);
    },
    removeHeader: (name: string) => reply.removeHeader(name),
    getHeaderNames: () => Object.keys(reply.getHeaders()),
    writeHead: () => {},
  };
  setReading(headers, reading);
  setCookies(headers, changed);
  // No later code can set other headers.
  headers.writeHead();
}
