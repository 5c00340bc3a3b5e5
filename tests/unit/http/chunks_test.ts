import assert from "node:assert/strict";
import { test } from "node:test";
import { chunkNames, joinChunks, splitChunks } from "../../../src/http/chunks.ts";
import { serializeCookie } from "../../../src/http/cookie_text.ts";
import { cookieSpecs } from "../../../src/http/cookie_specs.ts";
import { changed, jarWith, keep } from "../_builders.ts";

const SIZES: readonly (readonly [length: number, sizes: Readonly<Record<string, number>>])[] = [
  [1, { s: 1 }],
  [3935, { s: 3935 }],
  [3936, { s: 3936 }],
  [3937, { "s.0": 3936, "s.1": 1 }],
  [7872, { "s.0": 3936, "s.1": 3936 }],
  [7873, { "s.0": 3936, "s.1": 3936, "s.2": 1 }],
  [19_680, { "s.0": 3936, "s.1": 3936, "s.2": 3936, "s.3": 3936, "s.4": 3936 }],
];

for (const [length, sizes] of SIZES) {
  test(`splitChunks() cuts ${length} characters into ${Object.keys(sizes).join(", ")}`, () => {
    const parts = splitChunks("s", "x".repeat(length)).map(([name, value]) => [name, value.length]);
    assert.deepEqual(Object.fromEntries(parts), sizes);
  });
}

test("splitChunks() refuses a character more than five cookies hold, and tells both lengths", () => {
  assert.throws(() => splitChunks("s", "x".repeat(19_681)), { name: "RangeError", message: /19681.*19680/ });
});

test("a value of any size comes back from the cookies it was spread over", () => {
  const value = Array.from({ length: 19_680 }, (_, i) => String.fromCharCode(97 + (i * 7 + (i >> 8)) % 26)).join("");
  const around = [3936, 7872, 11_808, 15_744, 19_680].flatMap((edge) => [edge - 1, edge, edge + 1]);
  const steps = Array.from({ length: 241 }, (_, i) => 1 + i * 82);
  for (const length of [...steps, ...around].filter((length) => length <= 19_680)) {
    const cookies = new Map(splitChunks("s", value.slice(0, length)));
    assert.equal(joinChunks("s", (name) => cookies.get(name)), value.slice(0, length), `${length} characters`);
  }
});

test("a full chunk and its attributes fit into the 4096 bytes that browsers keep", () => {
  const { name, options } = cookieSpecs(true, {}).sessionToken;
  for (const [chunk, value] of splitChunks(name, "x".repeat(19_680))) {
    const text = serializeCookie({ name: chunk, value, options: { ...options, expires: new Date(0) } });
    assert.ok(text.length <= 4096, `${text.length} bytes`);
  }
});

const JOINED: readonly (readonly [name: string, header: string, value: string | undefined])[] = [
  ["the bare cookie", "S=a", "a"],
  ["contiguous chunks", "S.0=a; S.1=b", "ab"],
  ["chunks in any order", "S.2=c; S.0=a; S.1=b", "abc"],
  ["five chunks and no sixth", "S.0=a; S.1=b; S.2=c; S.3=d; S.4=e; S.5=f", "abcde"],
  ["the chunks before a gap", "S.0=a; S.2=c", "a"],
  ["nothing without the first chunk", "S.1=b; S.2=c", undefined],
  ["the bare cookie before its chunks", "S=a; S.0=b; S.1=c", "a"],
  ["chunks when the bare cookie is empty", "S=; S.0=b", "b"],
  ["nothing from an empty cookie", "S=", undefined],
  ["the chunks before an empty one", "S.0=a; S.1=; S.2=c", "a"],
  ["nothing from a neighbour", "S-x=junk; S.a=junk; S.-1=junk; S.1e3=junk; S.007=junk; S.00=junk; xS=junk", undefined],
  ["no neighbour's value", "S-x=junk; S=a; S.a=junk; S.-1=junk; S.0x1=junk", "a"],
  ["nothing from a bare cookie that arrives twice", "S=a; S=b", undefined],
  ["nothing from a first chunk that arrives twice", "S.0=a; S.0=a; S.1=b", undefined],
  ["nothing in another case", "s=a", undefined],
];

for (const [name, header, value] of JOINED) {
  test(`readChunked() reads ${name}`, () => {
    assert.equal(jarWith(header, { overrides: { sessionToken: { name: "S" } } }).readChunked("sessionToken"), value);
  });
}

test("readChunked() stays at five chunks of two hundred", () => {
  const header = Array.from({ length: 200 }, (_, i) => `S.${i}=${i}`).join("; ");
  assert.equal(jarWith(header, { overrides: { sessionToken: { name: "S" } } }).readChunked("sessionToken"), "01234");
});

test("chunkNames() names the bare cookie and five chunks", () => {
  assert.deepEqual(chunkNames("s"), ["s", "s.0", "s.1", "s.2", "s.3", "s.4"]);
});

const NAME = "authjs.session-token";
const SHRINK:
  readonly (readonly [before: number, after: number, set: readonly string[], removed: readonly string[]])[] = [
    [1, 1, [NAME], []],
    [1, 3937, [`${NAME}.0`, `${NAME}.1`], [NAME]],
    [3937, 1, [NAME], [`${NAME}.0`, `${NAME}.1`]],
    [7873, 3937, [`${NAME}.0`, `${NAME}.1`], [`${NAME}.2`]],
    [19_680, 3936, [NAME], [0, 1, 2, 3, 4].map((i) => `${NAME}.${i}`)],
  ];

for (const [before, after, set, removed] of SHRINK) {
  test(`writeChunked() leaves nothing of ${before} characters behind ${after}`, () => {
    const first = jarWith();
    first.writeChunked("sessionToken", "a".repeat(before));
    const kept = keep(first.close());
    const second = jarWith(kept);
    second.writeChunked("sessionToken", "b".repeat(after));
    assert.deepEqual(changed(second), { set, removed });
    assert.equal(jarWith(keep(second.close(), kept)).readChunked("sessionToken"), "b".repeat(after));
  });
}

test("writeChunked() changes nothing when the value does not fit", () => {
  const jar = jarWith({ [NAME]: "a" });
  assert.throws(() => jar.writeChunked("sessionToken", "b".repeat(19_681)), RangeError);
  assert.deepEqual(jar.close(), []);
});

test("clearChunked() removes the cookies the browser has and no others", () => {
  const jar = jarWith({ [`${NAME}.0`]: "a", [`${NAME}.1`]: "b", [`${NAME}.9`]: "c", [`${NAME}-x`]: "d" });
  jar.clearChunked("sessionToken");
  assert.deepEqual(changed(jar), { set: [], removed: [`${NAME}.0`, `${NAME}.1`] });
});
