/**
 * Values that JavaScript takes and that do not mean what they look like.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import { isObject } from "../kernel/objects.ts";
import { isThenable, kindOf, shown } from "../kernel/shown.ts";
import type { Findings } from "./findings.ts";
import { EVENTS } from "./members.ts";

/** Ten years, in seconds. A number of milliseconds is larger from four days on. */
export const LONGEST = 10 * 366 * 24 * 60 * 60;

/** The longest deadline that is no mistake, in seconds. */
const LONGEST_TIMEOUT = 1000;

/** Finds values in a configuration, as it was written. */
export function findValueMistakes(config: AuthConfig, found: Findings): void {
  findDurations(config, found);
  findMarkers(config, found);
  for (const name of EVENTS) {
    const event: unknown = isObject(config.events) ? config.events[name as keyof AuthConfig["events"]] : undefined;
    if (event !== undefined && event !== null && typeof event !== "function") {
      found.problem(undefined, `\`events.${name}\`: it must be a function, not ${shown(event)}`);
    }
  }
  findInsecureCookies(config, found);
  const { basePath } = config;
  if (basePath === "" || basePath === "/") {
    found.warn(
      "base-path-root",
      `\`basePath\` is ${
        shown(basePath)
      }, so every path of this host belongs to the service: set it to a path of its ` +
        'own, such as "/auth"',
    );
  }
}

// Browsers drop such a cookie, and nobody could sign in.
function findInsecureCookies({ cookies, useSecureCookies }: AuthConfig, found: Findings): void {
  for (const [role, cookie] of Object.entries(isObject(cookies) ? cookies : {})) {
    const options: unknown = isObject(cookie) ? cookie.options : undefined;
    if (!isObject(options) || String(options.sameSite).toLowerCase() !== "none") continue;
    if (options.secure === true || (options.secure !== false && useSecureCookies !== false)) continue;
    const cause = options.secure === false ? "`secure: false`" : "`useSecureCookies: false`";
    found.problem(
      undefined,
      `\`cookies.${role}\`: browsers drop a cookie with \`sameSite: "none"\` that is not secure; remove ${cause}`,
    );
  }
}

function findDurations({ session, jwt, timeouts }: AuthConfig, found: Findings): void {
  const durations: readonly [option: string, value: unknown][] = [
    ["session.maxAge", session?.maxAge],
    ["session.updateAge", session?.updateAge],
    ["session.revalidate", session?.revalidate],
    ["jwt.maxAge", jwt?.maxAge],
  ];
  for (const [option, value] of durations) {
    const problem = tooLong(value);
    if (problem) found.problem("seconds-too-long", `\`${option}\`: ${problem}`);
  }
  for (const name of ["total", "request", "event", "authorize"] as const) {
    const value: unknown = timeouts?.[name];
    if (typeof value !== "number" || value < LONGEST_TIMEOUT) continue;
    found.warn(
      "seconds-too-long",
      `\`timeouts.${name}\` is ${value} seconds, which looks like milliseconds: set it to ${value / 1000}`,
    );
  }
}

/** Says why a number of seconds is too large; `null` if it is not. */
export function tooLong(value: unknown): string | null {
  if (typeof value !== "number" || !(value > LONGEST && value < Infinity)) return null;
  const years = Math.round(value / (365.25 * 24 * 60 * 60));
  return `it is ${value} seconds, which are ${years} years; if you meant milliseconds, write ${
    Math.round(value / 1000)
  }`;
}

// A marker that is `true` would switch nothing off, and nobody would know why.
function findMarkers(config: AuthConfig, found: Findings): void {
  for (const name of ["skipCSRFCheck", "raw"] as const) {
    const value: unknown = config[name];
    if (!value || typeof value === "symbol") continue;
    found.warn(
      "option-mended",
      `\`${name}\` is ${kindOf(value)}, so it is ignored: set it to the symbol \`${name}\` of @x/auth`,
    );
  }
}

/** Says why something is no adapter; `null` if it may be one. */
export function adapterProblem(adapter: unknown): string | null {
  if (adapter === undefined || adapter === null) return null;
  const remedy = 'pass what an adapter returns, such as `sqliteAdapter("auth.db")`';
  if (isThenable(adapter)) return "it is a promise: `await` it";
  if (Array.isArray(adapter)) return `it is a list: ${remedy}`;
  switch (typeof adapter) {
    case "object":
      return hasOperations(adapter) ? null : `it is an object without any operation of an adapter: ${remedy}`;
    case "function":
      return kindOf(adapter) === "a class"
        ? `it is a class: ${remedy}`
        : 'it is a function: call it, as in `adapter: sqliteAdapter("auth.db")`';
    default:
      // The text may be a connection string, with a password.
      return `it is ${kindOf(adapter)}: ${remedy}`;
  }
}

function hasOperations(adapter: object): boolean {
  const { getUser, createUser, getUserByAccount, createVerificationToken, getSessionAndUser, useVerificationToken } =
    adapter as Readonly<Record<string, unknown>>;
  return [getUser, createUser, getUserByAccount, createVerificationToken, getSessionAndUser, useVerificationToken]
    .some((operation) => typeof operation === "function");
}
