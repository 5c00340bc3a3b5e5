/**
 * A value that is too long for one cookie, cut into several.
 *
 * @module
 */

/** Characters of one chunk: the 4096 that browsers keep, less name and attributes. */
export const CHUNK_SIZE = 3936;

/** The most chunks: more would not fit through common proxies. */
export const MAX_CHUNKS = 5;

/**
 * Cuts a value.
 *
 * @param name The cookie's name.
 * @param value The value.
 * @returns Names and values: the bare name when one cookie is enough, else `name.0`, `name.1` and so on.
 * @throws {RangeError} if it needs more than five chunks.
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
 * Puts a value together again: the bare cookie, or contiguous chunks from `name.0`.
 *
 * @param name The cookie's name.
 * @param read Reads one cookie.
 * @returns The value, or `undefined` if there is none.
 */
export function joinChunks(name: string, read: (name: string) => string | undefined): string | undefined {
  const bare = read(name);
  if (bare) return bare;
  let joined = "";
  for (let i = 0; i < MAX_CHUNKS; i++) {
    const chunk = read(`${name}.${i}`);
    if (!chunk) break;
    joined += chunk;
  }
  return joined || undefined;
}

/** Names every cookie that can hold a part of a value. */
export function chunkNames(name: string): readonly string[] {
  return [name, ...Array.from({ length: MAX_CHUNKS }, (_, i) => `${name}.${i}`)];
}
