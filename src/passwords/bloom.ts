/**
 * A Bloom filter of passwords: a list that fits into 16 KiB, and says of two in a thousand others that they are in it.
 *
 * @module
 */
import { sha256 } from "../crypto/digest.ts";

/** Bits of the filter. */
export const BITS: number = 2 ** 17;

/** Which bits stand for a text: eight, one for each 32 bits of its SHA-256. */
export async function positionsOf(text: string): Promise<number[]> {
  const { buffer, byteOffset } = await sha256(text);
  const digest = new DataView(buffer, byteOffset);
  return Array.from({ length: 8 }, (_, at) => digest.getUint32(4 * at) % BITS);
}

/** Whether a text is in a filter, or happens to have all of its bits set. */
export async function isInFilter(filter: Uint8Array, text: string): Promise<boolean> {
  const positions = await positionsOf(text);
  return positions.every((at) => ((filter[at >> 3] ?? 0) >> (at & 7)) & 1);
}
