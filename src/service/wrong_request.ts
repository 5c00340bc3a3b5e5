/**
 * Says what to do when the handler is given something that is no `Request`.
 *
 * @module
 */
import { InvalidConfig } from "../kernel/errors.ts";
import { securityHeaders } from "../http/headers.ts";
import type { AuthConfigSource } from "../contract/config.ts";
import { createLogger, type Log } from "../kernel/logger.ts";
import { isObject } from "../kernel/objects.ts";
import { kindOf } from "../kernel/shown.ts";
import { json } from "../request/outcome.ts";
import { type Answer, NO_CONFIG } from "./respond.ts";

/** The members of `http.ServerResponse` that are used. */
interface Outgoing {
  statusCode?: number;
  setHeader(name: string, value: string): unknown;
  end(text: string): unknown;
}

/** Configurations whose log has it: once is enough, because every request fails. */
const told = new WeakSet<object>();

const BODY = { message: "There is a problem with the server configuration. The server's log tells more." };

/** Answers whatever was given. Servers of Node wait for the answer in the second argument. */
export function answerWrongRequest(given: unknown, second: unknown, source: AuthConfigSource): Answer {
  const outgoing = isOutgoing(second) ? second : null;
  if (!told.has(source)) {
    if (source) told.add(source);
    loggerOf(source).error(
      new InvalidConfig(`Cannot answer: ${remedy(given, outgoing !== null)}`, { logCode: "handler-not-web" }),
    );
  }
  if (outgoing) {
    outgoing.statusCode = 500;
    for (const [name, value] of securityHeaders("json", false)) outgoing.setHeader(name, value);
    outgoing.end(JSON.stringify(BODY));
  }
  return { outcome: json(BODY, 500), cookies: [], https: false, config: NO_CONFIG };
}

function loggerOf(source: AuthConfigSource): Log {
  try {
    return createLogger(typeof source === "function" ? {} : { logger: source.logger });
  } catch {
    return createLogger({}); // what is wrong with the logger is said with the first real request
  }
}

function remedy(given: unknown, isNodes: boolean): string {
  if (isNodes) {
    return "`handler` was given the request of `node:http` or Express, and takes a `Request`. Pass `nodeListener(handler)` " +
      "of `@x/auth/node` in its place";
  }
  const kind = isObject(given) ? "an object of a framework" : kindOf(given);
  return `\`handler\` was given ${kind}, and takes a \`Request\`. Pass the \`Request\` that the framework has, such as ` +
    "`context.req.raw` or `event.request`; for `node:http`, pass `nodeListener(handler)` of `@x/auth/node`";
}

function isOutgoing(second: unknown): second is Outgoing {
  const { setHeader, end } = (second ?? {}) as Partial<Outgoing>;
  return typeof setHeader === "function" && typeof end === "function";
}
