/**
 * Bodies of requests of `node:http`.
 *
 * @module
 */
import { GatheredBytes } from "./bytes.ts";
import type { NodeRequest } from "./node_incoming.ts";
import { type ParsedBody, READ_BEFORE, rebuildBody } from "./parsed_body.ts";

/**
 * Writes the body again that a middleware has read; `null` if it has not been read. Headers that describe the received
 * bytes are removed.
 *
 * @throws {TypeError} if what the middleware left cannot be written.
 */
export function parsedBodyOf({ readableEnded, body }: NodeRequest, headers: Headers): ParsedBody | null {
  if (!readableEnded || body === undefined) return null;
  const written = rebuildBody(body, headers.get("content-type"));
  if (written !== null) { for (const name of ["content-length", "content-encoding"]) headers.delete(name); }
  return written;
}

/** Buffered bytes of a body after which the request is paused. The last chunk may exceed it. */
const MAX_BUFFERED = 64 * 1024;

/** Makes a stream of the body. The request stands still while nobody reads. */
export function bodyOf(incoming: NodeRequest): ReadableStream<Uint8Array<ArrayBuffer>> {
  let stop = (): void => {};
  let isPulled = false;
  // A paused request would keep each chunk as a separate object, even a single byte.
  const buffered = new GatheredBytes();
  return new ReadableStream({
    start(controller) {
      if (incoming.readableEnded) {
        return controller.error(new TypeError(READ_BEFORE));
      }
      let open = true;
      const take = (chunk: Uint8Array<ArrayBuffer>): void => {
        if (!open) return;
        if (isPulled) controller.enqueue(chunk);
        else buffered.add(chunk);
        isPulled = false;
        if (buffered.length >= MAX_BUFFERED) incoming.pause();
      };
      const finish = (act: () => void) => (): void => {
        if (open) act();
        open = false;
      };
      stop = finish(() => incoming.off("data", take));
      // Pause first: a listener would make the body flow.
      incoming.pause();
      incoming.on("data", take);
      incoming.on(
        "end",
        finish(() => {
          if (buffered.length > 0) controller.enqueue(buffered.take());
          controller.close();
        }),
      );
      incoming.on("close", finish(() => controller.error(new TypeError("Cannot read body: the client went away"))));
    },
    pull(controller) {
      isPulled = buffered.length === 0;
      if (!isPulled) controller.enqueue(buffered.take());
      incoming.resume();
    },
    cancel() {
      stop();
      // Discard the rest: many clients read the response only after they have sent the whole body.
      incoming.resume();
    },
  }, { highWaterMark: 0 });
}
