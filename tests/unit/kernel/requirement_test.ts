import assert from "node:assert/strict";
import { test } from "node:test";
import {
  asksMore,
  readRequirement,
  requirementProblem,
  type SessionRequirement,
  strictestOf,
} from "../../../src/kernel/requirement.ts";

test("a requirement without members asks for any session", () => {
  assert.deepEqual(readRequirement({}), { level: 1, maxAge: null, methods: [] });
  assert.equal(asksMore(readRequirement({})), false);
  assert.equal(asksMore(readRequirement({ level: 1, maxAge: undefined, methods: undefined })), false);
});

for (const asked of [{ level: 2 }, { maxAge: 1 }, { methods: ["hwk"] }] satisfies SessionRequirement[]) {
  test(`${JSON.stringify(asked)} asks for more than a session`, () => {
    assert.equal(requirementProblem(asked), null);
    assert.equal(asksMore(readRequirement(asked)), true);
  });
}

for (
  const [maxAge, seconds] of [[1, 1], ["30s", 30], ["10m", 600], ["1h", 3600], ["7d", 604800], [86400, 86400]] as const
) {
  test(`an age of ${JSON.stringify(maxAge)} is ${seconds} seconds`, () => {
    assert.equal(requirementProblem({ maxAge }), null);
    assert.equal(readRequirement({ maxAge }).maxAge, seconds);
  });
}

for (
  const wrong of [
    { level: 0 },
    { level: 3 },
    { level: "2" },
    { level: null },
    { level: NaN },
    { maxAge: 0 },
    { maxAge: -1 },
    { maxAge: 1.5 },
    { maxAge: Infinity },
    { maxAge: NaN },
    { maxAge: null },
    { maxAge: "" },
    { maxAge: "600" },
    { maxAge: "0m" },
    { maxAge: "-1m" },
    { maxAge: "1.5h" },
    { maxAge: "1 h" },
    { maxAge: "1w" },
    { maxAge: "1H" },
    { maxAge: "9999999999s" },
    { methods: [] },
    { methods: "hwk" },
    { methods: null },
    { methods: [""] },
    { methods: ["pwd mfa"] },
    { methods: [2] },
    // deno-lint-ignore no-sparse-arrays -- a hole is no name
    { methods: ["hwk", ,] },
    { methods: [, "hwk"] },
  ]
) {
  const [[name, value] = []] = Object.entries(wrong);
  test(`${name} cannot be ${typeof value === "number" ? value : JSON.stringify(value)}`, () => {
    assert.match(requirementProblem(wrong) ?? "", new RegExp(`^its \`${name}\` must be `));
  });
}

test("the strictest of several requirements meets each of them", () => {
  const all = [
    { level: 1, maxAge: 600, methods: ["hwk"] },
    { level: 2, maxAge: null, methods: [] },
    { level: 1, maxAge: 60, methods: ["hwk", "user"] },
  ] as const;
  assert.deepEqual(strictestOf(all), { level: 2, maxAge: 60, methods: ["hwk", "user"] });
  assert.deepEqual(strictestOf(all.toReversed()), { level: 2, maxAge: 60, methods: ["hwk", "user"] });
  assert.deepEqual(strictestOf([]), { level: 1, maxAge: null, methods: [] });
});
