import assert from "node:assert/strict";
import { test } from "node:test";
import { type BodyResult, MAX_BODY, readFields } from "../../../src/http/body.ts";

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

function read(body: BodyInit | null, type: string | null, headers: Readonly<Record<string, string>> = {}) {
  const request = new Request("https://app.test/auth/signin", { method: "POST", body, headers });
  if (type === null) request.headers.delete("content-type");
  else request.headers.set("content-type", type);
  return readFields(request);
}

function fieldsOf(result: BodyResult): Record<string, unknown> {
  assert.equal(result.kind, "fields");
  return result.kind === "fields" ? { ...result.fields } : {};
}

function statusOf(result: BodyResult): number {
  return result.kind === "refused" ? result.status : 200;
}

const TYPES: readonly (readonly [type: string | null, status: 200 | 415])[] = [
  [FORM, 200],
  [`${FORM};charset=UTF-8`, 200],
  [`${FORM}; boundary=x`, 200],
  ["Application/X-WWW-Form-UrlEncoded", 200],
  [null, 415],
  ["", 415],
  ["text/plain", 415],
  ["Text/Plain;x", 415],
  ["text/plain; application/json", 415],
  ["text/plain, application/json", 415],
  ["application/json, text/plain", 415],
  ["multipart/form-data", 415],
  ["multipart/form-data; boundary=x", 415],
  ["application/jsonp", 415],
  ["application/json+x", 415],
  ["xapplication/json", 415],
  ["application/ld+json", 415],
  ["*/*", 415],
];

for (const [type, status] of TYPES) {
  test(`readFields() answers ${status} for the content type ${JSON.stringify(type)}`, async () => {
    assert.equal(statusOf(await read("a=1", type)), status);
  });
}

test("readFields() reads JSON with parameters after the type", async () => {
  assert.deepEqual(fieldsOf(await read('{"a":1}', `${JSON_TYPE};charset=x`)), { a: 1 });
});

const BODIES: readonly (readonly [type: string, body: string, fields: Readonly<Record<string, unknown>> | 400])[] = [
  [FORM, "a=1&b=2", { a: "1", b: "2" }],
  [FORM, "a=1&a=2", { a: "2" }],
  [FORM, "a", { a: "" }],
  [FORM, "a=b=c", { a: "b=c" }],
  [FORM, "a=1;b=2", { a: "1;b=2" }],
  [FORM, "a[]=1&a.b=2&a[b]=3", { "a[]": "1", "a.b": "2", "a[b]": "3" }],
  [FORM, "a=%20+%2B", { a: "  +" }],
  [FORM, "a=%&b=%zz", { a: "%", b: "%zz" }],
  [FORM, "a=%c0%af", { a: "\ufffd\ufffd" }],
  [FORM, "a=%00", { a: "\u0000" }],
  [FORM, "toString=1&hasOwnProperty=2&then=3", { toString: "1", hasOwnProperty: "2", then: "3" }],
  [FORM, "constructor.prototype.x=1&__proto__[polluted]=1", {
    "constructor.prototype.x": "1",
    "__proto__[polluted]": "1",
  }],
  [JSON_TYPE, "{}", {}],
  [JSON_TYPE, "null", {}],
  [JSON_TYPE, ' {"a":1} ', { a: 1 }],
  [JSON_TYPE, '{"a":null,"b":[1,"x"],"c":{"d":true}}', { a: null, b: [1, "x"], c: { d: true } }],
  [JSON_TYPE, '{"a":1,"a":2}', { a: 2 }],
  [JSON_TYPE, '{"toJSON":1,"then":1}', { toJSON: 1, then: 1 }],
  [JSON_TYPE, '{"csrfToken":{"$ne":null}}', { csrfToken: { $ne: null } }],
  [JSON_TYPE, '{"__proto__":{"polluted":1},"a":1}', { a: 1 }],
  [JSON_TYPE, '{"a":{"__proto__":{"polluted":1}}}', { a: {} }],
  [JSON_TYPE, '{"a":[{"__proto__":[]}]}', { a: [{}] }],
  [JSON_TYPE, '{"constructor":{"prototype":{"polluted":1}}}', { constructor: { prototype: { polluted: 1 } } }],
  [JSON_TYPE, '{"a":"\\ud800"}', { a: "\ud800" }],
  [JSON_TYPE, '{"a":1e999}', { a: Infinity }],
  [JSON_TYPE, '\ufeff{"a":1}', { a: 1 }],
  [JSON_TYPE, "[[]]", 400],
  [JSON_TYPE, '"x"', 400],
  [JSON_TYPE, "1", 400],
  [JSON_TYPE, "true", 400],
  [JSON_TYPE, "1e999", 400],
  [JSON_TYPE, "{", 400],
  [JSON_TYPE, "{'a':1}", 400],
  [JSON_TYPE, '{"a":1}x', 400],
  [JSON_TYPE, '{"a":1,}', 400],
  [JSON_TYPE, "\u0000", 400],
  [JSON_TYPE, "undefined", 400],
  [JSON_TYPE, "a=1", 400],
  [JSON_TYPE, `{"a":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}`, 400],
  [JSON_TYPE, `{"a":${"[".repeat(30_000)}${"]".repeat(30_000)}}`, 400],
];

