import assert from "node:assert/strict";
import { test } from "node:test";
import { isProtected, protectProblem, readProtection, requirementOn } from "../../../src/http/protect.ts";
import { chanceOf } from "../../_support/chance.ts";
import { leadsToMembers } from "../../_support/oracle_paths.ts";

type Given = Parameters<typeof readProtection>[0];

function guards(given: Given, pathname: string): boolean {
  const protection = readProtection(given);
  return protection !== null && isProtected(pathname, protection);
}

/** The path of a request, as `URL` writes it. */
function pathOf(path: string): string {
  return new URL(`http://localhost${path}`).pathname;
}

/** Spellings of a page below `/members`, as somebody sends them. */
const SPELLINGS: readonly string[] = [
  "/members/x",
  "/members",
  "/members/",
  "/members//",
  "/members/x/y/z",
  "/members/x/",
  "/members?x=/public",
  "/members#x",
  "/%6dembers/x",
  "/%6Dembers/x",
  "/m%65mber%73/x",
  "/%6d%65%6d%62%65%72%73/x",
  "/%256dembers/x",
  "/%25%36%64embers/x",
  "/%25256dembers/x",
  "/%252525256dembers/x",
  "/MEMBERS/x",
  "/Members",
  "/mEmBeRs/x",
  "/%4dembers/x",
  "/%4DEMBERS/x",
  "//members/x",
  "///members//x",
  "/./members/x",
  "/public/../members/x",
  "/public/%2e%2e/members/x",
  "/public/.%2E/members/x",
  "/public/%252e%252e/members/x",
  "/public%2f..%2fmembers/x",
  "/public%2F..%2Fmembers%2Fx",
  "/public%5c..%5cmembers",
  "/public\\..\\members/x",
  "/a%252fb%2f..%2f%256dembers",
  "/members\\x",
  "/members%5cx",
  "/members%2fx",
  "/members%2Fx",
  "/members%252fx",
  "/%2fmembers/x",
  "/%2f%2fmembers",
  "/%2e/members/x",
  "/;/members/x",
  "/members;/x",
  "/members;jsessionid=1",
  "/members;a=b;c=d/x",
  "/;x/members",
  "/members%3bx",
  "/public/..;/members/x",
  "/public;x/..;y/members",
  "/public/%2e%2e;/members/x",
  "/%6dembers;%2f..%2fpublic",
  "/members%00",
  "/members%00/x",
  "/mem%00bers",
  "/mem%0abers/x",
  "/mem%09bers/x",
  "/members%20",
  "/%20members/x",
  "/members%20/x",
  "/members%c0%af",
  "/public%c0%af..%c0%afmembers",
  "/%c1%adembers/x",
  "/%e0%81%adembers/x",
  "/public/%c0%ae%c0%ae/members",
  "/m%E9mbers",
  "/%ff/members",
  "/%EF%BD%8Dembers/x",
  "/ｍembers/x",
  "/ＭＥＭＢＥＲＳ/x",
  "/public%EF%BC%8F..%EF%BC%8Fmembers",
  "/member%C5%BF",
  "/memberſ/x",
  "/members.data",
  "/members.json",
  "/members.html",
  "/members.rsc",
  "/members/__data.json",
  "/members.html__data.json",
  "/members/index.html",
  "/members/x.data",
  "/MEMBERS.DATA",
  "/%6dembers%2edata",
  "/members/../public%2f..%2fmembers",
  `/public/%${"25".repeat(40)}2e`,
  `/public/${";%5c%2f..".repeat(2000)}`,
];

for (const path of SPELLINGS) {
  test(`/members/* protects ${path.slice(0, 60)}`, () => assert.equal(guards(["/members/*"], pathOf(path)), true));
}

/** What is asked of who comes to a path. */
function asked(given: Given, pathname: string) {
  return requirementOn(pathname, readProtection(given) ?? assert.fail());
}

const MEMBERS = { routes: ["/members/*"], level: 2, maxAge: "1h", methods: ["hwk"] } as const;

