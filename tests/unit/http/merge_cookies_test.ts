import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeSetCookie } from "../../../src/http/merge_cookies.ts";

const CASES = [
  ["nothing and nothing", [], [], []],
  ["other names", ["a=1"], ["b=2"], ["a=1", "b=2"]],
  ["one name, of which the last list counts", ["a=1; Path=/"], ["a=2; Path=/"], ["a=2; Path=/"]],
  ["one name that the last list sets for two paths", ["a=0"], ["a=1; Path=/x", "a=2; Path=/y"], [
    "a=1; Path=/x",
    "a=2; Path=/y",
  ]],
  ["one name that the first list sets for two paths", ["a=1; Path=/x", "a=2; Path=/y"], ["b=1"], [
    "a=1; Path=/x",
    "a=2; Path=/y",
    "b=1",
  ]],
  ["parts and the whole", ["s.0=1", "s.1=2"], ["s=; Max-Age=0"], ["s=; Max-Age=0"]],
  ["the whole and parts", ["s=1", "t=2"], ["s.0=1", "s.1=2"], ["t=2", "s.0=1", "s.1=2"]],
  ["names of which one begins with the other", ["s=1", "s.x=2", "s.12=3"], ["s2=4"], [
    "s=1",
    "s.x=2",
    "s.12=3",
    "s2=4",
  ]],
  ["upper and lower case, which differ", ["A=1"], ["a=2"], ["A=1", "a=2"]],
  ["spaces around the name", [" a =1"], ["a=2"], ["a=2"]],
  ["a line without a name", ["a"], ["b=1"], ["a", "b=1"]],
  ["an attribute that looks like a name", ["x; a=1"], ["a=2"], ["x; a=1", "a=2"]],
] as const;

for (const [name, first, last, merged] of CASES) {
  test(`mergeSetCookie() takes ${name}`, () => assert.deepEqual(mergeSetCookie(first, last), merged));
}
