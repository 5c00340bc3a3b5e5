/**
 * Kinds of values. A kind looks at a value and says how it is read.
 *
 * @module
 */
import { isColor } from "../kernel/color.ts";
import { isPathData } from "../http/path_data.ts";
import type { LogCode } from "../kernel/log_codes.ts";
import { describeValue, isObject, isPlainObject, kindOf } from "../kernel/objects.ts";

/** How a value is read. What it says follows the name of the option. */
export type Verdict =
  /** As it was written. */
  | { readonly is: "fine" }
  /** As it was written, unless one of the rules about several options objects. The rules are loaded late. */
  | { readonly is: "ruled" }
  /** As another value, because it can be meant in one way only. */
  | { readonly is: "mended"; readonly value: unknown; readonly says?: string | undefined; readonly code?: LogCode }
  /** As if it was not set. `null` is how some write that. */
  | { readonly is: "ignored"; readonly says?: string | undefined }
  /** Not at all: nothing is served, or the provider is left out. */
  | { readonly is: "wrong"; readonly says: string; readonly code?: LogCode };

/** Looks at a value that is not `undefined`. */
export type Kind = (value: unknown) => Verdict;

/** What most values are. */
export const FINE: Verdict = { is: "fine" };
const RULED: Verdict = { is: "ruled" };
const UNSET: Verdict = { is: "ignored" };

function wrong(says: string, code?: LogCode): Verdict {
  return { is: "wrong", says, ...(code && { code }) };
}

/** Any value: a rule looks at it, or the code that uses it does. */
export function anything(): Verdict {
  return FINE;
}

/** Any value that passes a test. A sentence about another one ends with what it is. */
export function must(be: string, test: (value: unknown) => boolean): Kind {
  return (value) => test(value) ? FINE : wrong(`must be ${be}, not ${describeValue(value)}`);
}

/** The same, where a sentence does not say what the value is. */
export function exactly(be: string, test: (value: unknown) => boolean): Kind {
  return (value) => test(value) ? FINE : wrong(`must be ${be}`);
}

/** The same, for an option that only changes how things look or how long they take: another value is ignored. */
export function otherwiseIgnored(be: string, test: (value: unknown) => boolean, show = describeValue): Kind {
  return (value) => {
    if (value === null) return UNSET;
    return test(value) ? FINE : { is: "ignored", says: `is ${show(value)} and is ignored: set it to ${be}` };
  };
}

/** `null` counts as not set. */
export function orNull(kind: Kind): Kind {
  return (value) => value === null ? UNSET : kind(value);
}

/** A kind that rules have to be asked about, unless the value is the one that they say nothing of. */
export function ruled(kind: Kind = anything, usual?: unknown): Kind {
  return (value) => {
    const verdict = kind(value);
    return verdict === FINE && (usual === undefined || value !== usual) ? RULED : verdict;
  };
}

/** An object with members. */
export function object(value: unknown): Verdict {
  return isObject(value) ? FINE : wrong(`must be an object, not ${kindOf(value)}`);
}

/** An object that the service can do without. */
export function look(value: unknown): Verdict {
  if (isPlainObject(value)) return FINE;
  return { is: "ignored", says: `is ${kindOf(value)} and not an object, so it is ignored` };
}

/** A function. `null` stays, so that the others are called on the object that they were written in. */
export function functionOrNull(value: unknown): Verdict {
  return value === null ? FINE : aFunction(value);
}

const aFunction = must("a function", (value) => typeof value === "function");

export const trueOrFalse: Kind = must("true or false", (value) => typeof value === "boolean");

/** One of some words. */
export function oneOf(...words: readonly string[]): Kind {
  return must(listed(words), (value) => words.includes(value as string));
}

/** One of some words, in upper or lower case. */
export function wordOf(...words: readonly string[]): Kind {
  const exact = orNull(oneOf(...words));
  return (value) => {
    const lower = typeof value === "string" ? value.trim().toLowerCase() : "";
    return lower !== value && words.includes(lower) ? readAs(value, lower) : exact(value);
  };
}

/** A word of which upper case is read as lower case. Rules know which words there are. */
export function lowerCase(value: unknown): Verdict {
  return typeof value === "string" && value !== value.toLowerCase() ? readAs(value, value.toLowerCase()) : FINE;
}

function readAs(value: unknown, word: string): Verdict {
  return { is: "mended", value: word, says: `is ${describeValue(value)}: it is read as "${word}"` };
}

