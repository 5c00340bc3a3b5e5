/**
 * Writes a body again that a framework has parsed.
 *
 * @module
 */

/** The message of the error of a body that something has read before. */
export const READ_BEFORE = "Cannot read body: something has read it before";

/** A body as it is sent. */
export type ParsedBody = string | Uint8Array<ArrayBuffer>;

/** The deepest nesting of a form. Parsers stop at 5. */
const MAX_DEPTH = 8;

/**
 * Writes a parsed body as its content type demands: JSON with its structure, a form with a pair for each value. Text and
 * bytes stay as they are.
 *
 * @param body What a parser made of the body.
 * @param type The header `Content-Type`.
 * @returns The body; `null` if the type is neither that of a form nor that of JSON.
 * @throws {TypeError} if the body cannot be written in this type.
 */
export function rebuildBody(body: unknown, type: string | null): ParsedBody | null {
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return new Uint8Array(body);
  const [essence = ""] = /^[^;\s]*/.exec(type ?? "") ?? [];
  switch (essence.toLowerCase()) {
    case "application/json":
      return JSON.stringify(body) ?? "";
    case "application/x-www-form-urlencoded":
      return String(new URLSearchParams([...pairsOf(body, "", MAX_DEPTH)]));
    default:
      return null;
  }
}

// A list is a repeated name, and an object has its names in brackets, as `user[name]`.
function* pairsOf(value: unknown, name: string, depth: number): Generator<[string, string]> {
  if (value === undefined || value === null) return;
  if (typeof value !== "object") return yield [name, String(value)];
  if (depth === 0) throw new TypeError("Cannot write body: it is nested too deeply");
  for (const [key, member] of Object.entries(value)) {
    const inner = Array.isArray(value) ? name : name === "" ? key : `${name}[${key}]`;
    yield* pairsOf(member, inner, depth - 1);
  }
}
