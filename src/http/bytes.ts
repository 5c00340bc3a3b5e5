/**
 * Reading a stream of bytes that may be too long or never end.
 *
 * @module
 */

/**
 * Reads a body.
 *
 * @param body The stream, if there is one.
 * @param most The most bytes.
 * @param signal Stops the reading; what was read by then is given.
 * @returns The bytes, or `null` if there are more; the rest is cancelled.
 */
export async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!body) return new Uint8Array();
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => {}); // a sender that does not stop is not waited for
  signal?.addEventListener("abort", stop, { once: true });
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > most) {
      stop();
      return null;
    }
    parts.push(part.value);
  }
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