/** One of some words, for a part of the pages. */
export function lookOf(...words: readonly string[]): Kind {
  return otherwiseIgnored(listed(words), (value) => words.includes(value as string));
}

function listed(words: readonly string[]): string {
  const [last, ...before] = words.map((word) => JSON.stringify(word)).toReversed();
  return before.length === 0 ? String(last) : `${before.toReversed().join(", ")} or ${last}`;
}

/** A colour of CSS. */
export const color: Kind = otherwiseIgnored(
  'a CSS colour such as "#346df1"',
  (value) => value === "" || isColor(value),
);

/** A colour, or the mark, of the button of a provider. */
export const buttonColor: Kind = ofButton('a CSS colour such as "#346df1"', isColor);
export const buttonMark: Kind = ofButton("path data of SVG in at most 8192 characters", isPathData);

function ofButton(what: string, test: (value: unknown) => boolean): Kind {
  return (value) => {
    if (test(value)) return FINE;
    return value ? { is: "ignored", says: `is not ${what}, so it is ignored` } : UNSET;
  };
}

/** Reads numbers that were written as text, as the environment and forms have them. */
export function number(what: string, test: (value: number) => boolean): Kind {
  return (value) => {
    if (value === null) return UNSET;
    const isText = typeof value === "string" && /^ *\d{1,10}(?:\.\d{1,9})? *$/.test(value);
    const read = isText ? Number(value) : value;
    if (typeof read !== "number" || !test(read)) return wrong(`must be ${what}, not ${describeValue(value)}`);
    if (!isText) return FINE;
    return { is: "mended", value: read, says: `is the text ${describeValue(value)}: it is read as the number ${read}` };
  };
}

/** Ten years, in seconds. A number of milliseconds is larger from four days on. */
const LONGEST = 10 * 366 * 24 * 60 * 60;

/** How long something lives, in seconds. */
export function seconds({ least }: { readonly least: number }): Kind {
  const kind = number("a number of seconds", (value) => value >= least && value <= LONGEST);
  return (value) => {
    const verdict = kind(value);
    return verdict.is === "wrong" ? tooLong(typeof value === "string" ? Number(value) : value) ?? verdict : verdict;
  };
}

function tooLong(value: unknown): Verdict | null {
  if (typeof value !== "number" || !(value > LONGEST && value < Infinity)) return null;
  const years = Math.round(value / (365.25 * 24 * 60 * 60));
  const meant = Math.round(value / 1000);
  const says = `is ${value} seconds, which are ${years} years; if you meant milliseconds, write ${meant}`;
  return wrong(says, "seconds-too-long");
}

const timeout = number("", (value) => value >= 0.001 && value < 1e10);

/** The longest deadline that is not a mistake, in seconds. */
const LONGEST_DEADLINE = 1000;

/** A deadline, in seconds. */
export function deadline(value: unknown): Verdict {
  const verdict = timeout(value);
  if (verdict.is === "wrong") {
    return { is: "ignored", says: `is ${describeValue(value)}, so its default is used: set it to a number of seconds` };
  }
  if (verdict !== FINE || Number(value) < LONGEST_DEADLINE) return verdict;
  const says = `is ${value} seconds, which looks like milliseconds: set it to ${Number(value) / 1000}`;
  return { is: "mended", value, says, code: "seconds-too-long" };
}

/** A list of which each member passes a test. Holes in it are looked at, too. */
export function isListOf(test: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && [...value].every(test);
}

/** A kind of which rules look at a text that may be a mistake, so that other texts do not load them. */
export function ruledIf(doubtful: RegExp, kind: Kind): Kind {
  const asked = ruled(kind);
  return (value) => (typeof value === "string" && doubtful.test(value) ? asked : kind)(value);
}

/** What pages show as a logo. Code of the developer's may show another in emails, so the value stays. */
export function logo(value: unknown): Verdict {
  if (value === null || typeof value !== "string") return otherwiseIgnored(A_LOGO, () => false)(value);
  if (value === "" || /^(?:\/(?![/\\])|data:image\/|https:\/\/[^/@]+(?:\/|$))/i.test(value)) return FINE;
  return { is: "mended", value, says: `is ${describeValue(value)}, which pages do not show: set it to ${A_LOGO}` };
}

const A_LOGO = 'the URL of an image: an https URL, a path that begins with one slash, or a "data:" URL';
