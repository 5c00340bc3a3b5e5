/**
 * Reading a stream of bytes that may be too long or never end.
 *
 * @module
 */
import { nextTurn } from "../kernel/runtime.ts";

/** Pieces that any body may come in. */
const MOST_PIECES = 256;

/** Bytes for which a body may come in one piece more: each costs more than its bytes. */
const BYTES_OF_A_PIECE = 16;

/** Pieces that are read before others have their turn: many may be there already, and no timer runs between them. */
const PIECES_IN_A_TURN = 32;

/**
 * Reads a body. What comes is copied into one buffer, so that a body in pieces of one byte takes no more than another.
 *
 * @param body The stream, if there is one.
 * @param most The most bytes.
 * @param signal Stops the reading and cancels the stream; what was read by then is given.
 * @returns The bytes, or `null` if there are more, or they come in crumbs; the rest is cancelled.
 */
export async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!body) return new Uint8Array();
  const { next, cancel } = piecesOf(body);
  const stop = () => void cancel().catch(() => {}); // a sender that does not stop is not waited for
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  const kept = new GatheredBytes(most);
  let pieces = 0;
  for (let piece = await next(); piece.value; piece = await next()) {
    if (!kept.add(piece.value) || ++pieces > MOST_PIECES + kept.length / BYTES_OF_A_PIECE) {
      stop();
      return null;
    }
    if (pieces % PIECES_IN_A_TURN === 0) await nextTurn();
  }
  return kept.take();
}

interface Pieces {
  /** The next piece, good until the one after it is asked for; none at the end. */
  readonly next: () => Promise<{ readonly value?: Uint8Array | undefined }>;
  readonly cancel: () => Promise<void>;
}

/** Bytes of room for a piece. */
const ROOM = 4096;

/** Pieces after which a body counts as one of many. */
const FEW_PIECES = 4;

// Without room of ours Deno makes some for each piece, of 64 KiB however small the piece is. Most forms come in one.
function piecesOf(body: ReadableStream<Uint8Array>): Pieces {
  let reader = body.getReader();
  let ownRoom: ReadableStreamBYOBReader | null = null;
  let room = new Uint8Array();
  let pieces = 0;
  return {
    async next() {
      if (pieces++ === FEW_PIECES) {
        reader.releaseLock();
        ownRoom = ownRoomReader(body);
        if (ownRoom) room = new Uint8Array(ROOM);
        else reader = body.getReader();
      }
      if (!ownRoom) return await reader.read();
      const { done, value } = await ownRoom.read(room);
      if (done || !value) return {};
      room = new Uint8Array(value.buffer);
      return { value };
    },
    cancel: () => (ownRoom ?? reader).cancel(),
  };
}

function ownRoomReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return null; // not every stream can do that
  }
}

/** Bytes that are copied into one buffer, which grows with them. */
export class GatheredBytes {
  readonly #most: number;
  #room = new Uint8Array();
  #length = 0;

  constructor(most = Infinity) {
    this.#most = most;
  }

  /** How many there are. */
  get length(): number {
    return this.#length;
  }

  /** Adds some, unless that would be too many: then nothing is added, and the answer is `false`. */
  add(bytes: Uint8Array): boolean {
    const end = this.#length + bytes.length;
    if (end > this.#most) return false;
    if (end > this.#room.length) {
      const larger = new Uint8Array(Math.min(this.#most, Math.max(end, 2 * this.#room.length)));
      larger.set(this.#room);
      this.#room = larger;
    }
    this.#room.set(bytes, this.#length);
    this.#length = end;
    return true;
  }

  /** Gives them all away and is empty again. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.#room.subarray(0, this.#length);
    this.#room = new Uint8Array();
    this.#length = 0;
    return bytes;
  }
}
