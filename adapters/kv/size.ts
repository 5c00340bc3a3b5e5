/**
 * The size of stored values.
 *
 * @module
 */

/** An upper bound of the bytes of a value without its content: a tag, a length, a number, a date. */
const FRAME = 12;

/** Estimates how many bytes a value takes at most, in the format of structured clones. */
export function bytesOf(value: unknown, seen: Set<unknown> = new Set()): number {
  // V8 writes a string with two bytes per character if one character needs them.
  if (typeof value === "string") return FRAME + value.length * (/[\u0100-\uffff]/.test(value) ? 2 : 1);
  if (typeof value === "bigint") return FRAME + value.toString(16).length;
  if (ArrayBuffer.isView(value)) return FRAME + value.byteLength;
  // A structured clone refers to what it holds already.
  if (typeof value !== "object" || value === null || seen.has(value)) return FRAME;
  seen.add(value);
  const parts = value instanceof Map || value instanceof Set ? [...value].flat() : Object.entries(value).flat();
  return parts.reduce((sum: number, part) => sum + bytesOf(part, seen), FRAME);
}
