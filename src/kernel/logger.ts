// deno-lint-ignore-file no-console -- the console is what this file is for
/**
 * The log: the console by default, without secrets, and never a reason for a request to fail.
 *
 * @module
 */

/** Where the service writes what happens. */
export interface Logger {
  /** An error; its `type` and `cause` tell more. */
  error(error: Error): void;
  /** A warning, by its code. */
  warn(code: string, message?: string): void;
  /** What happens inside, for whoever is looking for a fault. */
  debug(message: string, metadata?: unknown): void;
}

/** What {@linkcode createLogger} is told. */
export interface LoggerOptions {
  /** Methods that replace the default ones, each on its own. */
  readonly logger?: Partial<Logger> | undefined;
  /** Whether the default `debug` prints. */
  readonly debug?: boolean | undefined;
}

/**
 * Makes the log of one service: every method redacts what it is given and survives a method that throws.
 *
 * @param options Replacements and the debug switch.
 * @returns A complete logger.
 */
export function createLogger({ logger = {}, debug = false }: LoggerOptions): Logger {
  const error = logger.error?.bind(logger) ?? printError;
  const warn = logger.warn?.bind(logger) ?? printWarning;
  const trace = logger.debug?.bind(logger) ?? (debug ? printDebug : null);
  return {
    error: (given) => survive(() => error(redactError(given))),
    warn: (code, message) => survive(() => warn(clean(code), message === undefined ? message : clean(message))),
    // Nothing is copied for a log that nobody reads: this runs for every request.
    debug: trace ? (message, metadata) => survive(() => trace(clean(message), redact(metadata))) : () => {},
  };
}

function survive(write: () => unknown): void {
  try {
    const pending = write();
    // A logger may be asynchronous although its type says otherwise.
    if (pending instanceof Promise) pending.catch(() => {});
  } catch {
    // A log that fails has nowhere to say so.
  }
}

const SECRET_NAME =
  /(secret|token|password|passwd|verifier|assertion|authorization|cookie|private_?key|^code$|^state$|^nonce$|^jwt$|credential)/i;
const DEPTH = 6;
const HIDDEN = "[redacted]";

/**
 * Copies a value for the log: members whose names promise secrets are hidden, depth and length are bounded,
 * control characters cannot start a line of their own.
 *
 * @param value Anything.
 * @returns A copy that may be printed.
 */
export function redact(value: unknown): unknown {
  return copy(value, DEPTH, new Set());
}

function copy(value: unknown, depth: number, above: Set<unknown>): unknown {
  if (typeof value === "string") return clean(value);
  if (typeof value === "bigint") return String(value); // JSON has no word for it
  if (typeof value === "function" || typeof value === "symbol") return `[${typeof value}]`;
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0 || above.has(value)) return "[…]";
  above.add(value);
  try {
    if (value instanceof Date || value instanceof URL) return clean(String(value));
    if (value instanceof Error) return describe(value, depth, above);
    if (Array.isArray(value)) return value.slice(0, 50).map((item) => copy(item, depth - 1, above));
    return members(value, depth, above);
  } catch {
    return "[unreadable]"; // a getter that throws, a revoked proxy
  } finally {
    above.delete(value);
  }
}

/** Members of the errors of databases that repeat the statement, its values, or rows: tokens and addresses are there. */
const STATEMENT_NAME = /^(detail|where|parameters|params|args|query|internalquery|values|bindings|sql|sqlmessage)$/i;

// The `code` of an error names a case (ECONNREFUSED); anywhere else it is an authorization code.
function isSecret(name: string, member: unknown, owner: object): boolean {
  if (member === undefined || member === null || typeof member === "boolean") return false;
  if (owner instanceof Error) return STATEMENT_NAME.test(name) || (name !== "code" && SECRET_NAME.test(name));
  return SECRET_NAME.test(name);
}

function members(value: object, depth: number, above: Set<unknown>): Record<string, unknown> {
  const copied: Record<string, unknown> = Object.create(null);
  for (const [name, member] of Object.entries(value).slice(0, 50)) {
    copied[clean(name)] = isSecret(name, member, value) ? HIDDEN : copy(member, depth - 1, above);
  }
  return copied;
}

function describe(error: Error, depth: number, above: Set<unknown>): Record<string, unknown> {
  const { cause } = error;
  const head = { name: clean(nameOf(error)), message: clean(String(error.message)) };
  return {
    ...head,
    ...members(error, depth, above),
    ...head,
    stack: stackOf(error, head),
    cause: cause === undefined ? undefined : copy(cause, depth - 1, above),
  };
}

// The names of classes do not survive minifying; the types of our own errors do.
function nameOf(error: Error): string {
  const { type } = error as { readonly type?: unknown };
  return "family" in error && typeof type === "string" ? type : String(error.name);
}

const FRAME = /^\s+at /;

/** Writes a stack anew: of what it was, only lines that are frames begin a line. */
function stackOf(error: Error, { name, message }: Readonly<Record<"name" | "message", string>>): string | undefined {
  const { stack } = error;
  if (typeof stack !== "string") return undefined;
  const said = String(error.message);
  // A message could have lines that look like frames.
  const below = stack.slice(0, 65_536).slice(stack.indexOf(said) + said.length);
  const frames = below.split("\n").filter((line) => FRAME.test(line)).map((line) => clean(line));
  return [`${name}: ${message}`, ...frames].join("\n");
}

// Long opaque runs are tokens more often than prose: a code, a verifier quoted in somebody's message. A JWT can be of
// short parts, but begins as every JSON object does.
const OPAQUE = /eyJ[A-Za-z0-9_-]*\.[A-Za-z0-9_.-]+|[A-Za-z0-9_~+/=-]{32,}(?:\.[A-Za-z0-9_~+/=.-]*)?/g;
// Ends of lines, escapes of terminals, and what turns the direction of writing.
// deno-lint-ignore no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The values of a statement, as Drizzle puts them behind its messages. */
const VALUES = /\nparams: [^]*/;

function clean(given: string): string {
  const text = String(given).slice(0, 8192).replace(VALUES, ` params: ${HIDDEN}`);
  return text.replace(OPAQUE, hideUnlessPath).replace(CONTROL, " ");
}

function hideUnlessPath(run: string): string {
  // File paths in stack traces are long runs too; a token has no lower-case path segments between slashes.
  return /^(?:[a-z0-9_@.+-]*\/)+[a-z0-9_@.+-]*$/i.test(run) && run.split("/").every((part) => part.length < 32)
    ? run
    : HIDDEN;
}

function redactError(error: Error): Error {
  try {
    // Anything can be thrown, and told to the log as it was.
    const given = error instanceof Error ? error : new Error(typeof error === "string" ? error : "[no error]");
    const copied = describe(given, DEPTH, new Set([given]));
    return Object.assign(Object.create(Object.getPrototypeOf(given)), copied) as Error;
  } catch {
    return new Error("[unreadable]"); // that there was an error is worth a line
  }
}

function printError(error: Error): void {
  const { name, message, cause } = error;
  console.error(`[auth][error] ${name}: ${message}`);
  if (cause !== undefined) console.error(`[auth][cause] ${JSON.stringify(cause)}`);
  if (error.stack) console.error(error.stack);
}

function printWarning(code: string, message?: string): void {
  console.warn(message ? `[auth][warn] ${code}: ${message}` : `[auth][warn] ${code}`);
}

function printDebug(message: string, metadata?: unknown): void {
  console.log(`[auth][debug] ${message}`, metadata === undefined ? "" : JSON.stringify(metadata));
}
