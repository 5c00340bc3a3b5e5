import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type CookieOptions,
  cookieProblem,
  decodeCookieValue,
  parseCookies,
  serializeCookie,
} from "../../../src/http/cookie_text.ts";

const HEADERS: readonly (readonly [header: string | null, cookies: Readonly<Record<string, readonly string[]>>])[] = [
  [null, {}],
  ["", {}],
  [";", {}],
  ["; ;;  ;", {}],
  ["a=1", { a: ["1"] }],
  ["a=1; b=2", { a: ["1"], b: ["2"] }],
  ["a=1;b=2;", { a: ["1"], b: ["2"] }],
  [" \ta \t=\t 1 \t;  b=2", { a: ["1"], b: ["2"] }],
  ["a=", { a: [""] }],
  ["a", {}],
  ["a=b=c==", { a: ["b=c=="] }],
  ["=x", {}],
  ["=__Host-a=b", {}],
  [" = ", {}],
  ["a=1; a=2", { a: ["1", "2"] }],
  ["a=1; b=x; a=", { a: ["1", ""], b: ["x"] }],
  ["a=%7C", { a: ["%7C"] }],
  ["__proto__=1", { ["__proto__"]: ["1"] }],
  ["constructor=1; toString=2", { constructor: ["1"], toString: ["2"] }],
  ["a=1,b=2", { a: ["1,b=2"] }],
];

for (const [header, cookies] of HEADERS) {
  test(`parseCookies() reads ${JSON.stringify(header)}`, () => {
    assert.deepEqual([...parseCookies(header)], Object.entries(cookies));
  });
}

const SMUGGLED: readonly (readonly [name: string, header: string])[] = [
  ["white space of Unicode before the name", "\u2000__Host-authjs.session-token=x"],
  ["a no-break space before the name", "\u00a0__Host-authjs.session-token=x"],
  ["a form feed before the name", "\f__Host-authjs.session-token=x"],
  ["a vertical tab before the name", "\v__Host-authjs.session-token=x"],
  ["white space of Unicode after the name", "__Host-authjs.session-token\u2000=x"],
  ["a name without value before it", "=__Host-authjs.session-token=x"],
  ["a longer name without an equals sign", "__Host-authjs.session-tokenx"],
  ["a quoted name", '"__Host-authjs.session-token"=x'],
  ["the name in another case", "__HOST-authjs.session-token=x"],
  ["a comma before the name", "$Version=1, __Host-authjs.session-token=x"],
  ["an encoded name", "__Host%2Dauthjs.session-token=x"],
  ["a NUL in the name", "__Host-authjs.session-token\u0000=x"],
];

for (const [name, header] of SMUGGLED) {
  test(`parseCookies() does not take ${name} for a protected cookie`, () => {
    assert.equal(parseCookies(header).get("__Host-authjs.session-token"), undefined);
  });
}

test("parseCookies() knows no quoted values: what stands behind a semicolon is a cookie", () => {
  assert.deepEqual([...parseCookies('a="b; c=x"')], [["a", ['"b']], ["c", ['x"']]]);
});

test("parseCookies() keeps both values of a name in their order", () => {
  assert.deepEqual(parseCookies("a=1; b=2; a=3").get("a"), ["1", "3"]);
});

test("parseCookies() reads any number of cookies", () => {
  const header = Array.from({ length: 2000 }, (_, i) => `c${i}=${i}`).join("; ");
  assert.equal(parseCookies(header).size, 2000);
});

test("parseCookies() reads 32 KiB and not a character more", () => {
  const header = (length: number) => `a=${"x".repeat(length - 2)}`;
  assert.equal(parseCookies(header(32_768)).size, 1);
  assert.equal(parseCookies(header(32_769)).size, 0);
});

test("parseCookies() keeps only what begins as it is told, and sees all of its values", () => {
  const header = "x=1; ours=2;\tours.0=3;oursx; your=ours=4; Ours=5; ours =6;ours";
  assert.deepEqual([...parseCookies(header, ["ours", "none"])], [["ours", ["2", "6"]], ["ours.0", ["3"]]]);
});

