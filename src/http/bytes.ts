/**
 * Reading a stream of bytes that may be too long or may never end.
 *
 * @module
 */
import { isDeno, turnWhenDue } from "../kernel/runtime.ts";

/** Pieces that any body may have. */
const MOST_PIECES = 256;

/** A longer body may have one more piece for each of so many bytes: tiny pieces cost more than their bytes. */
const BYTES_OF_A_PIECE = 16;

/**
 * Reads a body into one buffer, so that pieces of one byte take no more memory than larger ones.
 *
 * @param body The stream, if there is one.
 * @param most The most bytes.
 * @param signal Stops reading and cancels the stream. What was read by then is returned.
 * @returns The bytes, or `null` if there are too many or their pieces are too small. Then the stream is cancelled.
 */
export async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | null> {
  return body ? await gather(piecesOf(body), most, signal) : new Uint8Array();
}

/**
 * Reads the body of a request that a server has received, as {@linkcode readBytes} does. What is not read of it ends with
 * the answer.
 */
export async function readReceivedBytes(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!body || !comesFromDeno(body)) return await readBytes(body, most, signal);
  return await gather({ ...piecesOf(body), cancel: () => Promise.resolve() }, most, signal);
}

// When such a stream is cancelled, Deno copies what has come of the rest once for each of its pieces. Nobody else gets a
// turn until then: 50 requests of 65,000 bytes in pieces of one take it 12 seconds.
function comesFromDeno(body: ReadableStream<Uint8Array>): boolean {
  if (!isDeno()) return false;
  const reader = byobReader(body);
  reader?.releaseLock();
  return reader !== null;
}

async function gather(
  { next, cancel }: Pieces,
  most: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const stop = () => void cancel().catch(() => {}); // without waiting for the sender
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  const kept = new GatheredBytes(most);
  let pieces = 0;
  while (!signal?.aborted) {
    const { value } = await next();
    if (!value) break;
    if (!kept.add(value) || ++pieces > MOST_PIECES + kept.length / BYTES_OF_A_PIECE) {
      stop();
      return null;
    }
    const turn = pieces > FEW_PIECES ? turnWhenDue() : null;
    if (turn) await turn;
  }
  return kept.take();
}

interface Pieces {
  /** Reads the next piece, which is valid until the next call. There is no `value` at the end. */
  readonly next: () => Promise<{ readonly value?: Uint8Array | undefined }>;
  readonly cancel: () => Promise<void>;
}

/** Bytes of our own buffer for a piece. */
const BUFFER_SIZE = 4096;

/** Pieces of most bodies. After them our own buffer is used, and others get their turn. */
const FEW_PIECES = 4;

// Without a buffer of ours Deno allocates 64 KiB for each piece, however small it is. Most forms come in one piece.
function piecesOf(body: ReadableStream<Uint8Array>): Pieces {
  let reader = body.getReader();
  let byob: ReadableStreamBYOBReader | null = null;
  let buffer = new Uint8Array();
  let pieces = 0;
  const intoBuffer = async (from: ReadableStreamBYOBReader): Promise<{ value?: Uint8Array }> => {
    const { done, value } = await from.read(buffer);
    if (done || !value) return {};
    buffer = new Uint8Array(value.buffer);
    return { value };
  };
  return {
    // Each await of our own would make a promise more for each piece.
    next() {
      if (pieces++ === FEW_PIECES) {
        reader.releaseLock();
        byob = byobReader(body);
        if (byob) buffer = new Uint8Array(BUFFER_SIZE);
        else reader = body.getReader();
      }
      return byob ? intoBuffer(byob) : reader.read();
    },
    cancel: () => (byob ?? reader).cancel(),
  };
}

function byobReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return null; // not a byte stream
  }
}

/** Collects bytes in one buffer, which grows with them. */
export class GatheredBytes {
  readonly #most: number;
  #buffer = new Uint8Array();
  #length = 0;

  constructor(most = Infinity) {
    this.#most = most;
  }

  /** How many bytes there are. */
  get length(): number {
    return this.#length;
  }

  /** Adds bytes. If that would be too many, adds none and returns `false`. */
  add(bytes: Uint8Array): boolean {
    const end = this.#length + bytes.length;
    if (end > this.#most) return false;
    if (end > this.#buffer.length) {
      const larger = new Uint8Array(Math.min(this.#most, Math.max(end, 2 * this.#buffer.length)));
      larger.set(this.#buffer);
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = end;
    return true;
  }

  /** Returns all bytes and starts again with none. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.#buffer.subarray(0, this.#length);
    this.#buffer = new Uint8Array();
    this.#length = 0;
    return bytes;
  }
}
