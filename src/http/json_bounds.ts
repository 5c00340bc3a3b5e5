/**
 * Bounds of JSON from somebody who may be anybody, checked before it is parsed: what a parser makes of it costs many times
 * more than its bytes, and not every parser survives a hundred thousand brackets.
 *
 * @module
 */

/** What JSON may have at most. */
export interface JsonBounds {
  /** Levels of objects and lists. */
  readonly depth: number;
  /** Members of all objects and lists together. An empty object or list counts as one more. */
  readonly members: number;
}

/** What a visitor may send. */
export const SENT_JSON: JsonBounds = { depth: 8, members: 1000 };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Tells which bound a text exceeds if it is JSON; `null` if none. */
export function exceededBound(text: string, { depth: deepest, members: most }: JsonBounds): keyof JsonBounds | null {
  let depth = 0;
  let members = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (quoted && char === BACKSLASH) at++;
    else if (char === QUOTE) quoted = !quoted;
    else if (quoted) continue;
    else if (char === 0x5b || char === 0x7b) {
      members++;
      if (++depth > deepest) return "depth";
    } else if (char === 0x5d || char === 0x7d) depth--;
    else if (char === 0x2c) members++;
    if (members > most) return "members";
  }
  return null;
}