for (const path of SPELLINGS) {
  test(`a rule for /members/* asks its level of who comes to ${path.slice(0, 60)}`, () => {
    const strict = { level: 2, maxAge: 3600, methods: ["hwk"] };
    assert.deepEqual(asked(["/*", MEMBERS], pathOf(path)), strict);
    assert.deepEqual(asked([MEMBERS, "/*"], pathOf(path)), strict);
  });
}

const RULES: readonly (readonly [given: Given, path: string, level: number, maxAge: number | null])[] = [
  [["/*", { routes: ["/admin/*"], level: 2 }], "/x", 1, null],
  [["/*", { routes: ["/admin/*"], level: 2 }], "/admin/x", 2, null],
  [[{ routes: ["/admin/*"], level: 2 }, { routes: ["/admin/keys"], maxAge: 60 }], "/admin/keys", 2, 60],
  [[{ routes: ["/admin/keys"], maxAge: 60 }, { routes: ["/admin/*"], level: 2 }], "/admin/keys", 2, 60],
  [[{ routes: ["/admin/keys"], maxAge: 60 }, { routes: ["/admin/*"], level: 2 }], "/admin/x", 2, null],
  [[{ routes: ["/*"], maxAge: "1m" }, { routes: ["/a"], maxAge: "1h" }], "/a", 1, 60],
  [[{ routes: ["/a"], maxAge: "1h" }, { routes: ["/*"], maxAge: "1m" }], "/a", 1, 60],
  [[{ routes: ["/a"], level: 2 }, { routes: ["/a"], level: 1 }], "/a", 2, null],
  [{ routes: ["/a"], level: 2, ignoreCase: false }, "/A", 1, null],
  [[{ routes: ["/a"], level: 2, ignoreCase: false }, "/a"], "/A", 1, null],
  [{ routes: ["/a"], level: 2 }, "/A", 2, null],
  [[{ routes: ["/a"], level: 2 }, { routes: ["/b"], maxAge: 60 }], "/%ff", 2, 60],
];

for (const [given, path, level, maxAge] of RULES) {
  test(`protect ${JSON.stringify(given)} asks for level ${level} and an age of ${maxAge} at ${path}`, () => {
    const found = asked(given, path);
    assert.deepEqual([found.level, found.maxAge], [level, maxAge]);
  });
}

const PUBLIC: readonly string[] = [
  "/",
  "/public",
  "/public/members",
  "/membership",
  "/member",
  "/members-only",
  "/membersx/y",
  "/xmembers",
  "/public/../public",
  "/members/../public",
  "/public/members/x",
  "/public;members",
  "/public.members",
  "/members.css",
  "/members.js",
  "/%6dember",
  "/%70ublic/x",
  "/caf%C3%A9",
  "/café",
  "/100%25",
  "/100%",
  "/a%20b",
  "/a%2fb",
  "/a%2Fmembers",
  "/search/%2525",
  "/x;y=1/z",
  "/日本語",
  "/public?next=/members/x",
  "/public#/members",
  "/.well-known/x",
  "/assets/app.1234.js",
  "/@user/+page",
];

for (const path of PUBLIC) {
  test(`/members/* leaves ${path} open`, () => {
    assert.equal(leadsToMembers(pathOf(path)), false, "no router leads there");
    assert.equal(guards(["/members/*"], pathOf(path)), false);
  });
}

