import { test } from "node:test";
import assert from "node:assert/strict";
import { weigh } from "./_snapshot.ts";
import type { Declaration, Docs } from "./exports/_doc.ts";
import { judge, keyOf, parse } from "./exports/_judge.ts";
import { linesOf } from "./exports/_lines.ts";
import { isForbidden } from "./_snapshot.ts";

/** What stands beside each row, so that types and subpaths are there. */
const AROUND = [
  "export .",
  "export ./hono",
  "give AuthConfig is interface",
  "get Settled is interface",
  "both Session is interface",
  "both AuthAction is type",
];

/** A change, and what it breaks. */
type Row = readonly [before: string, after: string, breaks: string | null];

const ROWS: readonly Row[] = [
  // Names
  ["", "export . signUp", null],
  ["", "export ./koa", null],
  ["export . signIn", "", 'imports of "signIn" from "@x/auth"'],
  ["export ./hono HonoAuth", "", 'imports of "HonoAuth" from "@x/auth/hono"'],
  ["export ./react User = User@./client", "export ./react User", 'imports of what "./react User" was'],
  // Functions
  ["use encode: (Claims) => string", "", 'programs that use "encode"'],
  ["use encode: (Claims) => string", "use encode: (Claims, Options?) => string", null],
  ["use encode: (Claims) => string", "use encode: (Claims, ...string[]) => string", null],
  ["use encode: (Claims) => string", "use encode: (Claims, Options) => string", 'calls of "encode"'],
  ["use encode: (Claims, Key) => string", "use encode: (Claims) => string", 'calls of "encode"'],
  ["use encode: (Claims) => string", "use encode: (Claims) => Promise<string>", 'calls of "encode"'],
  ["use encode: (Claims) => string", "use encode: <T>(Claims) => string", 'calls of "encode"'],
  ["use encode: (A<B, C>) => string", "use encode: (A<B, D>) => string", 'calls of "encode"'],
  // Types
  ["get Gone is interface", "", 'programs that name the type "Gone"'],
  ["get Auth is interface<S>", "get Auth is interface<S, T = JWT>", null],
  ["get Auth is interface<S>", "get Auth is interface<S, T>", 'programs that name the type "Auth"'],
  ["get Auth is interface<S>", "get Auth is interface", 'programs that name the type "Auth"'],
  ["get Auth is interface extends A", "get Auth is interface extends B", 'programs that name the type "Auth"'],
  ["get Auth is interface", "both Auth is interface", null],
  ["get Auth is interface extends A", "get Auth is interface extends A, B<C, D>", null],
  ["get Auth is interface extends A, B", "get Auth is interface extends A", 'programs that name the type "Auth"'],
  ["give Limits is interface", "give Limits is interface extends A", 'programs that name the type "Limits"'],
  ['both AuthAction | "csrf"', "", 'programs that use "AuthAction | "csrf""'],
  ["", 'both AuthAction | "passwords"', null],
  ['both AuthAction | "csrf"', 'give AuthAction | "csrf"', null],
  // What programs give may take more.
  ["", "give AuthConfig.limits?: Limits", null],
  ["", "give AuthConfig.limits: Limits", 'programs that make "AuthConfig" without "limits"'],
  ["", "give AuthConfig.[string]: unknown", null],
  ["give AuthConfig.debug?: boolean", "", 'programs that give "AuthConfig.debug"'],
  ["give AuthConfig.debug?: boolean", 'give AuthConfig.debug?: boolean | "all"', null],
  ["give AuthConfig.debug?: A | B", "give AuthConfig.debug?: B | A", null],
  [
    "give AuthConfig.debug?: A | B",
    "give AuthConfig.debug?: A",
    'programs that give "AuthConfig.debug" as they could before',
  ],
  [
    "give AuthConfig.debug?: A",
    "give AuthConfig.debug: A",
    'programs that give "AuthConfig.debug" as they could before',
  ],
  ["give AuthConfig.debug: A", "give AuthConfig.debug?: A", null],
  ["give AuthConfig.list: A[]", "give readonly AuthConfig.list: A[]", null],
  ["give AuthConfig.log: (Line) => void", "give AuthConfig.log: (Line, Details?) => void", null],
  [
    "give AuthConfig.f: (A) => B | C",
    "give AuthConfig.f: (A) => B",
    'programs that give "AuthConfig.f" as they could before',
  ],
  ["", 'give AuthConfig."at?"?: boolean', null],
  ['give AuthConfig."at?"?: boolean', "", 'programs that give "AuthConfig."at?""'],
  ["give AuthConfig.on: ({ user: User }) => void", "give AuthConfig.on: ({ user: User; at: Date }) => void", null],
  [
    "give AuthConfig.on: ({ user: A; at: B }) => void",
    "give AuthConfig.on: ({ user: A }) => void",
    'programs that give "AuthConfig.on" as they could before',
  ],
  [
    "give Size is type = number | { width: number }",
    "give Size is type = number | { width: number; unit?: string }",
    null,
  ],
  [
    "give Size is type = number | { width: number }",
    "give Size is type = { width: number }",
    'programs that name the type "Size"',
  ],
  // What programs get may have more.
  ["", "get Settled.headers: Headers", null],
  ["get Settled.value: T", "", 'programs that read "Settled.value"'],
  ["get Settled.value: T | null", "get Settled.value: T", null],
  ["get Settled.value: T", "get Settled.value: T | null", 'programs that read "Settled.value" as it was'],
  ["get Settled.value?: T", "get Settled.value: T", null],
  ["get Settled.value: T", "get Settled.value?: T", 'programs that read "Settled.value" as it was'],
  ["get Settled.value: T", "get readonly Settled.value: T", 'programs that read "Settled.value" as it was'],
  ["get readonly Settled.value: T", "get Settled.value: T", null],
  ["get Settled.end: () => void", "get Settled.end: (Options?) => void", null],
  ["", "get Settled.end: (Other) => void", null],
  // What they do both with may do neither.
  ["", "both Session.device?: string", null],
  ["", "both Session.device: string", 'programs that make "Session" without "device"'],
  [
    "both Session.user: User",
    "both Session.user: User | null",
    'programs that use "Session.user" as they could before',
  ],
  ["both Session.user: A | B", "both Session.user: A", 'programs that use "Session.user" as they could before'],
  ["both Session.user: A", "get Session.user: A", null],
];

