import assert from "node:assert/strict";
import { test } from "node:test";
import { withParams } from "../../../src/http/query.ts";

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
