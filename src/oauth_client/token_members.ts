/**
 * The members of a token response, as servers write them.
 *
 * @module
 */
import type { JsonObject } from "./json.ts";

/** Leaves out members that are `null`, and an `expires_in` that is not a number of seconds. */
export function tidy({ expires_in, ...others }: JsonObject): JsonObject {
  const seconds = typeof expires_in === "string" && expires_in.trim() ? Number(expires_in) : expires_in;
  const usable = typeof seconds === "number" && seconds >= 0 && seconds <= Number.MAX_SAFE_INTEGER;
  return { ...withoutNulls(others), ...(usable && { expires_in: seconds }) };
}

/** Leaves out members that are `null`. */
export function withoutNulls(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}
