/**
 * Asks a site that may be hostile: a bounded number of requests, each with a deadline and a limit for its body, and no
 * redirect is followed unseen.
 *
 * @module
 */
import type { Runtime } from "../../src/kernel/runtime.ts";
import { type ReadCookie, readCookies } from "./cookies.ts";

/** What a site answered. */
export interface Answer {
  readonly kind: "answer";
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly cookies: readonly ReadCookie[];
  /** The first part of the body. */
  readonly body: string;
  /** Whether the body is longer. */
  readonly isCut: boolean;
  /** Seconds until the headers came. */
  readonly seconds: number;
  /** Seconds that the clock of the site is ahead of ours; `null` without a `Date`. */
  readonly ahead: number | null;
}

/** Why there is no answer. */
export interface Failure {
  readonly kind: "failure";
  readonly url: URL;
  readonly why: "certificate" | "slow" | "broken" | "limit";
  /** What the system says, in a few words. */
  readonly says: string;
}

/** An answer, or why there is none. */
export type Reply = Answer | Failure;

/** What is sent. */
export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The parts of a runtime that asking needs. */
export type AskRuntime = Pick<Runtime, "now" | "fetch" | "timer">;

/** Limits of one examination. */
export interface AskLimits {
  /** Seconds that a request may take, its body included. */
  readonly timeout: number;
  /** Seconds for all requests. */
  readonly total: number;
  /** How many requests are sent at most. */
  readonly requests: number;
}

/** Bytes of a body that are read. */
const MOST_BYTES = 262_144;

/** Sends one request. Never throws. */
export type Ask = (url: URL, sent?: Sent) => Promise<Reply>;

/** Makes the function that asks. */
export function asking(runtime: AskRuntime, limits: AskLimits, count: (url: URL) => number): Ask {
  const end = runtime.now() + limits.total * 1000;
  return async (url, sent = {}) => {
    const seconds = Math.min(limits.timeout, (end - runtime.now()) / 1000);
    if (seconds <= 0 || count(url) > limits.requests) {
      return { kind: "failure", url, why: "limit", says: "not asked, because the limit was reached" };
    }
    const abort = new AbortController();
    let cancel = () => {};
    const late = new Promise<Failure>((resolve) => {
      cancel = runtime.timer(seconds, () => {
        resolve({ kind: "failure", url, why: "slow", says: `no complete answer within ${Math.round(seconds)} s` });
        abort.abort();
      });
    });
    try {
      return await Promise.race([send(runtime, url, sent, abort.signal), late]);
    } catch (error) {
      return failureOf(url, error);
    } finally {
      cancel();
    }
  };
}

async function send(runtime: AskRuntime, url: URL, sent: Sent, signal: AbortSignal): Promise<Reply> {
  const began = runtime.now();
  const { method = "GET", headers = {}, body = null } = sent;
  const response = await runtime.fetch(url, {
    method,
    headers: { "user-agent": "x-auth-doctor", ...headers },
    body,
    redirect: "manual",
    signal,
  });
  const headed = runtime.now();
  const { text, isCut } = await readStart(response);
  const date = Date.parse(response.headers.get("date") ?? "");
  return {
    kind: "answer",
    url,
    status: response.status,
    headers: response.headers,
    cookies: readCookies(response.headers.getSetCookie()),
    body: text,
    isCut,
    seconds: (headed - began) / 1000,
    // `Date` has whole seconds, cut off.
    ahead: Number.isNaN(date) ? null : (date + 500 - (began + headed) / 2) / 1000,
  };
}

async function readStart(response: Response): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  while (reader && bytes < MOST_BYTES) {
    const { done, value } = await reader.read();
    if (done) return { text, isCut: false };
    bytes += value.length;
    text += decoder.decode(value.subarray(0, MOST_BYTES), { stream: true });
  }
  reader?.cancel().catch(() => {});
  return { text: text.slice(0, MOST_BYTES), isCut: reader !== undefined };
}

// What the runtimes call it: Deno in its message, Node and Bun in a code of the cause.
function failureOf(url: URL, error: unknown): Failure {
  const all: string[] = [];
  for (let at: unknown = error; at instanceof Error && all.length < 8; at = at.cause) {
    all.push("code" in at ? String(at.code) : "", at.message.slice(0, 500));
  }
  const text = all.join(" ");
  if (/certificate|CERT_|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME|UnknownIssuer/i.test(text)) {
    return { kind: "failure", url, why: "certificate", says: "the certificate is not valid" };
  }
  const [, says = "the connection broke off, or the answer is no valid HTTP"] =
    REASONS.find(([pattern]) => pattern.test(text)) ?? [];
  return { kind: "failure", url, why: "broken", says };
}

// Own words: the messages of a runtime may quote what was sent.
const REASONS: readonly (readonly [pattern: RegExp, says: string])[] = [
  [/ECONNREFUSED|connection refused|ConnectionRefused|tcp connect error/i, "nothing listens there"],
  [/ENOTFOUND|EAI_|dns error|failed to lookup|resolve/i, "its name is not known"],
  [/NotCapable|requires net access|ERR_ACCESS_DENIED/i, "this program may not ask it: add --allow-net"],
  [/too large|overflow|HPE_HEADER/i, "its headers are too long"],
];
