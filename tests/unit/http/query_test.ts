import assert from "node:assert/strict";
import { test } from "node:test";
import { readQuery, withParams } from "../../../src/http/query.ts";

const QUERIES = ["", "a=1", "a=1&b=2&a=3", "b=&a=1&c=3&a=&a=2", "c=1&b=2&b=3&__proto__=1", "%20=+&a"];

test("withParams() comes to what set() and append() come to, for each pair of queries", () => {
  for (const own of QUERIES) {
    for (const wanted of QUERIES) {
      const expected = new URLSearchParams(own);
      const asked = new URLSearchParams(wanted);
      for (const name of new Set(asked.keys())) expected.set(name, asked.get(name) ?? "");
      const seen = new Set<string>();
      for (const [name, value] of asked) {
        if (seen.has(name)) expected.append(name, value);
        seen.add(name);
      }
      assert.equal(withParams(new URLSearchParams(own), asked).toString(), expected.toString(), `${own} ${wanted}`);
    }
  }
});

test("withParams() asks no list of parameters for each of its members", () => {
  let asked = 0;
  const count = function* (query: string) {
    for (const pair of new URLSearchParams(query)) {
      asked++;
      yield pair;
    }
  };
  const many = Array.from({ length: 1000 }, (_, at) => `p${at}`).join("&");
  assert.equal(withParams(count(many), count(many)).size, 1000);
  assert.equal(asked, 2000);
});

const WANTED = ["callbackUrl", "code", "__proto__"];
const SENT = [
  "",
  "?",
  "?code=1",
  "?a&code=1&b=2&callbackUrl=%2Fx&code=2",
  "?code",
  "?c%6fde=1&%63allbackUrl=2&code%3D=3&%ffcode=4&co%de=5&c+ode=6&CODE=7",
  "?=code&&&code==x&code=a%26b+c",
  "?__proto__=1&constructor=2",
  "?c%25odde=1&%2563ode=2",
];

for (const search of SENT) {
  test(`readQuery() reads of ${search} what URLSearchParams reads under the names that are wanted`, () => {
    const expected = [...new URLSearchParams(search)].filter(([name]) => WANTED.includes(name));
    assert.deepEqual([...readQuery({ search }, WANTED) ?? []], expected);
    assert.deepEqual([...readQuery({ search }, "all") ?? []], [...new URLSearchParams(search)]);
    assert.equal(readQuery({ search }, [])?.size, 0);
  });
}

test("readQuery() reads some of a query of any length, and all of one of 16,384 characters and not one more", () => {
  const search = (length: number) => `?code=1&${"a".repeat(length - 8)}`;
  assert.equal(readQuery({ search: search(16_384) }, "all")?.get("code"), "1");
  assert.equal(readQuery({ search: search(16_385) }, "all"), null);
  assert.equal(readQuery({ search: search(60_000) }, WANTED)?.get("code"), "1");
});
