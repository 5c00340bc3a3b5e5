/**
 * How large a value is when it is stored.
 *
 * @module
 */

/** Bytes of a value without its content, generously: a tag, a length, a number, a date. */
const FRAME = 12;

/** Estimates how many bytes a value takes at most, in the format of structured clones. */
export function bytesOf(value: unknown, seen: Set<unknown> = new Set()): number {
  // Text that has one such character takes two bytes for each.
  if (typeof value === "string") return FRAME + value.length * (/[\u0100-\uffff]/.test(value) ? 2 : 1);
  if (typeof value === "bigint") return FRAME + value.toString(16).length;
  if (ArrayBuffer.isView(value)) return FRAME + value.byteLength;
  // A structured clone refers to what it holds already.
  if (typeof value !== "object" || value === null || seen.has(value)) return FRAME;
  seen.add(value);
  const parts = value instanceof Map || value instanceof Set ? [...value].flat() : Object.entries(value).flat();
  return parts.reduce((sum: number, part) => sum + bytesOf(part, seen), FRAME);
}
