/**
 * JSON of a provider, read strictly: what two parsers could read differently is not read at all, and a number that a
 * `number` cannot hold is not rounded to another one.
 *
 * @module
 */
import { isObject } from "../kernel/objects.ts";

/** Members of a JSON object. */
export type JsonObject = Record<string, unknown>;

/** How strictly JSON is read. */
export interface JsonOptions {
  /** Whether an object may not have two members of the same name. */
  readonly unique?: boolean;
  /** Whether a number beyond the safe integers is rounded, as `JSON.parse()` does it, and not read as text. */
  readonly rounded?: boolean;
}

/** The deepest nesting; profiles and metadata need a few levels. */
const DEPTH = 32;

/**
 * Reads an object.
 *
 * @param bytes UTF-8 without a byte order mark.
 * @param options How strictly.
 * @returns The object, or `null` if it is anything else, malformed or nested too deeply.
 */
export function readObject(
  bytes: Uint8Array | ArrayBuffer,
  { unique = false, rounded = false }: JsonOptions = {},
): JsonObject | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    // Looked at first: not every parser survives a hundred thousand brackets.
    if (isTooDeep(text)) return null;
    const value = rounded ? JSON.parse(text) as unknown : parseExact(text);
    if (unique && hasTwins(text)) return null;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * Parses JSON like `JSON.parse()`, but for numbers beyond the safe integers, whichever way they are written: each of them
 * comes as the text it was sent as. Ids of 64 bits would otherwise be rounded, many of them to the same number.
 *
 * Other fractions and exponents stay numbers, and so does `-0`.
 *
 * @param text The JSON.
 * @returns The value.
 * @throws {SyntaxError} if it is no JSON.
 * @see {@link https://www.rfc-editor.org/rfc/rfc8259#section-6 | RFC 8259, section 6}
 */
export function parseExact(text: string): unknown {
  // First of all, because quotes could make JSON of what is none, such as `01`.
  const value: unknown = JSON.parse(text);
  const exact = quoteLarge(text);
  return exact === text ? value : JSON.parse(exact);
}

/** Characters of the shortest number beyond the safe integers, `1e16`. */
const SHORTEST = 4;

// Only for text that has been parsed. By hand, because a pattern with a function takes ten times as long for a megabyte.
function quoteLarge(text: string): string {
  let quoted = "";
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = endOfString(text, at);
    if (!isOfNumber(char)) continue;
    const end = endOfNumber(text, at);
    const number = end - at < SHORTEST ? "" : text.slice(at, end);
    if (!isHeld(Number(number))) {
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
  while (isOfNumber(text.charCodeAt(at)) || isExponent(text.charCodeAt(at))) at++;
  return at;
}

// Digits, signs and the point.
function isOfNumber(char: number): boolean {
  return (char >= 0x30 && char <= 0x39) || char === 0x2b || char === 0x2d || char === 0x2e;
}

function isExponent(char: number): boolean {
  return char === 0x65 || char === 0x45;
}

/** Whether a number is not so large that it may stand for a neighbour, too. */
export function isHeld(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function isTooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (quoted && char === BACKSLASH) at++;
    else if (char === QUOTE) quoted = !quoted;
    else if (quoted) continue;
    else if (char === 0x5b || char === 0x7b) { if (++depth > DEPTH) return true; }
    else if (char === 0x5d || char === 0x7d) depth--;
  }
  return false;
}

// Only for text that has been parsed: there every quote has its partner, so the pattern runs in one pass.
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g;

function hasTwins(text: string): boolean {
  const open: Set<string>[] = [];
  for (const [token, quoted, colon] of text.matchAll(TOKEN)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (quoted && colon) {
      const names = open.at(-1);
      const name = String(JSON.parse(quoted));
      if (names?.has(name)) return true;
      names?.add(name);
    }
  }
  return false;
}
