/**
 * Random values, as text that fits into cookies and URLs.
 *
 * @module
 */
import type { Runtime } from "../kernel/runtime.ts";
import { toBase64Url, toHex } from "./encoding.ts";

/** What random values are made from. */
export type RandomSource = Pick<Runtime, "random">;

// To make an array takes ten times as long as to fill it. What is in this one becomes text before anybody else runs.
const reused = new Uint8Array(32);

function arrayOf(bytes: number): Uint8Array<ArrayBuffer> {
  return bytes === reused.length ? reused : new Uint8Array(bytes);
}

/** Makes random bytes as base64url without padding: 43 characters of 32 bytes. */
export function randomText({ random }: RandomSource, bytes = 32): string {
  return toBase64Url(random(arrayOf(bytes)));
}

/** Makes random bytes as lower-case hex: 64 characters of 32 bytes. */
export function randomHex({ random }: RandomSource, bytes = 32): string {
  return toHex(random(arrayOf(bytes)));
}

/** Makes a random UUID of version 4 (RFC 9562, section 5.4). */
export function randomUuid({ random }: RandomSource): string {
  const bytes = random(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = toHex(bytes);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
