/**
 * A value that is too long for one cookie, split into several.
 *
 * @module
 */
import { CHUNK_SIZE, MAX_CHUNKS } from "../kernel/cookie_limits.ts";

/**
 * Splits a value.
 *
 * @param name The name of the cookie.
 * @param value The value.
 * @returns Names and values: the name itself if one cookie is enough, otherwise `name.0`, `name.1` and so on.
 * @throws {RangeError} if it needs more than {@linkcode MAX_CHUNKS} cookies.
 */
export function splitChunks(name: string, value: string): readonly (readonly [name: string, value: string])[] {
  if (value.length <= CHUNK_SIZE) return [[name, value]];
  const count = Math.ceil(value.length / CHUNK_SIZE);
  if (count > MAX_CHUNKS) {
    throw new RangeError(
      `Cannot keep the session in cookies: it takes ${value.length} characters of at most ${MAX_CHUNKS * CHUNK_SIZE}`,
    );
  }
  return Array.from({ length: count }, (_, i) => [`${name}.${i}`, value.slice(i * CHUNK_SIZE, (i + 1) * CHUNK_SIZE)]);
}

/**
 * Joins a value: the cookie of this name, or the chunks from `name.0` up to the first gap.
 *
 * @param name The name of the cookie.
 * @param read Reads one cookie.
 * @returns The value, or `undefined` if there is none.
 */
export function joinChunks(name: string, read: (name: string) => string | undefined): string | undefined {
  const whole = read(name);
  if (whole) return whole;
  let joined = "";
  for (let i = 0; i < MAX_CHUNKS; i++) {
    const chunk = read(`${name}.${i}`);
    if (!chunk) break;
    joined += chunk;
  }
  return joined || undefined;
}

/** Returns the names of all cookies that can hold a value or a part of it. */
export function chunkNames(name: string): readonly string[] {
  return [name, ...Array.from({ length: MAX_CHUNKS }, (_, i) => `${name}.${i}`)];
}
