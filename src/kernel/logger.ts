// deno-lint-ignore-file no-console -- the console is what this file is for
/**
 * The log: it prints to the console by default, removes secrets, and never makes a request fail.
 *
 * @module
 */
import { codeOf, isMistake, type LoggedError, reasonOf, stackOf } from "./log_line.ts";
import { aboutOf, type LogAbout, type LogSubject } from "./log_subject.ts";
import { clean, redact, redactError } from "./redact.ts";

/** One line of the log as data. Secrets have been removed, and everything in it can be written as JSON. */
export interface LogDetails {
  /** How bad it is. */
  readonly level: "error" | "warn";
  /** What happened: a stable name with an entry in `docs/errors.md`. */
  readonly code: string;
  /** What cannot be done, or what to look at. */
  readonly message: string;
  /** What the causes say, if they say more than the message. */
  readonly reason?: string;
  /** The `type` of the error, if the line is about one. */
  readonly type?: string;
  /** Eight hexadecimal digits that all lines about one request have in common, if it is about a request. */
  readonly requestId?: string;
  /** Id of the provider, if it is about one. */
  readonly provider?: string;
  /** The action, such as `signin` or `callback`, if a path of the service was asked for. */
  readonly action?: string;
  /** The cause of the error, and other evidence. */
  readonly cause?: unknown;
  /** Where the fault arose. Mistakes of visitors and failures of other services have no stack. */
  readonly stack?: string;
  /** What is wrong, if the error stands for several problems. */
  readonly problems?: readonly { readonly code: string; readonly message: string }[];
}

/**
 * The log of the service. Methods may take fewer parameters, and loggers for Auth.js work unchanged.
 *
 * @example Usage
 * ```ts
 * import { createAuth, type Logger } from "@x/auth";
 *
 * const write = (line: object) => console.log(JSON.stringify(line));
 *
 * const logger: Partial<Logger> = {
 *   error: (_error, details) => write({ ...details }),
 *   warn: (_code, _message, details) => write({ ...details }),
 * };
 *
 * const { handler } = createAuth({ providers: [], logger });
 * ```
 */
export interface Logger {
  /**
   * Logs a fault that the operator has to fix.
   *
   * @param error Its `type` says what happened, and its `cause` why.
   * @param details The same as data, with the request that it is about.
   */
  error(error: Error, details?: LogDetails): void;
  /**
   * Logs a warning: about the configuration, or a mistake of a visitor such as a wrong password.
   *
   * @param code What happened.
   * @param message A sentence about it.
   * @param details The same as data, with the request that it is about.
   */
  warn(code: string, message?: string, details?: LogDetails): void;
  /** Logs an internal step. */
  debug(message: string, metadata?: unknown): void;
}

/** The log as the service writes it: each line may name the request that it is about. */
export interface Log {
  /** Logs an error: as a warning where the visitor made the mistake. */
  error(error: Error, subject?: LogSubject): void;
  /** Logs a warning, with its code. */
  warn(code: string, message?: string, subject?: LogSubject): void;
  /** Logs an internal step. */
  debug(message: string, metadata?: object, subject?: LogSubject): void;
}

/** The options of {@linkcode createLogger}. */
export interface LoggerOptions {
  /** Methods that replace the default ones. */
  readonly logger?: Partial<Logger> | undefined;
  /** Whether the default `debug` prints. */
  readonly debug?: boolean | undefined;
}

/**
 * Creates a logger. Its methods remove secrets before they call yours, and ignore what yours throw.
 *
 * @param options Replacements and the debug switch.
 * @returns A logger with all methods.
 */
export function createLogger({ logger, debug = false }: LoggerOptions): Log {
  const error = own(logger, "error") ?? ((_: Error, details: LogDetails) => print(console.error, details));
  const warn = own(logger, "warn") ??
    ((_: string, __: string | undefined, details: LogDetails) => print(console.warn, details));
  const trace = own(logger, "debug") ?? (debug ? printDebug : null);
  return {
    error: (given, subject) =>
      ignoreErrors(() => {
        const copied = redactError(given);
        const details = describe(copied, subject);
        return details.level === "warn" ? warn(details.code, details.message, details) : error(copied, details);
      }),
    warn: (code, message, subject) =>
      ignoreErrors(() => {
        const told = { level: "warn", code: clean(code), message: clean(message ?? ""), ...about(subject) } as const;
        return warn(told.code, message === undefined ? message : told.message, told);
      }),
    // This runs for every request, so nothing is copied unless it is printed.
    debug: trace
      ? (message, metadata, subject) =>
        ignoreErrors(() => trace(clean(message), redact(subject ? { ...metadata, ...aboutOf(subject) } : metadata)))
      : () => {},
  };
}

// The check of the configuration reports members that are not functions.
function own<Name extends keyof Logger>(logger: LoggerOptions["logger"], name: Name): Logger[Name] | null {
  const method: unknown = logger?.[name];
  return typeof method === "function" ? method.bind(logger) : null;
}

function ignoreErrors(write: () => unknown): void {
  try {
    const pending = write();
    // A logger may be asynchronous although its type says otherwise.
    if (pending instanceof Promise) pending.catch(() => {});
  } catch {
    // The failure of a log cannot be logged.
  }
}

function about(subject: LogSubject | undefined): LogAbout {
  return redact(aboutOf(subject)) as LogAbout;
}

function describe(error: LoggedError, subject: LogSubject | undefined): LogDetails {
  const reason = reasonOf(error);
  const stack = stackOf(error);
  const { type, cause, problems } = error;
  return {
    level: isMistake(error) ? "warn" : "error",
    code: codeOf(error),
    message: error.message,
    ...(reason && { reason }),
    ...(typeof type === "string" && { type }),
    ...about(subject),
    ...(cause !== undefined && { cause }),
    ...(stack && { stack }),
    ...(Array.isArray(problems) && {
      problems: problems.map((each: LoggedError) => ({ code: codeOf(each), message: each.message })),
    }),
  };
}

// One line for the headline, and one for each problem. The stack follows where it tells more.
function print(write: (line: string) => void, details: LogDetails): void {
  const { level, message, reason, provider, action, requestId, stack, problems = [] } = details;
  const facts = Object.entries({ action, provider, request: requestId }).filter(([, value]) => value);
  const where = facts.length > 0 ? ` (${facts.map(([name, value]) => `${name} ${value}`).join(", ")})` : "";
  const line = (code: string, text: string) => write(`[auth][${level}] ${code}${text && `: ${text}`}${where}`);
  if (problems.length === 0) line(details.code, reason ? `${message.replace(/\.$/, "")}: ${reason}` : message);
  for (const problem of problems) line(problem.code, problem.message);
  if (stack) write(stack);
}

function printDebug(message: string, metadata?: unknown): void {
  console.log(`[auth][debug] ${message}`, metadata === undefined ? "" : JSON.stringify(metadata));
}