for (const [before, after, breaks] of ROWS) {
  test(`${before || "nothing"} → ${after || "nothing"} ${breaks ? `breaks ${breaks}` : "breaks nothing"}`, () => {
    const lines = (line: string): string[] => [...AROUND, ...line ? [line] : []];
    const [finding, ...more] = weigh({ id: "exports", keyOf, judge }, lines(before), lines(after));
    assert.deepEqual(finding?.verdict, breaks ? { level: "major", breaks } : { level: "minor" });
    assert.deepEqual(more, []);
  });
}

test("a subpath that is gone is one breach, not one for each of its names", () => {
  const before = ["export .", "export ./hono", "export ./hono HonoAuth", "export ./hono authHandler"];
  const findings = weigh({ id: "exports", keyOf, judge }, before, ["export ."]);
  assert.deepEqual(findings.map(({ verdict }) => verdict), [
    { level: "major", breaks: 'every import of "@x/auth/hono"' },
  ]);
});

test("a type that is gone is one breach, and a new one may have members that are needed", () => {
  const type = ["give Limits is interface", "give Limits.perMinute: number", "give Kind is type", 'give Kind | "a"'];
  const gone = weigh({ id: "exports", keyOf, judge }, type, []).filter(isForbidden);
  assert.deepEqual(gone.map(({ change }) => change.kind === "removed" && change.before), [type[0], type[2]]);
  assert.ok(!weigh({ id: "exports", keyOf, judge }, [], type).some(isForbidden));
});

test("an overload may come, and none may go", () => {
  const [one, two] = ["use encode: (A) => string", "use encode: (B) => string"];
  const verdicts = (before: string[], after: string[]): unknown[] =>
    weigh({ id: "exports", keyOf, judge }, before, after).map(({ verdict }) => verdict);
  assert.deepEqual(verdicts([one], [one, two]), [{ level: "minor" }]);
  assert.deepEqual(verdicts([one, two], [one]), [{ level: "major", breaks: 'some calls of "encode"' }]);
});