const PATTERNS: readonly (readonly [given: Given, path: string, isGuarded: boolean])[] = [
  [["/account"], "/account", true],
  [["/account"], "/account/", true],
  [["/account"], "/Account", true],
  [["/account"], "/account/x", false],
  [["/account/"], "/account", true],
  [["/account"], "/public%2f..%2faccount", true],
  [["/account"], "/x//..%2f..%2faccount", true],
  [["/account"], "/account/index.html", true],
  [["/"], "/", true],
  [["/"], "//", true],
  [["/"], "/_root.data", true],
  [["/"], "/x", false],
  [["/index"], "/index.html", true],
  [["/*"], "/", true],
  [["/*"], "/x/y", true],
  [["/teams/*/admin"], "/teams/1/admin", true],
  [["/teams/*/admin"], "/teams//1//admin/", true],
  [["/teams/*/admin"], "/teams/admin", false],
  [["/teams/*/admin"], "/teams/1/2/admin", false],
  [["/teams/*/admin"], "/teams/1/admin/x", false],
  [["/teams/*/admin/*"], "/teams/1/admin/x", true],
  [["/a", "/b/*"], "/b/c", true],
  [["/a", "/b/*"], "/c", false],
  [[], "/members", false],
  [["/Members/*"], "/members/x", true],
  [["/%6dembers/*"], "/members/x", true],
  [["/für/*"], "/f%C3%BCr/x", true],
  [["/f%C3%BCr/*"], "/f%C3%BCr/x", true],
  [["/für/*"], "/fu%CC%88r/x", true],
  [["/FÜR/*"], "/f%C3%BCr/x", true],
  [["/100%25"], "/100%25", true],
  [["/@me"], "/@me", true],
  [["/a b".replace(" ", "%20")], "/a%20b", true],
  [{ routes: ["/members/*"] }, "/MEMBERS/x", true],
  [{ routes: ["/members/*"], ignoreCase: true }, "/MEMBERS/x", true],
  [{ routes: ["/members/*"], ignoreCase: undefined }, "/MEMBERS/x", true],
  [{ routes: ["/members/*"], ignoreCase: false }, "/MEMBERS/x", false],
  [{ routes: ["/members/*"], ignoreCase: false }, "/%6dembers/x", true],
  [{ routes: ["/Members/*"], ignoreCase: false }, "/Members/x", true],
  [{ routes: ["/Members/*"], ignoreCase: false }, "/members/x", false],
  [["/admin"], "/adm%C4%B1n", true],
  [["/a", { routes: ["/members/*"] }], "/members/x", true],
  [["/a", { routes: ["/members/*"] }], "/a", true],
  [["/a", { routes: ["/members/*"] }], "/b", false],
  [["/a", { routes: ["/B"], ignoreCase: false }], "/A", true],
  [["/a", { routes: ["/B"], ignoreCase: false }], "/b", false],
  [[{ routes: [] }], "/members", false],
  [[{ routes: ["/members"], level: 2, maxAge: "10m", methods: ["hwk"] }], "/members", true],
  [undefined, "/members", false],
];

for (const [given, path, isGuarded] of PATTERNS) {
  test(`protect ${JSON.stringify(given)} ${isGuarded ? "protects" : "leaves open"} ${path}`, () => {
    assert.equal(guards(given, pathOf(path)), isGuarded);
  });
}

const INVALID: readonly unknown[] = [
  null,
  true,
  "/members/*",
  42,
  {},
  { routes: "/members/*" },
  { paths: ["/members/*"] },
  { routes: ["/members/*"], ignoreCase: "no" },
  { routes: ["members"] },
  new Set(["/members"]),
  [""],
  ["members"],
  ["members/*"],
  ["*"],
  ["https://app.test/members"],
  ["//members"],
  ["/a//b"],
  ["/./a"],
  ["/a/../b"],
  ["/members*"],
  ["/members/**"],
  ["/members/*.html"],
  ["/members/:id"],
  ["/members/:path*"],
  ["/members/$id"],
  ["/members/[id]"],
  ["/members/[[...rest]]"],
  ["/members/(.*)"],
  ["/(members|admin)"],
  ["/members/{id}"],
  ["/members?"],
  ["/members?x=1"],
  ["/members#x"],
  ["/members;x"],
  ["\\members"],
  ["/members\\x"],
  ["^/members"],
  ["/members%2fx"],
  ["/members%2Fx"],
  ["/members%5cx"],
  ["/members%3bx"],
  ["/%2e%2e/x"],
  ["/members%00"],
  ["/%ff"],
  ["/mem bers"],
  ["/members\n"],
  ["/members", 7],
  ["/members", null],
  [["/members"]],
  [/members/],
  // deno-lint-ignore no-sparse-arrays -- what is refused
  ["/members", , "/x"],
  [Symbol("x")],
  [1n],
  [{}],
  [[]],
  ["/a", { routes: ["b"] }],
  ["/a", { routes: "/b" }],
  ["/a", { routes: ["/b"], ignoreCase: 1 }],
  ["/a", { routes: ["/b"], level: 3 }],
  ["/a", { routes: ["/b"], lvl: 2 }],
  ["/a", { routes: ["/b"], maxAge: "soon" }],
  { routes: ["/b"], level: "2" },
  { routes: ["/b"], maxAge: 0 },
  { routes: ["/b"], methods: [] },
];

