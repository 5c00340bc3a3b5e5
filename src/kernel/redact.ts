/**
 * What may stand in the log: copies of values without secrets, of limited size, that cannot forge a line.
 *
 * @module
 */
import { isDate } from "./objects.ts";

const SECRET_NAME =
  /(secret|token|password|passwd|verifier|assertion|authorization|cookie|private_?key|^code$|^state$|^nonce$|^jwt$|credential)/i;
const DEPTH = 6;
const HIDDEN = "[redacted]";

/**
 * Copies a value for the log. Members whose names suggest secrets are hidden, depth and length are limited, and control
 * characters are escaped, so that nothing can forge a line of the log.
 *
 * @param value Anything.
 * @returns A copy that may be printed.
 */
export function redact(value: unknown): unknown {
  return copy(value, DEPTH, new Set());
}

function copy(value: unknown, depth: number, above: Set<unknown>): unknown {
  if (typeof value === "string") return clean(value);
  if (typeof value === "bigint") return String(value); // JSON.stringify() throws over it
  if (typeof value === "function" || typeof value === "symbol") return `[${typeof value}]`;
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0 || above.has(value)) return "[…]";
  above.add(value);
  try {
    if (isDate(value) || value instanceof URL) return clean(String(value));
    if (value instanceof Error) return describe(value, depth, above);
    if (Array.isArray(value)) return value.slice(0, 50).map((item) => copy(item, depth - 1, above));
    return members(value, depth, above);
  } catch {
    return "[unreadable]"; // a getter that throws, a revoked proxy
  } finally {
    above.delete(value);
  }
}

/** Members that errors of databases have, which repeat the statement, its values or rows: with tokens and addresses. */
const STATEMENT_NAME = /^(detail|where|parameters|params|args|query|internalquery|values|bindings|sql|sqlmessage)$/i;

/** What a provider says about an error. It holds ids to look up at the provider, which are not secret. */
const DESCRIPTION = "error_description";

// The `code` of an error is a word such as ECONNREFUSED. Anywhere else it is an authorization code.
function isSecret(name: string, member: unknown, owner: object): boolean {
  if (member === undefined || member === null || typeof member === "boolean") return false;
  if (owner instanceof Error) return STATEMENT_NAME.test(name) || (name !== "code" && SECRET_NAME.test(name));
  return SECRET_NAME.test(name);
}

function members(value: object, depth: number, above: Set<unknown>): Record<string, unknown> {
  const copied: Record<string, unknown> = Object.create(null);
  for (const [name, member] of Object.entries(value).slice(0, 50)) {
    if (isSecret(name, member, value)) copied[clean(name)] = HIDDEN;
    else if (name === DESCRIPTION && typeof member === "string") copied[name] = clean(member, isShownInDescriptions);
    else copied[clean(name)] = copy(member, depth - 1, above);
  }
  return copied;
}

function describe(error: Error, depth: number, above: Set<unknown>): Record<string, unknown> {
  // A connection that is tried at several addresses fails with a list of errors, and no message.
  const { cause = error instanceof AggregateError ? error.errors[0] : undefined } = error;
  const head = { name: clean(nameOf(error)), message: clean(String(error.message)) };
  return {
    ...head,
    ...members(error, depth, above),
    ...head,
    stack: stackOf(error, head),
    cause: cause === undefined ? undefined : copy(cause, depth - 1, above),
  };
}

// Class names do not survive minifying; `type` does.
function nameOf(error: Error): string {
  const { type } = error as { readonly type?: unknown };
  return "family" in error && typeof type === "string" ? type : String(error.name);
}

const FRAME = /^\s+at /;

/** Rewrites a stack so that only frames begin lines. */
function stackOf(error: Error, { name, message }: Readonly<Record<"name" | "message", string>>): string | undefined {
  const { stack } = error;
  if (typeof stack !== "string") return undefined;
  const said = String(error.message);
  // Skip the message: its lines could look like frames.
  const below = stack.slice(0, 65_536).slice(stack.indexOf(said) + said.length);
  const frames = below.split("\n").filter((line) => FRAME.test(line)).map((line) => clean(line));
  return [`${name}: ${message}`, ...frames].join("\n");
}

// A long run of such characters is more likely a token than prose, such as a code quoted in a provider's message. The
// parts of a JWT can be short, but it always begins with the base64url of `{"`.
const OPAQUE = /eyJ[A-Za-z0-9_-]*\.[A-Za-z0-9_.-]+|[A-Za-z0-9_~+/=-]{32,}(?:\.[A-Za-z0-9_~+/=.-]*)?/g;
// Line ends, escape sequences of terminals, and characters that change the writing direction.
// deno-lint-ignore no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The values of a statement, as Drizzle appends them to its messages. */
const VALUES = /\nparams: [^]*/;

/** The name and the password in a URL: drivers quote connection strings. A port is not a password. */
const USER_INFO = /:\/\/[^\s/@:]{0,256}:(?!\d{1,5}[/?#])[^\s@]{1,256}@/g;

/** Removes what is likely a secret from a text, limits its length, and escapes control characters. */
export function clean(given: string, isShown = isNoSecret): string {
  const text = String(given).slice(0, 8192).replace(VALUES, ` params: ${HIDDEN}`)
    .replace(USER_INFO, "://…@");
  return text.replace(OPAQUE, (run) => isShown(run) ? run : HIDDEN).replace(CONTROL, escape);
}

function isNoSecret(run: string): boolean {
  return isPath(run) || areWords(run);
}

function isShownInDescriptions(run: string): boolean {
  return isNoSecret(run) || UUID.test(run);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.?$/i;

// Paths of files are long runs too. Their segments are short, and those of tokens are not.
function isPath(run: string): boolean {
  return /^(?:[a-z0-9_@.+-]*\/)+[a-z0-9_@.+-]*$/i.test(run) && run.split("/").every((part) => part.length < 32);
}

// Names of options and metadata, and long words. Random text has digits, or changes its case every few letters.
function areWords(run: string): boolean {
  if (/^eyJ|[0-9]/.test(run)) return false;
  const words = run.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  return letters >= 4 * words.length && words.every((word) => word.length < 24 || /[a-z]/.test(word));
}

function escape(char: string): string {
  const short = JSON.stringify(char).slice(1, -1);
  return short === char ? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}` : short;
}

/** Copies an error for the log. Any other thrown value becomes an error. */
export function redactError(error: Error): Error {
  try {
    // JavaScript can throw anything, not only errors.
    const given = error instanceof Error ? error : new Error(typeof error === "string" ? error : "[no error]");
    const copied = describe(given, DEPTH, new Set([given]));
    return Object.assign(Object.create(Object.getPrototypeOf(given)), copied) as Error;
  } catch {
    return new Error("[unreadable]"); // log at least that there was an error
  }
}