test("a member may move into a type that its own extends", () => {
  const before = ["get Auth is interface", "get Auth.check: () => void", "get Typed is interface"];
  const moved = (
    line: string,
  ): string[] => ["get Auth is interface extends Base<S>, Typed", "get Base is interface", line];
  const forbidden = (after: string[]): unknown[] =>
    weigh({ id: "exports", keyOf, judge }, before, [...after, "get Typed is interface"]).filter(isForbidden)
      .map(({ verdict }) => verdict);
  assert.deepEqual(forbidden(moved("get Base.check: (A?) => void")), []);
  const breaks = 'programs that read "Auth.check" as it was';
  assert.deepEqual(forbidden(moved("get Base.check: (A) => void")), [{ level: "major", breaks }]);
  assert.deepEqual(forbidden(moved("get Base.other: () => void")), [
    { level: "major", breaks: 'programs that read "Auth.check"' },
  ]);
});

test("a line that says nothing known is not read", () => {
  for (const line of ["", "hello", "give", "give AuthConfig", "give : string", "give A.b c: string"]) {
    assert.throws(() => parse(line), /^Error: Cannot read the line/);
  }
});

const place = (byteIndex: number): Declaration["location"] => ({ filename: "file:///a.ts", byteIndex });
const named = (typeName: string): object => ({ kind: "typeRef", value: { typeName } });
const text = { kind: "keyword", value: "string" };

/** A module with a function, the type it takes, the type it gives, and one that both have. */
const DOCS = new Map([
  [".", [
    {
      name: "open",
      declarations: [{
        kind: "function",
        location: place(1),
        def: {
          params: [
            { kind: "identifier", optional: true, tsType: named("Options") },
            { kind: "assign", left: { kind: "identifier", tsType: text } },
          ],
          returnType: { kind: "typeRef", value: { typeName: "Promise", typeParams: [named("Opened")] } },
        },
      }],
    },
    {
      name: "Options",
      declarations: [{
        kind: "interface",
        location: place(2),
        def: {
          properties: [
            { name: "path", tsType: text },
            {
              name: "found",
              optional: true,
              tsType: {
                kind: "fnOrConstructor",
                value: { params: [{ kind: "identifier", tsType: named("Found") }], tsType: text },
              },
            },
          ],
        },
      }],
    },
    {
      name: "Found",
      declarations: [{
        kind: "interface",
        location: place(3),
        def: { properties: [{ name: "at", tsType: named("Place") }] },
      }],
    },
    {
      name: "Opened",
      declarations: [{
        kind: "interface",
        location: place(4),
        def: {
          methods: [{ name: "close", params: [{ kind: "identifier", tsType: named("Place") }], returnType: text }],
        },
      }],
    },
    {
      name: "Place",
      declarations: [{
        kind: "typeAlias",
        location: place(5),
        def: { tsType: { kind: "union", value: [text, { kind: "keyword", value: "null" }] } },
      }],
    },
    { name: "Alone", declarations: [{ kind: "typeAlias", location: place(6), def: { tsType: text } }] },
  ]],
  ["./other", [
    { name: "default", declarations: [{ kind: "reference", location: place(9), def: { target: place(1) } }] },
    { name: "Options", declarations: [{ kind: "typeAlias", location: place(7), def: { tsType: text } }] },
  ]],
]) as unknown as Docs;

test("each name is a line, and each type and function is told once, with who makes its values", () => {
  assert.deepEqual(linesOf(DOCS), [
    "export .",
    "export . open",
    "export . Options",
    "export . Found",
    "export . Opened",
    "export . Place",
    "export . Alone",
    "export ./other",
    "export ./other default = open",
    "export ./other Options = Options@./other",
    "use open: (Options?, string?) => Promise<Opened>",
    "give Options is interface",
    "give Options.path: string",
    "give Options.found?: (Found) => string",
    "get Found is interface",
    "get Found.at: Place",
    "get Opened is interface",
    "get Opened.close: (Place) => string",
    "both Place is type",
    "both Place | string",
    "both Place | null",
    "both Alone is type = string",
    "both Options@./other is type = string",
  ]);
});