for (const [type, body, fields] of BODIES) {
  test(`readFields() reads ${JSON.stringify(body.slice(0, 60))} as ${type === FORM ? "a form" : "JSON"}`, async () => {
    const result = await read(body, type);
    if (fields === 400) assert.equal(statusOf(result), 400);
    else assert.deepEqual(plain(fieldsOf(result)), fields);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });
}

/** The same value with ordinary prototypes, so that it can be compared. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

test("readFields() gives records without a prototype", async () => {
  for (const [body, type] of [["a=1", FORM], ['{"a":{"b":{}}}', JSON_TYPE], ["", FORM], ["null", JSON_TYPE]] as const) {
    const result = await read(body, type);
    assert.ok(result.kind === "fields" && Object.getPrototypeOf(result.fields) === null);
    if (result.kind === "fields" && body.startsWith("{")) {
      assert.equal(Object.getPrototypeOf(result.fields.a), null);
    }
  }
});

test("readFields() takes a form field named __proto__ as a field and nothing more", async () => {
  const result = await read("__proto__=1&__proto__[polluted]=1", FORM);
  assert.ok(result.kind === "fields");
  assert.equal(Object.getPrototypeOf(result.fields), null);
  assert.equal((result.fields as { polluted?: unknown }).polluted, undefined);
});

test("readFields() tells which fields were repeated, and gives the last value", async () => {
  const result = await read("csrfToken=a&b=1&csrfToken=&c=1&csrfToken=z&toString=1&__proto__=1&__proto__=2", FORM);
  assert.ok(result.kind === "fields");
  assert.deepEqual([...result.repeated], ["csrfToken", "__proto__"]);
  assert.equal(result.fields.csrfToken, "z");
});

const DEPTHS: readonly (readonly [depth: number, status: number])[] = [[1, 200], [7, 200], [8, 200], [9, 400], [
  100,
  400,
]];

for (const [depth, status] of DEPTHS) {
  test(`readFields() answers ${status} for JSON of ${depth} levels`, async () => {
    for (const [open, close] of [['{"a":', "}"], ['{"a":[', "]}"]] as const) {
      const levels = open.includes("[") ? 2 : 1;
      if (depth % levels !== 0) continue;
      const body = `${open.repeat(depth / levels)}1${close.repeat(depth / levels)}`;
      assert.equal(statusOf(await read(body, JSON_TYPE)), status);
    }
  });
}

/** JSON objects with so many members, in all its objects and lists. */
const OF_MEMBERS: Readonly<Record<string, (members: number) => string>> = {
  flat: (members) => JSON.stringify(Object.fromEntries(Array.from({ length: members }, (_, at) => [at, 1]))),
  "a list": (members) => JSON.stringify({ a: Array.from({ length: members - 1 }, () => 1) }),
  nested: (members) => JSON.stringify({ a: Array.from({ length: (members - 1) / 2 }, () => ({ b: 1 })) }),
};

for (const [shape, write] of Object.entries(OF_MEMBERS)) {
  test(`readFields() takes JSON of about a thousand members and not more, ${shape}`, async () => {
    assert.equal(statusOf(await read(write(shape === "nested" ? 665 : 1000), JSON_TYPE)), 200);
    for (const members of [1001, 5001]) assert.equal(statusOf(await read(write(members), JSON_TYPE)), 413);
  });
}

test("readFields() counts no members within texts", async () => {
  assert.equal(
    statusOf(await read(JSON.stringify({ a: '{[,"'.repeat(5000), ["},".repeat(5000)]: "\\" }), JSON_TYPE)),
    200,
  );
});

test("readFields() takes an empty body of any type for no fields", async () => {
  for (const type of [FORM, JSON_TYPE, "text/plain", null]) {
    for (const body of ["", null]) assert.deepEqual(fieldsOf(await read(body, type)), {});
  }
});

test("readFields() refuses an encoded body", async () => {
  for (const encoding of ["gzip", "deflate", "br", "identity", "x"]) {
    assert.equal(statusOf(await read("a=1", FORM, { "content-encoding": encoding })), 415);
  }
});

