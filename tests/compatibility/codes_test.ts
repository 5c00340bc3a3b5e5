import { test } from "node:test";
import assert from "node:assert/strict";
import { weigh } from "./_snapshot.ts";
import { CODES } from "./codes.ts";

/** A change, and what it breaks. */
type Row = readonly [before: string, after: string, breaks: string | null];

const ERROR = "error AccessDenied is DeniedError, leads to error?error=AccessDenied, logs access-denied";

const ROWS: readonly Row[] = [
  ["", ERROR, null],
  [ERROR, "", 'programs and pages that name "AccessDenied"'],
  [
    ERROR,
    ERROR.replace("error=AccessDenied", "error=Default"),
    'programs and pages that rely on what "AccessDenied" was',
  ],
  [ERROR, ERROR.replace("is DeniedError", "is FaultError"), 'programs and pages that rely on what "AccessDenied" was'],
  ["", "log clock-skew", null],
  ["log clock-skew", "", 'alarms and searches in the log that name "clock-skew"'],
  ["", "option session.limit", null],
  ["option session.maxAge = 60", "", 'configurations that name "session.maxAge"'],
  ["option session.maxAge = 60", "option session.maxAge = 30", 'configurations that rely on what "session.maxAge" was'],
  ["option session.maxAge", "option session.maxAge = 30", 'configurations that rely on what "session.maxAge" was'],
  ["env AUTH_SECRET", "", 'environments that name "AUTH_SECRET"'],
  ["", "text signUp", null],
  ["text signIn", "", 'configurations that name "signIn"'],
  ["", "text signIn {name}", null],
  ["text signIn {name}", "", 'configurations that name "signIn {name}"'],
  ["language de", "", 'sites and links that name "de"'],
];

for (const [before, after, breaks] of ROWS) {
  test(`${before || "nothing"} → ${after || "nothing"} ${breaks ? `breaks ${breaks}` : "breaks nothing"}`, () => {
    const [finding, ...more] = weigh(CODES, before ? [before] : [], after ? [after] : []);
    assert.deepEqual(finding?.verdict, breaks ? { level: "major", breaks } : { level: "minor" });
    assert.deepEqual(more, []);
  });
}

test("names of every kind are listed", async () => {
  const lines = new Set(await CODES.current());
  const some = [
    ERROR,
    "log clock-skew",
    "option session.maxAge = 2592000",
    "option events.signIn",
    "option callbacks.redirect",
    "option oauth()/client.default_max_age",
    "env AUTH_SECRET_1",
    "env AUTH_<ID>_ISSUER",
    "text signInWith {provider}",
    "text mailSubject",
    "language zh-Hans",
  ];
  assert.deepEqual(some.filter((line) => !lines.has(line)), []);
});
