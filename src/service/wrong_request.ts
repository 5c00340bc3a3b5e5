/**
 * Says what to do when the handler is given something other than a `Request`.
 *
 * @module
 */
import { InvalidConfig } from "../kernel/errors.ts";
import { securityHeaders } from "../http/headers.ts";
import type { AuthConfigSource } from "../contract/config.ts";
import { createLogger, type Log } from "../kernel/logger.ts";
import { isObject, kindOf } from "../kernel/objects.ts";
import { json } from "../request/outcome.ts";
import { type Answer, NO_CONFIG } from "./respond.ts";

/** The members of `http.ServerResponse` that are used. */
interface Outgoing {
  statusCode?: number;
  setHeader(name: string, value: string): unknown;
  end(text: string): unknown;
}

/** Configurations whose log has it: once is enough, because every request fails. */
const logged = new WeakSet<object>();

const BODY = { message: "There is a problem with the server configuration. The server's log tells more." };

/** Answers what is not a `Request`. Servers of Node wait for the answer in the second argument. */
export function answerWrongRequest(given: unknown, second: unknown, source: AuthConfigSource): Answer {
  const outgoing = isOutgoing(second) ? second : null;
  logOnce(source, wrongRequest(`\`handler\` was given ${whatIs(given, outgoing !== null)}`, FOR_HANDLER));
  if (outgoing) end(outgoing);
  return { outcome: json(BODY, 500), cookies: [], url: null, config: NO_CONFIG };
}

function end(outgoing: Outgoing): void {
  try {
    outgoing.statusCode = 500;
    for (const [name, value] of securityHeaders("json", false)) outgoing.setHeader(name, value);
    outgoing.end(JSON.stringify(BODY));
  } catch {
    // It was answered before. An error that nobody catches would end the process.
  }
}

/** Logs that `auth`, `signIn` or another function was not given a request, and makes the error. */
export function refuseWrongRequest(given: unknown, source: AuthConfigSource): InvalidConfig {
  const what = `\`auth()\`, \`signIn()\` or another function of the service was given ${whatIs(given)}`;
  return logOnce(source, wrongRequest(what, FOR_FUNCTIONS));
}

const FOR_HANDLER =
  "`context.req.raw` or `event.request`. For `node:http` and Express, pass `nodeListener(handler)` of " +
  "`@x/auth/node` in its place";
const FOR_FUNCTIONS =
  "`context.req.raw` or `event.request`. For `node:http` and Express, pass `webRequest(request)` of " +
  "`@x/auth/node`; for Next.js, use the binding `@x/auth/next`";

function wrongRequest(what: string, remedy: string): InvalidConfig {
  return new InvalidConfig(
    `Cannot answer: ${what}, and takes a \`Request\`. Pass the \`Request\` that the framework has, such as ${remedy}`,
    { logCode: "handler-not-web" },
  );
}

function logOnce(source: AuthConfigSource, error: InvalidConfig): InvalidConfig {
  if (logged.has(source)) return error;
  if (isObject(source) || typeof source === "function") logged.add(source);
  loggerOf(source).error(error);
  return error;
}

function whatIs(given: unknown, isNodes = false): string {
  if (isNodes || (isObject(given) && "rawHeaders" in given)) return "the request of `node:http` or Express";
  return isObject(given) ? "an object of a framework" : kindOf(given);
}

function loggerOf(source: AuthConfigSource): Log {
  try {
    return createLogger(typeof source === "function" ? {} : { logger: source.logger });
  } catch {
    return createLogger({}); // what is wrong with the logger is said with the first real request
  }
}

function isOutgoing(second: unknown): second is Outgoing {
  const { setHeader, end } = (second ?? {}) as Partial<Outgoing>;
  return typeof setHeader === "function" && typeof end === "function";
}
