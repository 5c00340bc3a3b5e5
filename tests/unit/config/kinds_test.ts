import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import * as kinds from "../../../src/config/kinds.ts";

const {
  color,
  deadline,
  functionOrNull,
  isListOf,
  look,
  lookOf,
  lowerCase,
  number,
  object,
  oneOf,
  orNull,
  ruled,
  seconds,
} = kinds;
const YEARS = 365.25 * 24 * 60 * 60;
const word = kinds.wordOf("jwt", "database");
const whole = number("a whole number", Number.isInteger);

const fine = { is: "fine" };
const unset = { is: "ignored" };
const wrong = (says: string) => ({ is: "wrong", says });
const tooLong = (says: string) => ({ is: "wrong", says, code: "seconds-too-long" });
const ignored = (says: string) => ({ is: "ignored", says });
const mended = (value: unknown, says: string) => ({ is: "mended", value, says });

const VERDICTS: readonly (readonly [name: string, kind: kinds.Kind, value: unknown, verdict: object])[] = [
  ["oneOf", oneOf("a", "b", "c"), "b", fine],
  ["oneOf", oneOf("a", "b", "c"), "B", wrong('must be "a", "b" or "c", not "B"')],
  ["oneOf", oneOf("a"), null, wrong('must be "a", not null')],
  ["wordOf", word, "jwt", fine],
  ["wordOf", word, null, unset],
  ["wordOf", word, " JWT ", mended("jwt", 'is " JWT ": it is read as "jwt"')],
  ["wordOf", word, "cookie", wrong('must be "jwt" or "database", not "cookie"')],
  ["lowerCase", lowerCase, "Lax", mended("lax", 'is "Lax": it is read as "lax"')],
  ["lowerCase", lowerCase, 1, fine],
  ["lookOf", lookOf("a", "b"), "c", ignored('is "c" and is ignored: set it to "a" or "b"')],
  ["lookOf", lookOf("a", "b"), null, unset],
  ["color", color, "", fine],
  ["color", color, "url(x)", ignored('is "url(x)" and is ignored: set it to a CSS colour such as "#346df1"')],
  ["object", object, new Map(), fine],
  ["object", object, [], wrong("must be an object, not a list")],
  ["look", look, new Map(), ignored("is an object and not an object, so it is ignored")],
  ["functionOrNull", functionOrNull, null, fine],
  ["functionOrNull", functionOrNull, "x", wrong('must be a function, not "x"')],
  ["orNull", orNull(object), null, unset],
  ["ruled", ruled(), 1, { is: "ruled" }],
  ["ruled", ruled(object), [], wrong("must be an object, not a list")],
  ["ruled", ruled(word, "jwt"), "jwt", fine],
  ["ruled", ruled(word, "jwt"), "database", { is: "ruled" }],
  ["number", whole, 5, fine],
  ["number", whole, null, unset],
  ["number", whole, " 5 ", mended(5, 'is the text " 5 ": it is read as the number 5')],
  ["number", whole, "1.5", wrong('must be a whole number, not "1.5"')],
  ["number", whole, "1e3", wrong('must be a whole number, not "1e3"')],
  ["number", whole, [5], wrong("must be a whole number, not a list")],
  ["seconds", seconds({ least: 1 }), 1, fine],
  ["seconds", seconds({ least: 1 }), 0, wrong("must be a number of seconds, not 0")],
  ["seconds", seconds({ least: 1 }), NaN, wrong("must be a number of seconds, not NaN")],
  ["seconds", seconds({ least: 1 }), Infinity, wrong("must be a number of seconds, not Infinity")],
  ["seconds", seconds({ least: 0 }), 9 * YEARS, fine],
  [
    "seconds",
    seconds({ least: 0 }),
    20 * YEARS,
    tooLong(`is ${20 * YEARS} seconds, which are 20 years; if you meant milliseconds, write ${20 * YEARS / 1000}`),
  ],
  ["deadline", deadline, 999, fine],
  ["deadline", deadline, 0, ignored("is 0, so its default is used: set it to a number of seconds")],
  ["deadline", deadline, 1000, {
    ...mended(1000, "is 1000 seconds, which looks like milliseconds: set it to 1"),
    code: "seconds-too-long",
  }],
];

for (const [name, kind, value, verdict] of VERDICTS) {
  test(`${name}() says ${inspect(verdict, { breakLength: Infinity })} of ${inspect(value)}`, () => {
    assert.deepEqual(kind(value), verdict);
  });
}

test("isListOf() looks at the holes of a list", () => {
  const isTexts = isListOf((member) => typeof member === "string");
  assert.deepEqual([[], ["a"], ["a", 1], new Array(1), "a", null].map(isTexts), [
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
