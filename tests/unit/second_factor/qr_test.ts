import { test } from "node:test";
import assert from "node:assert/strict";
import decoder from "jsqr";
import { type QrCode, qrOf } from "../../../src/second_factor/qr.ts";

/** What another program reads of a code. */
function read(code: QrCode, { scale = 4, quiet = 4 } = {}): string | null {
  const { size } = code;
  const width = (size + 2 * quiet) * scale;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const { x, y } of modulesOf(code)) {
    for (let row = 0; row < scale; row++) {
      const start = ((y + quiet) * scale + row) * width + (x + quiet) * scale;
      for (let at = start; at < start + scale; at++) pixels.fill(0, 4 * at, 4 * at + 3);
    }
  }
  return decode(pixels, width, width)?.data ?? null;
}

/** The dark modules: the path is read as SVG defines it, for the few commands that it has. */
function modulesOf({ path }: QrCode): readonly { readonly x: number; readonly y: number }[] {
  const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)];
  assert.equal(runs.map(([run]) => run).join(""), path);
  return runs.flatMap(([, x, y, length, back]) => {
    assert.equal(length, back);
    return Array.from({ length: Number(length) }, (_, index) => ({ x: Number(x) + index, y: Number(y) }));
  });
}

// A package of CommonJS, whose types say that it is a module.
const decode = decoder as unknown as typeof decoder.default;

const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

/** The address of a key, with a name of so many characters. */
function uriOf(length: number): string {
  const account = encodeURIComponent(`${"a".repeat(length)}@example.com`);
  return `otpauth://totp/Acme:${account}?secret=${SECRET}&issuer=Acme&algorithm=SHA1&digits=6&period=30`;
}

for (const text of ["A", "12345", "HELLO WORLD", "Grüße, 世界 🔑", uriOf(1), uriOf(40), uriOf(254), "x".repeat(1000)]) {
  test(`a picture of ${text.length} characters is read by another program: ${text.slice(0, 30)}`, async () => {
    assert.equal(read(await qrOf(text)), text);
  });
}

for (let length = 1; length <= 120; length += 17) {
  test(`a key with an address of ${length + 12} characters is read by another program`, async () => {
    assert.equal(read(await qrOf(uriOf(length))), uriOf(length));
  });
}

test("a picture is read with a twentieth of it covered", async () => {
  const code = await qrOf(uriOf(20));
  const middle = Math.floor(code.size / 2);
  // A square in the middle: a twentieth of the area, away from the marks in the corners.
  const side = Math.floor(code.size * 0.22);
  const isSpared = ({ x, y }: { readonly x: number; readonly y: number }) =>
    Math.abs(x - middle) > side / 2 || Math.abs(y - middle) > side / 2;
  const path = modulesOf(code).filter(isSpared).map(({ x, y }) => `M${x} ${y}h1v1h-1z`).join("");
  assert.equal(read({ ...code, path }), uriOf(20));
});

test("a text that is too long has no picture", async () => {
  await assert.rejects(() => qrOf("x".repeat(2332)), RangeError);
});
