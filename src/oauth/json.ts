/**
 * JSON of a provider, read strictly: what two parsers could read differently is not read at all.
 *
 * @module
 */

/** Members of a JSON object. */
export type JsonObject = Record<string, unknown>;

/** How strictly JSON is read. */
export interface JsonOptions {
  /** Whether an object may not have two members of the same name. */
  readonly unique?: boolean;
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
export function readObject(bytes: Uint8Array | ArrayBuffer, { unique = false }: JsonOptions = {}): JsonObject | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    // Looked at first: not every parser survives a hundred thousand brackets.
    if (isTooDeep(text)) return null;
    const value: unknown = JSON.parse(text);
    if (unique && hasTwins(text)) return null;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether a value is an object and not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
