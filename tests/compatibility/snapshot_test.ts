import { test } from "node:test";
import assert from "node:assert/strict";
import { asOverride } from "./_files.ts";
import { report } from "./_report.ts";
import { type Change, compare, isForbidden, levelOf, type Verdict, weigh } from "./_snapshot.ts";

const keyOf = (line: string): string => line.replace(/ \d+$/, "");

/** Statuses of endpoints, of which none may change or go. */
const statuses = {
  id: "wire",
  unit: "answers",
  keyOf,
  judge: ({ kind }: Change): Verdict =>
    kind === "added" ? { level: "minor" } : { level: "major", breaks: "clients that look at the status" },
};

const BEFORE = ["GET /auth/session 200", "POST /auth/signout 302"];
const REASON = "`POST /auth/signout` answers with 303 now, because 302 repeats the form.";

test("compare() finds what was removed, changed and added, with its line", () => {
  assert.deepEqual(compare(["a 1", "b 1", "c 1"], ["d 1", "c 2", "a 1"], keyOf), [
    { kind: "removed", before: "b 1", at: 2 },
    { kind: "changed", before: "c 1", at: 3, after: "c 2" },
    { kind: "added", after: "d 1" },
  ]);
});

test("compare() pairs several lines of one key, and tells what is left over", () => {
  assert.deepEqual(compare(["f 1", "f 2"], ["f 2", "f 3", "f 4"], keyOf), [
    { kind: "changed", before: "f 1", at: 1, after: "f 3" },
    { kind: "added", after: "f 4" },
  ]);
  assert.deepEqual(compare(["f 1", "f 2"], ["f 2"], keyOf), [{ kind: "removed", before: "f 1", at: 1 }]);
});

test("compare() finds nothing where only the order differs, or a line is there twice", () => {
  assert.deepEqual(compare(["a", "b"], ["b", "a", "a"]), []);
});

test("a forbidden change is named with its line, what it breaks, and the two ways out", () => {
  const findings = weigh(statuses, BEFORE, ["GET /auth/session 200", "POST /auth/signout 303"]);
  assert.ok(findings.some(isForbidden));
  assert.deepEqual(report(statuses, 2, findings, "1.4.2"), [
    "wire      MAJOR  POST /auth/signout 302 → 303   (tests/compatibility/wire.txt:2)",
    "                 This breaks clients that look at the status. Take it back, or release 2.0.0.",
  ]);
});

test("an override allows exactly the lines that it lists, in the snapshot that it names", () => {
  const after = ["GET /auth/session 404", "POST /auth/signout 303"];
  const override = { snapshot: "wire", removed: ["POST /auth/signout 302"], reason: REASON };
  const forbidden = (overrides: Parameters<typeof weigh>[3]): unknown[] =>
    weigh(statuses, BEFORE, after, overrides).filter(isForbidden).map(({ change }) => change);
  assert.equal(forbidden([]).length, 2);
  assert.deepEqual(forbidden([override]), [
    { kind: "changed", before: "GET /auth/session 200", at: 1, after: "GET /auth/session 404" },
  ]);
  assert.equal(forbidden([{ ...override, snapshot: "codes" }]).length, 2);
});

test("an allowed change keeps its level: it is still a major one", () => {
  const override = { snapshot: "wire", removed: ["POST /auth/signout 302"], reason: REASON };
  assert.equal(levelOf(weigh(statuses, BEFORE, BEFORE.slice(0, 1), [override])), "major");
  assert.equal(levelOf(weigh(statuses, BEFORE, [...BEFORE, "GET /auth/csrf 200"])), "minor");
  assert.equal(levelOf(weigh(statuses, BEFORE, BEFORE)), "patch");
});

test("an addition that breaks something needs an override for the new line", () => {
  const strict = { ...statuses, judge: (): Verdict => ({ level: "major", breaks: "everything" }) };
  const after = [...BEFORE, "GET /auth/csrf 200"];
  assert.ok(weigh(strict, BEFORE, after).some(isForbidden));
  const override = { snapshot: "wire", added: ["GET /auth/csrf 200"], reason: REASON };
  assert.ok(!weigh(strict, BEFORE, after, [override]).some(isForbidden));
});

test("report() says how many promises are kept, and shows what is new", () => {
  assert.deepEqual(report(statuses, 2113, [], "1.0.0"), ["wire      ok     2,113 answers"]);
  const findings = weigh(statuses, BEFORE, [...BEFORE, "GET /auth/csrf 200"]);
  assert.deepEqual(report(statuses, 3, findings, "1.0.0"), [
    "wire      MINOR  3 answers, 1 added or widened",
    "                 + GET /auth/csrf 200",
  ]);
});

test("a snapshot that is lost breaks every promise", () => {
  assert.equal(weigh(statuses, BEFORE, []).filter(isForbidden).length, 2);
});

test("an override without a line or without a reason is refused", () => {
  const text = (override: object): string =>
    JSON.stringify({ snapshot: "wire", removed: ["a"], reason: REASON, ...override });
  assert.equal(asOverride("a.json", text({})).reason, REASON);
  for (
    const wrong of [{ snapshot: 1 }, { removed: [] }, { removed: "a" }, { added: [1] }, { reason: "" }, {
      reason: "because",
    }]
  ) {
    assert.throws(() => asOverride("a.json", text(wrong)), /^Error: a\.json: "/);
  }
});
