/**
 * What the log says about an error: its code, its level, and one sentence with the reason.
 *
 * @module
 */
import type { AuthErrorFamily } from "./auth_error.ts";
import type { LogCode } from "./log_codes.ts";

/** An error without secrets, as `redactError()` copies it. Its causes are plain records. */
export type LoggedError = Error & {
  readonly type?: unknown;
  readonly family?: unknown;
  readonly logCode?: unknown;
  readonly problems?: unknown;
};

type Facts = Readonly<Record<string, unknown>>;

/** Families of what visitors do wrong, or what cannot be helped: a warning each. */
const MISTAKES: ReadonlySet<unknown> = new Set<AuthErrorFamily>(["sign-in", "denied", "request"]);

/** Types and codes that belong to such a family, and are faults all the same. */
const FAULTS: ReadonlySet<unknown> = new Set([
  "callback-threw",
  "callback-result",
  "EmailSignInError",
  "InvalidProvider",
  "OAuthCallbackError",
]);

/** Codes of what is no fault, whatever its type. */
const NO_FAULTS: ReadonlySet<unknown> = new Set<LogCode>([
  "code-refused",
  "email-address",
  "logout-refused",
  "sign-in-cancelled",
]);

/** Types and codes of errors behind which code of the developer's may have failed, so that its stack helps. */
const CALLS_USERS: ReadonlySet<unknown> = new Set([
  "callback-threw",
  "config-unresolved",
  "email-not-sent",
  "AuthError",
  "CallbackRouteError",
  "EventError",
  "JWTSessionError",
  "OAuthProfileParseError",
  "SessionTokenError",
  "SignOutError",
  "adapter-failed",
]);

/** The longest reason of a line, in characters. */
const LONGEST_REASON = 500;

/** How many causes of causes are looked at. */
const DEPTH = 6;

/** The code of an error: its own, else its type in lower case. Whatever is not ours is `unexpected`. */
export function codeOf({ type, logCode }: LoggedError): string {
  if (typeof logCode === "string") return logCode;
  return typeof type === "string" ? kebab(type) : "unexpected";
}

function kebab(type: string): string {
  return type.replace(/OAuth/g, "Oauth").replace(/WebAuthn/g, "Webauthn")
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$3-$2").toLowerCase();
}

/** Whether the visitor made a mistake, so that nobody has to act. */
export function isMistake({ family, type, logCode }: LoggedError): boolean {
  return NO_FAULTS.has(logCode) || (MISTAKES.has(family) && !FAULTS.has(logCode) && !FAULTS.has(type));
}

/** What the causes of an error say, the nearest first, as far as the message does not say it already. */
export function reasonOf({ message, cause }: LoggedError): string | undefined {
  const said: string[] = [];
  const add = (text: string) => {
    if (text !== "" && ![message, ...said].some((known) => known.includes(text))) said.push(text);
  };
  const causes = causesOf(cause);
  for (const [at, each] of causes.entries()) if (at === causes.length - 1 || isOurs(each)) add(sentenceOf(each));
  return said.length === 0 ? undefined : said.join(": ").slice(0, LONGEST_REASON);
}

/** The stack that shows where a fault of the developer's code, or of ours, arose. */
export function stackOf(error: LoggedError): string | undefined {
  if (isMistake(error)) return undefined;
  if (!isOurs(error)) return innermost(error).stack;
  if (!CALLS_USERS.has(error.type) && !CALLS_USERS.has(error.logCode)) return undefined;
  const last = causesOf(error.cause).at(-1);
  // Errors of systems and databases have a code, and say all in one sentence.
  if (!last || isOurs(last) || typeof last.code === "string" || typeof last.stack !== "string") return undefined;
  return last.stack;
}

function innermost(error: LoggedError): { readonly stack?: string | undefined } {
  const last = causesOf(error.cause).at(-1);
  return typeof last?.stack === "string" ? { stack: last.stack } : error;
}

function isOurs({ type, family }: { readonly type?: unknown; readonly family?: unknown }): boolean {
  return typeof type === "string" && typeof family === "string";
}

/** Lists the causes of an error, the nearest first. Evidence that only wraps an error is left out. */
export function causesOf(cause: unknown): Facts[] {
  const found: Facts[] = [];
  let next: unknown = cause;
  for (let depth = 0; depth < DEPTH && next !== undefined && next !== null; depth++) {
    const facts: Facts = typeof next === "object" ? next as Facts : { message: String(next) };
    const wrapped = "err" in facts && !("stack" in facts);
    if (!wrapped) found.push(facts);
    next = wrapped ? facts.err : facts.cause;
  }
  return found;
}

function sentenceOf(facts: Facts): string {
  const { message, code, name, stack } = facts;
  if (typeof message === "string" && message !== "") return message;
  // Some errors of systems have a code and no message.
  if (stack !== undefined) return String(code ?? name);
  const { error, error_description: description, reason, ...others } = facts;
  const said = [error, description, reason].filter((text) => typeof text === "string").join(": ");
  const rest = Object.entries(others).filter(([name, value]) => !UNSAID.has(name) && value !== undefined)
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`).join(", ");
  return said && rest ? `${said} (${rest})` : said || rest;
}

/** Evidence for programs, which says nothing more to people. */
const UNSAID: ReadonlySet<string> = new Set(["name", "kind"]);
