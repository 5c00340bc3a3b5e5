/** Reads the pictures that Chromium takes. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { inflateSync } from "node:zlib";

/** A picture: four bytes a pixel, red, green, blue and how opaque. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8ClampedArray;
}

/**
 * Reads a PNG with eight bits a channel that is not interlaced.
 *
 * @see {@link https://www.w3.org/TR/png-3/#9Filters | PNG, section 9}
 */
export function readPng(file: Uint8Array): Picture {
  const data = Buffer.from(file);
  const [width, height] = [data.readUInt32BE(16), data.readUInt32BE(20)];
  const channels = new Map([[2, 3], [6, 4]]).get(data[25] ?? 0) ?? assert.fail("neither RGB nor RGBA");
  assert.deepEqual([data[24], data[28]], [8, 0]);
  const bytes = inflateSync(Buffer.concat(chunksOf(data)));
  const rowLength = width * channels;
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  let above = new Uint8Array(rowLength);
  for (let y = 0; y < height; y++) {
    const start = y * (rowLength + 1);
    const row = unfiltered(bytes.subarray(start + 1, start + 1 + rowLength), {
      filter: bytes[start] ?? 0,
      above,
      channels,
    });
    for (let x = 0; x < width; x++) pixels.set(row.subarray(x * channels, (x + 1) * channels), (y * width + x) * 4);
    above = row;
  }
  return { width, height, pixels };
}

/** The compressed data, in pieces. */
function chunksOf(data: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 8; at < data.length;) {
    const length = data.readUInt32BE(at);
    if (data.toString("latin1", at + 4, at + 8) === "IDAT") found.push(data.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return found;
}

interface Row {
  readonly filter: number;
  readonly above: Uint8Array;
  readonly channels: number;
}

function unfiltered(bytes: Uint8Array, { filter, above, channels }: Row): Uint8Array<ArrayBuffer> {
  const row = new Uint8Array(bytes.length);
  for (const [at, byte] of bytes.entries()) {
    const [left, up, corner] = [row[at - channels] ?? 0, above[at] ?? 0, above[at - channels] ?? 0];
    const guesses = [0, left, up, (left + up) >> 1, nearest(left, up, corner)];
    row[at] = byte + (guesses[filter] ?? assert.fail("unknown filter"));
  }
  return row;
}

function nearest(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((each) => Math.abs(guess - each)) as [number, number, number];
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
}
