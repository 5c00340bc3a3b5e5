/**
 * Random values, as text that fits into cookies and URLs.
 *
 * @module
 */
import type { Runtime } from "../kernel/runtime.ts";
import { formatUuid, toBase64Url, toHex } from "./encoding.ts";

/** The source of random bytes. */
export type RandomSource = Pick<Runtime, "random">;

/** Returns random bytes as base64url without padding: 43 characters for 32 bytes. */
export function randomText({ random }: RandomSource, bytes = 32): string {
  return toBase64Url(random(new Uint8Array(bytes)));
}

/** Returns random bytes as lower-case hex: 64 characters for 32 bytes. */
export function randomHex({ random }: RandomSource, bytes = 32): string {
  return toHex(random(new Uint8Array(bytes)));
}

/** Returns a random UUID of version 4 (RFC 9562, section 5.4). */
export function randomUuid({ random }: RandomSource): string {
  return formatUuid(random(new Uint8Array(16)), 4);
}
