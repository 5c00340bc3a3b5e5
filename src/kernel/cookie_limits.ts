/**
 * How much a session may take up in cookies. In a file of its own, because what reads cookies is loaded before the
 * cryptography that opens them.
 *
 * @module
 */

/** Characters of a value in one cookie. Browsers keep 4096 bytes of name, value and attributes (RFC 6265, section 6.1). */
export const CHUNK_SIZE = 3936;

/** The most cookies of one value: a longer `Cookie` header would not pass common proxies. */
export const MAX_CHUNKS = 5;