test("parseCookies() does not take an equals sign of a later pair for its own", () => {
  assert.deepEqual([...parseCookies("a;b;c=1;d;;e=2=3;f")], [["c", ["1"]], ["e", ["2=3"]]]);
});

test("parseCookies() never throws", () => {
  for (let code = 0; code < 512; code++) {
    const char = String.fromCharCode(code);
    for (const header of [char, `${char}=1`, `a=${char}`, `a${char}b=1;${char}`]) parseCookies(header);
  }
});

const VALUES: readonly (readonly [encoded: string, decoded: string])[] = [
  ["", ""],
  ["abc", "abc"],
  ["a%7Cb", "a|b"],
  ["%C3%A9", "é"],
  ["%", "%"],
  ["%zz", "%zz"],
  ["%E0%A4%A", "%E0%A4%A"],
  ["%C0%AF", "%C0%AF"],
  ["100%25", "100%"],
  ["a+b", "a+b"],
];

for (const [encoded, decoded] of VALUES) {
  test(`decodeCookieValue() gives ${JSON.stringify(decoded)} for ${JSON.stringify(encoded)}`, () => {
    assert.equal(decodeCookieValue(encoded), decoded);
  });
}

const WRITTEN: readonly (readonly [value: string, options: CookieOptions, text: string])[] = [
  ["", {}, "a="],
  ["x", {}, "a=x"],
  ["a|b c;d,e\r\n\u0000é%", {}, "a=a%7Cb%20c%3Bd%2Ce%0D%0A%00%C3%A9%25"],
  ["x", { maxAge: 0 }, "a=x; Max-Age=0"],
  ["x", { maxAge: -1 }, "a=x; Max-Age=-1"],
  ["x", { maxAge: 900 }, "a=x; Max-Age=900"],
  ["x", { domain: "app.test" }, "a=x; Domain=app.test"],
  ["x", { domain: ".app.test" }, "a=x; Domain=.app.test"],
  ["x", { path: "/" }, "a=x; Path=/"],
  ["x", { path: "/a b" }, "a=x; Path=/a b"],
  ["x", { expires: new Date(0) }, "a=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT"],
  ["x", { httpOnly: true, secure: true }, "a=x; HttpOnly; Secure"],
  ["x", { httpOnly: false, secure: false, partitioned: false }, "a=x"],
  ["x", { partitioned: true }, "a=x; Partitioned"],
  ["x", { priority: "low" }, "a=x; Priority=Low"],
  ["x", { priority: "medium" }, "a=x; Priority=Medium"],
  ["x", { priority: "high" }, "a=x; Priority=High"],
  ["x", { sameSite: "lax" }, "a=x; SameSite=Lax"],
  ["x", { sameSite: "strict" }, "a=x; SameSite=Strict"],
  ["x", { sameSite: "none" }, "a=x; SameSite=None"],
  ["x", { sameSite: true }, "a=x; SameSite=Strict"],
  ["x", { sameSite: false }, "a=x"],
  [
    "x",
    {
      sameSite: "lax",
      priority: "high",
      partitioned: true,
      secure: true,
      httpOnly: true,
      expires: new Date(0),
      path: "/",
      domain: "app.test",
      maxAge: 1,
    },
    "a=x; Max-Age=1; Domain=app.test; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; Partitioned; Priority=High; SameSite=Lax",
  ],
];

for (const [value, options, text] of WRITTEN) {
  test(`serializeCookie() writes ${text}`, () => {
    assert.equal(serializeCookie({ name: "a", value, options }), text);
  });
}

const BREAKING = [";", "\r", "\n", "\r\n", "\u0000", "\u007f", "é", "; Domain=evil.test", "\u2028"];
const PLACES: Readonly<Record<string, (text: string) => readonly [name: string, options: CookieOptions]>> = {
  name: (text) => [`a${text}`, {}],
  domain: (text) => ["a", { domain: `app.test${text}` }],
  path: (text) => ["a", { path: `/${text}` }],
  sameSite: (text) => ["a", { sameSite: `lax${text}` as "lax" }],
  priority: (text) => ["a", { priority: `low${text}` as "low" }],
  maxAge: (text) => ["a", { maxAge: `1${text}` as unknown as number }],
};

