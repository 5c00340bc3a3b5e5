import assert from "node:assert/strict";
import { test } from "node:test";
import { memberAt, quote, readError } from "../../../../src/providers/mail/failure.ts";

test("memberAt() reads members at a path, and nothing that is inherited", () => {
  const value = { errors: [{ message: "no", code: 0 }], empty: "" };
  const rows: [path: string, found: unknown][] = [
    ["errors.0.message", "no"],
    ["errors.0.code", 0],
    ["errors.1.message", undefined],
    ["errors.length", 1],
    ["empty", ""],
    ["empty.length", undefined],
    ["constructor.name", undefined],
    ["__proto__", undefined],
    ["errors.map", undefined],
    ["other.more", undefined],
  ];
  for (const [path, found] of rows) assert.equal(memberAt(value, path), found, path);
  for (const nothing of [undefined, null, "text", 7]) assert.equal(memberAt(nothing, "a.b"), undefined);
});

test("readError() takes the first path with a value, and a header before all", () => {
  const answer = (json: unknown, headers: HeadersInit = {}, text = "") => ({
    status: 400,
    headers: new Headers(headers),
    json,
    text,
  });
  const paths = { header: "x-error", code: ["a", "b"], words: ["c", "d"] };
  const rows: [given: ReturnType<typeof answer>, code: string, words: string][] = [
    [answer({ a: "", b: "two", d: "words" }), "two", "words"],
    [answer({ a: 0, c: ["list"], d: { e: 1 } }), "0", ""],
    [answer({ a: "one" }, { "x-error": "Named:https://schema.test/" }), "Named", ""],
    [answer(undefined, {}, "Forbidden"), "", "Forbidden"],
    [answer({}, {}, "{}"), "", ""],
  ];
  for (const [given, code, words] of rows) assert.deepEqual(readError(given, paths), { code, words });
});

test("quote() keeps the pages that a service points to, without their queries", () => {
  const hidden = { secrets: ["a-secret"], sender: "post@app.test" };
  const rows: [text: string, shown: string][] = [
    ["See https://post.test/help#verify?x=1", "See https://post.test/help"],
    ['{"url":"https://post.test/a?token=b","more":1}', '{"url":"https://post.test/a","more":1}'],
    ["<post@app.test> or <eve@b.test>", "<post@app.test> or <[address]>"],
    ["a-secret a-secret", "[hidden] [hidden]"],
  ];
  for (const [text, shown] of rows) assert.equal(quote(text, hidden), shown);
});

test("quote() takes a time that does not grow with the text", () => {
  const started = performance.now();
  for (const text of ["https:".repeat(20_000), "a%4".repeat(40_000), "@".repeat(120_000), "\n".repeat(120_000)]) {
    assert.ok(quote(text, { secrets: [], sender: "" }).length <= 241);
  }
  assert.ok(performance.now() - started < 2000);
});
