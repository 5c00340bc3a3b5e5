/**
 * What is said of a token or a session that JSON cannot hold. It is loaded when one is met, and at sign-ins for which the
 * application changes the token.
 *
 * @module
 */
import { CallbackRouteError } from "../kernel/errors.ts";
import { isPlainObject, kindOf } from "../kernel/objects.ts";

/** Makes the error for a value that cannot be written as JSON. @param name The callback that returned it. */
export function notJson(name: "jwt" | "session", value: object, cause: unknown): CallbackRouteError {
  const member = Object.keys(value).find((key) => !isJson(value, key));
  const what = `\`callbacks.${name}\` returned a ${name === "jwt" ? "token" : "session"} that JSON cannot hold`;
  const where = member === undefined ? "" : `, because of \`${member.slice(0, 64)}\``;
  const remedy = "write a BigInt as text, and leave out what refers back to itself";
  return new CallbackRouteError(`${what}${where}: ${remedy}`, { cause, logCode: "callback-result" });
}

function isJson(owner: object, name: string): boolean {
  try {
    JSON.stringify((owner as Readonly<Record<string, unknown>>)[name]);
    return true;
  } catch {
    return false;
  }
}

/** How deep a token is looked at. */
const DEPTH = 5;

/** Names the members of a token that JSON drops, or turns into an empty object: functions, symbols, maps and sets. */
export function lostMembers(claims: object, path = "", depth = 0): readonly string[] {
  return Object.entries(claims).flatMap(([name, value]: [string, unknown]) => {
    const at = `${path}${name}`.slice(0, 64);
    const lost = lostKind(value);
    if (lost !== null) return [`\`${at}\` is ${lost}`];
    return isPlainObject(value) && depth < DEPTH ? lostMembers(value, `${at}.`, depth + 1) : [];
  });
}

function lostKind(value: unknown): string | null {
  if (value instanceof Map) return "a Map";
  if (value instanceof Set) return "a Set";
  return typeof value === "function" || typeof value === "symbol" ? kindOf(value) : null;
}