for (const [place, build] of Object.entries(PLACES)) {
  for (const text of BREAKING) {
    test(`serializeCookie() refuses ${JSON.stringify(text)} in ${place}`, () => {
      const [name, options] = build(text);
      assert.notEqual(cookieProblem(name, options), null);
      assert.throws(() => serializeCookie({ name, value: "x", options }), TypeError);
    });
  }
}

const PROBLEMS: readonly (readonly [name: string, options: object, problem: RegExp | null])[] = [
  ["a", {}, null],
  ["", {}, /name/],
  [" a", {}, /name/],
  ["a b", {}, /name/],
  ["a=b", {}, /name/],
  ["a,b", {}, /name/],
  ['"a"', {}, /name/],
  ["a[0]", {}, /name/],
  ["!#$%&'*+-.^_`|~", {}, null],
  ["a", { domain: "" }, /domain/],
  ["a", { domain: "app.test." }, /domain/],
  ["a", { domain: "-app.test" }, /domain/],
  ["a", { domain: "app..test" }, /domain/],
  ["a", { domain: "https://app.test" }, /domain/],
  ["a", { domain: "app.test:443" }, /domain/],
  ["a", { domain: "localhost" }, null],
  ["a", { path: "" }, /path/],
  ["a", { path: "auth" }, /path/],
  ["a", { path: "/auth/x" }, null],
  ["a", { maxAge: 1.5 }, /maxAge/],
  ["a", { maxAge: NaN }, /maxAge/],
  ["a", { maxAge: Infinity }, /maxAge/],
  ["a", { expires: new Date(NaN) }, /expires/],
  ["a", { expires: "tomorrow" }, /expires/],
  ["a", { sameSite: "Lax" }, /sameSite/],
  ["a", { sameSite: "__proto__" }, /sameSite/],
  ["a", { sameSite: "constructor" }, /sameSite/],
  ["a", { priority: "toString" }, /priority/],
  ["__Host-a", { path: "/", secure: true }, null],
  ["__Host-a", { path: "/", secure: false }, /__Host-/],
  ["__Host-a", { path: "/auth", secure: true }, /__Host-/],
  ["__Host-a", { secure: true }, /__Host-/],
  ["__Host-a", { path: "/", secure: true, domain: "app.test" }, /__Host-/],
  ["__Secure-a", { secure: true }, null],
  ["__Secure-a", {}, /__Secure-/],
];

for (const [name, options, problem] of PROBLEMS) {
  test(`cookieProblem() says ${problem ?? "nothing"} of ${name} with ${JSON.stringify(options)}`, () => {
    const found = cookieProblem(name, options);
    if (problem) assert.match(found ?? "", problem);
    else assert.equal(found, null);
  });
}

test("cookieProblem() takes no name that is not text", () => {
  for (const name of [undefined, null, 1, {}, ["a"]]) {
    assert.match(cookieProblem(name as unknown as string, {}) ?? "", /name/);
  }
});

test("parseCookies() trims blanks at both ends alone, however many there are", () => {
  const blanks = " \t".repeat(3_000);
  assert.deepEqual(parseCookies(`${blanks}a${blanks}=${blanks}b c${blanks}; d= \t`).get("a"), ["b c"]);
  assert.deepEqual(parseCookies("a= \t").get("a"), [""]);
});

test("serializeCookie() encodes a value as encodeURIComponent() does, whatever characters meet", () => {
  const write = (value: string) => serializeCookie({ name: "a", value, options: {} });
  for (let code = 0; code < 0xd800; code++) {
    const text = String.fromCharCode(code);
    assert.equal(write(text), `a=${encodeURIComponent(text)}`);
  }
  for (const text of ["😀", "a😀b|😀😀c", "{}|\\;, é\u{10ffff}~!*'()-._"]) {
    assert.equal(write(text), `a=${encodeURIComponent(text)}`);
  }
  for (const half of ["\ud83d", "\ude00", "a\ud83d", "\ude00\ud83d"]) assert.throws(() => write(half), URIError);
});
