/**
 * A strict reader for the JSON of providers. It refuses what two parsers could read differently, and gives numbers that
 * `JSON.parse()` would round as text.
 *
 * @module
 */
import { exceededBound, type JsonBounds } from "../http/json_bounds.ts";
import { isObject } from "../kernel/objects.ts";

/** The members of a JSON object. */
export type JsonObject = Record<string, unknown>;

/** Profiles and metadata need a few levels, and may have many members: roles, groups. */
const BOUNDS: JsonBounds = { depth: 32, members: Infinity };

/**
 * Reads a JSON object in UTF-8 without a byte order mark; `null` for anything else, malformed or beyond its bounds, which are
 * those of a provider if there are no others.
 */
export function readObject(bytes: Uint8Array | ArrayBuffer, bounds = BOUNDS): JsonObject | null {
  return read(bytes, bounds)?.exact ?? null;
}

/** A JSON object, read in both ways. */
export interface UniqueObject {
  /** As `JSON.parse()` reads it. */
  readonly rounded: JsonObject;
  /** With numbers that would be rounded as text. The same object if there are none. */
  readonly exact: JsonObject;
}

/** Reads a JSON object as {@linkcode readObject} does; `null` also if objects in it have two members of the same name. */
export function readUniqueObject(bytes: Uint8Array | ArrayBuffer): UniqueObject | null {
  return read(bytes, BOUNDS, hasDuplicates);
}

// A compact JWE has five parts, and the second one is empty where the key is shared (RFC 7516, section 7.1).
const ENCRYPTED = /^[\w-]+(?:\.[\w-]*){4}$/;

/** Whether a text has the form of a compact JWE. */
export function isEncrypted(text: string): boolean {
  return ENCRYPTED.test(text);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function read(
  bytes: Uint8Array | ArrayBuffer,
  bounds: JsonBounds,
  isWrong: (text: string) => boolean = () => false,
): UniqueObject | null {
  try {
    const text = decoder.decode(bytes);
    if (exceededBound(text, bounds)) return null;
    const rounded: unknown = JSON.parse(text);
    if (!isObject(rounded) || isWrong(text)) return null;
    const quoted = quoteLarge(text);
    return { rounded, exact: quoted === text ? rounded : JSON.parse(quoted) as JsonObject };
  } catch {
    return null;
  }
}

/**
 * Parses JSON like `JSON.parse()`, except that numbers beyond the safe integers become text, as they were sent. Otherwise
 * different 64-bit ids would be rounded to the same number.
 *
 * Other fractions and exponents stay numbers, and so does `-0`.
 *
 * @throws {SyntaxError} if the text is not JSON.
 * @see {@link https://www.rfc-editor.org/rfc/rfc8259#section-6 | RFC 8259, section 6}
 */
export function parseExact(text: string): unknown {
  // Parsed before quotes are added, which could turn invalid JSON such as `01` into valid JSON.
  const value: unknown = JSON.parse(text);
  const exact = quoteLarge(text);
  return exact === text ? value : JSON.parse(exact);
}

/** Characters of the shortest number beyond the safe integers: `1e16`. */
const SHORTEST = 4;

// Only for valid JSON. Not a regular expression with a replacer: that takes ten times as long for a megabyte.
function quoteLarge(text: string): string {
  let quoted = "";
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = endOfString(text, at);
    if (!isNumberChar(char)) continue;
    const end = endOfNumber(text, at);
    const number = end - at < SHORTEST ? "" : text.slice(at, end);
    if (!isExact(Number(number))) {
      quoted += `${text.slice(copied, at)}"${number}"`;
      copied = end;
    }
    at = end - 1;
  }
  return quoted + text.slice(copied);
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (isNumberChar(text.charCodeAt(at)) || isExponent(text.charCodeAt(at))) at++;
  return at;
}

// Digits, signs and the decimal point.
function isNumberChar(char: number): boolean {
  return (char >= 0x30 && char <= 0x39) || char === 0x2b || char === 0x2d || char === 0x2e;
}

function isExponent(char: number): boolean {
  return char === 0x65 || char === 0x45;
}

/** Whether a number is small enough not to have been rounded from another integer. */
export function isExact(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

// Only for valid JSON: every quote is closed there, so the pattern runs in linear time.
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g;

function hasDuplicates(text: string): boolean {
  const open: Set<string>[] = [];
  for (const [token, quoted, colon] of text.matchAll(TOKEN)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (quoted && colon) {
      const names = open.at(-1);
      const name = quoted.includes("\\") ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
      if (names?.has(name)) return true;
      names?.add(name);
    }
  }
  return false;
}