test("readFields() refuses bytes that are not UTF-8", async () => {
  const utf16 = Uint8Array.from([0xff, 0xfe, 0x7b, 0, 0x7d, 0]);
  for (const bytes of [utf16, Uint8Array.of(0xc0, 0xaf), Uint8Array.of(0x61, 0x3d, 0xed, 0xa0, 0x80)]) {
    for (const type of [FORM, JSON_TYPE]) assert.equal(statusOf(await read(bytes, type)), 400);
  }
});

interface Stream {
  readonly body: ReadableStream<Uint8Array>;
  /** Bytes that were taken from it. */
  taken(): number;
  cancelled(): boolean;
}

/** A body of this many bytes, in pieces, made only when they are asked for. */
function stream(bytes: number, piece = 1024, end = true): Stream {
  let taken = 0;
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (taken >= bytes) return end ? controller.close() : new Promise<void>(() => {});
      const length = Math.min(piece, bytes - taken);
      taken += length;
      controller.enqueue(new Uint8Array(length).fill(0x61));
    },
    cancel() {
      cancelled = true;
    },
  }, { highWaterMark: 0 });
  return { body, taken: () => taken, cancelled: () => cancelled };
}

/** A request as a server makes it: the length it claims and the body that comes. */
function incoming({ body }: Stream, claimed: string | null): Request {
  const headers = new Headers({ "content-type": FORM });
  if (claimed !== null) headers.set("content-length", claimed);
  return { headers, body } as unknown as Request;
}

const SIZES: readonly (readonly [claimed: string | null, bytes: number, status: number])[] = [
  [null, MAX_BODY, 200],
  [null, MAX_BODY + 1, 413],
  [null, 10 * 1024 * 1024, 413],
  [String(MAX_BODY), MAX_BODY, 200],
  [String(MAX_BODY + 1), MAX_BODY + 1, 413],
  ["10", 10 * 1024 * 1024, 413],
  ["0", 10 * 1024 * 1024, 413],
  ["-1", 10 * 1024 * 1024, 413],
  ["1e9", 10, 413],
  ["Infinity", 10, 413],
  ["10, 10", 10 * 1024 * 1024, 413],
  ["x", 10 * 1024 * 1024, 413],
  ["x", 10, 200],
  ["999999999999999999999", 10, 413],
];

for (const [claimed, bytes, status] of SIZES) {
  test(`readFields() answers ${status} for ${bytes} bytes that claim to be ${claimed ?? "nothing"}`, async () => {
    const sent = stream(bytes);
    assert.equal(statusOf(await readFields(incoming(sent, claimed))), status);
    assert.ok(sent.taken() <= MAX_BODY + 1024, `${sent.taken()} bytes were read`);
  });
}

test("readFields() takes 65536 bytes and not one more, whether their number is told or not", async () => {
  for (const told of [true, false]) {
    for (const [bytes, status] of [[65_536, 200], [65_537, 413]] as const) {
      assert.equal(statusOf(await readFields(incoming(stream(bytes), told ? String(bytes) : null))), status);
    }
  }
});

test("readFields() cancels a body that is too large and does not wait for its sender", async () => {
  const sent = stream(MAX_BODY + 1, 1024, false);
  assert.equal(statusOf(await readFields(incoming(sent, null))), 413);
  assert.ok(sent.cancelled());
});

test("readFields() survives a sender that fails when it is cancelled", async () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(MAX_BODY + 1)),
    cancel: () => Promise.reject(new Error("the connection is gone")),
  });
  assert.equal(statusOf(await readFields(incoming({ body, taken: () => 0, cancelled: () => true }, null))), 413);
});

test("readFields() takes 65,536 bytes and not one more", async () => {
  for (const type of [FORM, JSON_TYPE]) {
    for (const [length, status] of [[65_536, 200], [65_537, 413]] as const) {
      const body = type === FORM ? `a=${"x".repeat(length - 2)}` : `{"a":"${"x".repeat(length - 8)}"}`;
      assert.equal(statusOf(await read(body, type)), status);
    }
  }
});

test("readFields() reads one field of 64 KiB less its name, and a thousand fields, and not one more", async () => {
  assert.equal(fieldsOf(await read(`a=${"x".repeat(MAX_BODY - 2)}`, FORM)).a, "x".repeat(MAX_BODY - 2));
  const many = Array.from({ length: 1000 }, (_, i) => `f${i}=`).join("&");
  assert.equal(Object.keys(fieldsOf(await read(many, FORM))).length, 1000);
  for (const more of ["&x=", "&x", "&", "&f1="]) assert.equal(statusOf(await read(many + more, FORM)), 413);
});