for (const given of INVALID) {
  const shown = Array.isArray(given) ? `[${[...given].map(String)}]` : String(given);
  test(`protectProblem() refuses ${JSON.stringify(shown)}`, () => {
    const problem = protectProblem(given);
    assert.equal(typeof problem, "string");
    assert.equal(readProtection(given as Given), null);
  });
}

test("protectProblem() finds nothing wrong with what protects", () => {
  for (const [given] of PATTERNS) assert.equal(protectProblem(given), null);
});

/** Ways of writing a path differently, each of which some habit undoes. */
const DISGUISES: readonly ((path: string, pick: (below: number) => number) => string)[] = [
  (path, pick) => at(path, pick, encodeChar),
  (path, pick) => at(path, pick, encodeChar),
  (path, pick) => at(path, pick, (char) => char === "/" ? "//" : char),
  (path, pick) => at(path, pick, (char) => char === "/" ? "/./" : char),
  (path, pick) => at(path, pick, (char) => char === "/" ? "/x/../" : char),
  (path, pick) => at(path, pick, (char) => char === "/" ? "\\" : char),
  (path, pick) => at(path, pick, (char) => char === "/" ? ";a=1/" : char),
  (path, pick) => at(path, pick, (char) => char.toUpperCase()),
  (path, pick) =>
    at(path, pick, (char) => /[a-z]/.test(char) ? String.fromCharCode(char.charCodeAt(0) + 0xfee0) : char),
  (path) => `${path};b`,
  (path) => `${path}/`,
  (path) => `/x/..${path}`,
  (path) => `/x;y/..;z${path}`,
];

function at(path: string, pick: (below: number) => number, change: (char: string) => string): string {
  const place = 1 + pick(path.length - 1);
  return path.slice(0, place) + change(path.charAt(place)) + path.slice(place + 1);
}

function encodeChar(char: string): string {
  return [...new TextEncoder().encode(char)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

test("no disguise of a protected page that some router sees through is left open", () => {
  const { below: pick } = chanceOf(7);
  let seenThrough = 0;
  for (let round = 0; round < 1500; round++) {
    let path = "/members/x";
    for (let disguises = 1 + pick(5); disguises > 0; disguises--) {
      path = DISGUISES[pick(DISGUISES.length)]?.(path, pick) ?? path;
    }
    const sent = pathOf(path);
    if (!leadsToMembers(sent)) continue;
    seenThrough += 1;
    assert.ok(guards(["/members/*"], sent), `${path}, sent as ${sent}`);
  }
  assert.ok(seenThrough > 1000, `${seenThrough}`);
});

test("what no router takes to a protected page stays open under the same disguises", () => {
  const { below: pick } = chanceOf(11);
  let open = 0;
  for (let round = 0; round < 500; round++) {
    let path = "/public/y";
    for (let disguises = 1 + pick(2); disguises > 0; disguises--) {
      path = DISGUISES[pick(DISGUISES.length)]?.(path, pick) ?? path;
    }
    if (!guards(["/members/*"], pathOf(path))) open += 1;
  }
  assert.ok(open > 480, `${open}`);
});
