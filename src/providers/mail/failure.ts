/**
 * Why a service did not accept an email: as a code for programs, and in words without secrets.
 *
 * @module
 */
import { EmailSignInError } from "../../kernel/errors.ts";

/**
 * Why an email was not sent.
 *
 * - `key`: the API key is wrong, was revoked, or may not send email.
 * - `address`: the sender is not verified, or the recipient is refused.
 * - `limit`: too many emails, or no more credit.
 * - `timeout`: the service did not answer in time. The email may have been sent.
 * - `unavailable`: the service cannot be reached, or failed.
 * - `refused`: anything else.
 */
export type MailFailureReason = "key" | "address" | "limit" | "timeout" | "unavailable" | "refused";

/** The `cause` of an `EmailSignInError` of a mail service. */
export interface MailFailure {
  /** The name of the service. */
  readonly service: string;
  /** What went wrong. */
  readonly reason: MailFailureReason;
  /** The status of its answer, if it answered. */
  readonly status?: number;
  /** The service's own code of the error, or that of the network. */
  readonly errorCode?: string;
  /** Seconds after which the service accepts emails again, if it says so. */
  readonly retryAfter?: number;
}

/** An answer of a service. */
export interface MailAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body, if it is JSON. */
  readonly json: unknown;
  /** The body as text. */
  readonly text: string;
}

/** A status, a code of the service, or its words. */
export type Hint = number | string | RegExp;

/** What a service means by its answers. */
export interface Refusals {
  /** The API key is wrong. */
  readonly key?: readonly Hint[];
  /** The sender or the recipient is refused. */
  readonly address?: readonly Hint[];
  /** There were too many emails. */
  readonly limit?: readonly Hint[];
}

/** Where an answer holds the error: paths such as `errors.0.message`, of which the first with a value counts. */
export interface ErrorPaths {
  /** The header with the code of the error. */
  readonly header?: string;
  /** The code of the error. */
  readonly code?: readonly string[];
  /** Its description. */
  readonly words?: readonly string[];
}

/** What an answer says. */
export interface Said {
  readonly code: string;
  readonly words: string;
}

/** Reads a member at a path such as `errors.0.message`. */
export function memberAt(value: unknown, path: string): unknown {
  let at = value;
  for (const name of path.split(".")) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  return at;
}

/** Reads the error of an answer. */
export function readError({ headers, json, text }: MailAnswer, { header, code = [], words = [] }: ErrorPaths): Said {
  const textAt = (paths: readonly string[]) => {
    const found = paths.map((path) => memberAt(json, path));
    return String(found.find((value) => (typeof value === "string" && value) || typeof value === "number") ?? "");
  };
  // Some append the URL of a schema to the code.
  const [named = ""] = (header ? headers.get(header) ?? "" : "").split(":");
  // A page in HTML, such as that of a proxy, has no useful line.
  const plain = json === undefined && !text.trimStart().startsWith("<") ? text : "";
  return { code: named || textAt(code), words: textAt(words) || plain };
}

const REASONS = ["limit", "address", "key"] as const;

/**
 * Tells why a service refused. Its own code counts more than its words, and those more than the status. Of a service that
 * failed, words mean nothing.
 */
export function reasonOf(status: number, { code, words }: Said, refusals: Refusals): MailFailureReason {
  const matches: ((hint: Hint) => boolean)[] = [
    (hint) => hint === code,
    (hint) => status < 500 && hint instanceof RegExp && hint.test(words),
    (hint) => hint === status,
  ];
  for (const fits of matches) {
    const reason = REASONS.find((reason) => refusals[reason]?.some(fits));
    if (reason) return reason;
  }
  if (status === 429) return "limit";
  if (status === 401 || status === 403) return "key";
  return status >= 500 || status === 408 ? "unavailable" : "refused";
}

/** The longest description of a service in an error. */
const LONGEST = 240;

/** Characters that are looked at. */
const LONGEST_READ = 4096;

/** The longest code of a service in an error. */
const LONGEST_CODE = 64;

const HIDDEN = "[hidden]";

/** What an error must not contain. */
export interface Hidden {
  /** The key and its parts, the link, and its token. */
  readonly secrets: readonly string[];
  /** The sender, whose address may be shown. No other address is. */
  readonly sender: string;
}

// Line ends, escape sequences of terminals, and characters that change the writing direction.
// deno-lint-ignore no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Makes one line of what a service says, without secrets, addresses and queries of URLs. */
export function quote(text: string, { secrets, sender }: Hidden, longest = LONGEST): string {
  let line = text.slice(0, LONGEST_READ);
  // Before anything is cut or escaped: a part of a key is a secret, too. Longest first: keys contain their parts.
  for (const secret of secrets.toSorted((a, b) => b.length - a.length)) {
    for (const spelling of new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])) {
      if (spelling) line = line.replaceAll(spelling, HIDDEN);
    }
  }
  line = line.replaceAll(/(https?:[^\s?#"'<>]*)[?#][^\s"'<>]*/gi, "$1")
    .replaceAll(
      /[^\s"'`<>(),:;=]+(?:@|%40)[^\s"'`<>(),:;=]+/gi,
      (address) => address === sender ? address : "[address]",
    )
    .trim().replaceAll(/[\s]+/g, " ")
    .replaceAll(CONTROL, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return line.length > longest ? `${line.slice(0, longest).toWellFormed()}…` : line.toWellFormed();
}

/** Makes a code of a service safe to be repeated. */
export function quoteCode(code: string, hidden: Hidden): string {
  return quote(code, hidden, LONGEST_CODE);
}

/** What the developer can do, with the pages of the service. */
export interface Advice {
  /** Where keys are made. */
  readonly keys: string;
  /** Where senders are verified. */
  readonly senders: string;
  /** The environment variable of the key. */
  readonly variable: string;
}

/** Makes the error of an email that was not sent. `said` is what the service says, quoted. */
export function mailError(failure: MailFailure, said: string, advice: Advice): EmailSignInError {
  const { service, status, errorCode } = failure;
  const answer = [status, errorCode].filter((part) => part !== undefined).join(" ");
  const shown = [answer, said].filter((part) => part !== "").join(": ");
  const [event, ...help] = describe(failure, advice);
  const message = [`Cannot send email: ${service} ${event}${shown && ` (${shown})`}`, ...help].join(". ");
  return new EmailSignInError(message, { cause: { ...failure }, logCode: "email-not-sent" });
}

function describe({ reason, retryAfter }: MailFailure, { keys, senders, variable }: Advice): [string, ...string[]] {
  switch (reason) {
    case "key":
      return [
        "refused the API key",
        `Make one that may send email at ${keys}, and set \`apiKey\` or the environment variable ${variable}`,
      ];
    case "address":
      return [
        "refused the sender or the recipient",
        `Verify the sender at ${senders}. The recipient may be blocked there, or not allowed yet`,
      ];
    case "limit": {
      const wait = retryAfter === undefined ? "Wait" : `Try again in ${retryAfter} s`;
      return ["takes no more email for now", `${wait}, or raise the limit of your account`];
    }
    case "timeout":
      return ["did not answer in time", "Raise `timeout` of the provider, and `timeouts.total` with it"];
    case "unavailable":
      return ["is not available", "Try again later"];
    case "refused":
      return ["refused the email"];
    default:
      return reason satisfies never;
  }
}
