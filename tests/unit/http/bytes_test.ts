import assert from "node:assert/strict";
import { test } from "node:test";
import { readBytes, readReceivedBytes } from "../../../src/http/bytes.ts";

const decoder = new TextDecoder();

/** A body whose pieces are all views of one buffer, written anew for each: none may be kept until the next. */
function reused(pieces: number, length: number) {
  const seen = { made: 0, cancelled: false };
  const buffer = new Uint8Array(length);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (seen.made === pieces) return controller.close();
      controller.enqueue(buffer.fill(0x61 + seen.made++ % 26));
    },
    cancel: () => void (seen.cancelled = true),
  }, { highWaterMark: 0 });
  return { body, seen };
}

/** A body that is written into the buffer of its reader, as some runtimes do for sockets. */
function written(text: string, length: number) {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  const seen = { withoutRoom: 0 };
  const body = new ReadableStream({
    type: "bytes",
    pull(controller) {
      const { byobRequest } = controller;
      if (at >= bytes.length) {
        controller.close();
        return byobRequest?.respond(0);
      }
      const view = byobRequest?.view;
      if (!byobRequest || !view) {
        seen.withoutRoom++;
        controller.enqueue(bytes.slice(at, at + length));
        at += length;
        return;
      }
      const piece = bytes.subarray(at, Math.min(at + length, at + view.byteLength, bytes.length));
      new Uint8Array(view.buffer, view.byteOffset).set(piece);
      at += piece.length;
      byobRequest.respond(piece.length);
    },
  }, { highWaterMark: 0 });
  return { body, seen };
}

test("readBytes() copies each piece when it comes and keeps none", async () => {
  for (const length of [1, 3, 1000]) {
    const bytes = await readBytes(reused(60, length).body, 60 * length);
    const expected = Array.from({ length: 60 }, (_, at) => String.fromCharCode(0x61 + at % 26).repeat(length));
    assert.equal(decoder.decode(bytes ?? undefined), expected.join(""));
  }
});

test("readBytes() reads a stream of many pieces into a buffer of its own, where the stream allows that", async () => {
  const text = "Ada Lovelace ".repeat(5000);
  for (const length of [64, 1000, 100_000]) {
    const { body, seen } = written(text, length);
    assert.equal(decoder.decode(await readBytes(body, text.length) ?? undefined), text);
    assert.ok(seen.withoutRoom <= 4, `${seen.withoutRoom} pieces came without`);
  }
  assert.equal(await readBytes(written(text, 1000).body, text.length - 1), null);
  assert.deepEqual(await readBytes(written("", 1).body, 10), new Uint8Array());
});

test("readBytes() gives exactly the most there may be, and nothing of one byte more", async () => {
  for (const most of [1, 1000, 4096, 5000]) {
    assert.equal((await readBytes(reused(1, most).body, most))?.length, most);
    assert.equal((await readBytes(reused(2, most).body, 2 * most))?.length, 2 * most);
    assert.equal(await readBytes(reused(2, most).body, 2 * most - 1), null);
    assert.equal(await readBytes(reused(1, most + 1).body, most), null);
  }
});

const CRUMBS: readonly (readonly [pieces: number, length: number, read: boolean])[] = [
  [200, 1, true],
  [273, 1, true],
  [274, 1, false],
  [1024, 12, true],
  [1025, 12, false],
  [4096, 16, true],
  [65_536, 16, true],
  [65_000, 1, false],
];

for (const [pieces, length, read] of CRUMBS) {
  test(`readBytes() ${read ? "reads" : "refuses"} ${pieces} pieces of ${length} bytes`, async () => {
    const { body, seen } = reused(pieces, length);
    assert.equal((await readBytes(body, 1024 * 1024))?.length, read ? pieces * length : undefined);
    assert.equal(seen.cancelled, !read);
    assert.ok(seen.made <= 256 + pieces * length / 16 + 1);
  });
}

/** Takes the processor for some milliseconds. */
function work(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
}

/** A body whose every piece of one byte takes a tenth of a millisecond to make. */
function laborious(pieces: number) {
  let made = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      work(0.1);
      if (made++ === pieces) return controller.close();
      controller.enqueue(Uint8Array.of(0x61));
    },
  }, { highWaterMark: 0 });
}

for (const bodies of [1, 20]) {
  test(`readBytes() lets others have their turn by the clock while ${bodies} bodies come without a pause`, async () => {
    let turns = 0;
    const count = (): void => {
      turns++;
      timer = setTimeout(count);
    };
    let timer = setTimeout(count);
    await Promise.all(Array.from({ length: bodies }, () => readBytes(laborious(200), 1000)));
    clearTimeout(timer);
    assert.ok(turns >= 2 * bodies, `${turns} turns`);
  });
}

test("readReceivedBytes() leaves what is left of a body of Deno to Deno, and cancels all others", async () => {
  for (const [pieces, length] of [[1, 2000], [300, 1], [3, 900]] as const) {
    let cancelled = false;
    let made = 0;
    const pull = (controller: ReadableStreamDefaultController | ReadableByteStreamController) => {
      if (made++ === pieces) return controller.close();
      controller.enqueue(new Uint8Array(length));
    };
    const cancel = () => void (cancelled = true);
    assert.equal(await readReceivedBytes(new ReadableStream({ type: "bytes", pull, cancel }), 1000), null);
    assert.equal(cancelled, !("Deno" in globalThis));
    [cancelled, made] = [false, 0];
    assert.equal(await readReceivedBytes(new ReadableStream<Uint8Array>({ pull, cancel }), 1000), null);
    assert.equal(cancelled, true);
  }
  assert.deepEqual(await readReceivedBytes(null, 10), new Uint8Array());
  const text = "Ada Lovelace ".repeat(50);
  assert.equal(decoder.decode(await readReceivedBytes(written(text, 7).body, text.length) ?? undefined), text);
});

test("readReceivedBytes() reads nothing more after a signal", async () => {
  const abort = new AbortController();
  let made = 0;
  const body = new ReadableStream({
    type: "bytes",
    pull(controller) {
      if (++made === 3) abort.abort();
      controller.enqueue(Uint8Array.of(0x61));
    },
  }, { highWaterMark: 0 });
  assert.ok((await readReceivedBytes(body, 100, abort.signal))?.length);
  assert.equal(made, 3);
});

test("readBytes() stops at a signal, cancels the body, and gives what there is", async () => {
  const abort = new AbortController();
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Uint8Array.of(1, 2)),
    cancel: () => void (cancelled = true),
  });
  const reading = readBytes(body, 10, abort.signal);
  await new Promise((resolve) => setTimeout(resolve, 1));
  assert.equal(cancelled, false);
  abort.abort();
  assert.deepEqual(await reading, Uint8Array.of(1, 2));
  assert.ok(cancelled);
});

test("readBytes() reads nothing when the signal came first", async () => {
  const { body, seen } = reused(10, 1);
  assert.deepEqual(await readBytes(body, 10, AbortSignal.abort()), new Uint8Array());
  assert.deepEqual([seen.made, seen.cancelled], [0, true]);
});
