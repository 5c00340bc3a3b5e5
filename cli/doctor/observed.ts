/**
 * What was seen of a site: facts, without a judgement.
 *
 * @module
 */
import type { Answer, Failure, Reply } from "./ask.ts";
import type { Level } from "./finding.ts";

/** What a service is asked once its path is known. */
export type Question =
  | "csrf"
  | "csrfAgain"
  | "providers"
  | "forwarded"
  | "session"
  | "sessionFromAfar"
  | "unknown"
  | "wrongMethod"
  | "foreignForm"
  | "largeForm"
  | "awayForm";

/** Answers along a way of redirects. */
export interface Walk {
  readonly steps: readonly Answer[];
  /** Why it ended without an answer. */
  readonly failure: Failure | null;
  /** Where it ended: at an answer, in a circle, at another origin, or nowhere. */
  readonly end: "answer" | "circle" | "elsewhere" | "failure";
  /** The URL that was not followed. */
  readonly elsewhere: URL | null;
}

/** A provider, as the site lists it. */
export interface ListedProvider {
  readonly id: string;
  readonly type: string;
  readonly signinUrl: URL | null;
  readonly callbackUrl: URL | null;
}

/** The start of a sign-in, and what the provider says to it. */
export interface Start {
  readonly provider: ListedProvider;
  /** What the site answered. */
  readonly reply: Reply;
  /** Where it leads. */
  readonly to: URL | null;
  /** What the provider answered; `null` if it was not asked. */
  readonly walk: Walk | null;
  /** What its issuer publishes, where that can be derived. */
  readonly issuer: Issuer | null;
}

/** What an issuer publishes. */
export interface Issuer {
  /** What its name has to be. */
  readonly expected: string;
  readonly document: Readonly<Record<string, unknown>>;
  readonly reply: Answer;
  /** Its keys. */
  readonly keys: Reply | null;
}

/** What the service says of itself. */
export interface InnerFinding {
  readonly id: string;
  readonly level: Level;
  readonly says: string;
  /** What to do. @default what the page of codes says */
  readonly fix?: string;
}

/** All that was seen. */
export interface Observed {
  /** The origin that was asked. */
  readonly site: URL;
  /** Whether it is this machine. */
  readonly isLocal: boolean;
  readonly home: Walk;
  /** The same host by http, if the site is asked by https. */
  readonly plain: Reply | null;
  /** The paths at which a service answers. */
  readonly bases: readonly string[];
  /** The path of the service. */
  readonly base: string | null;
  readonly replies: Readonly<Partial<Record<Question, Reply>>>;
  readonly signIn: Walk | null;
  /** Providers, at most a hundred. */
  readonly providers: readonly ListedProvider[];
  readonly starts: readonly Start[];
  /** `null` if it was not asked, `refused` if the code is not right or the endpoint is not there. */
  readonly inner: readonly InnerFinding[] | "refused" | null;
}

/** The answer to a question, if there is one. */
export function answerOf({ replies }: Pick<Observed, "replies">, question: Question): Answer | null {
  const reply = replies[question];
  return reply?.kind === "answer" ? reply : null;
}

/** Reads the body of an answer as JSON; `undefined` if it is none. */
export function jsonOf(reply: Reply | null | undefined): unknown {
  if (reply?.kind !== "answer" || reply.isCut) return undefined;
  try {
    return JSON.parse(reply.body);
  } catch {
    return undefined;
  }
}

/** Where an answer leads: by `Location`, or by the `url` that scripts get. */
export function targetOf(reply: Reply | null | undefined): URL | null {
  if (reply?.kind !== "answer") return null;
  const { status, headers, url } = reply;
  const location = status >= 300 && status < 400 ? headers.get("location") : null;
  const given = location ?? recordOf(jsonOf(reply))?.url;
  return typeof given === "string" && given.length <= 8192 ? URL.parse(given, url) : null;
}

/** A value as an object, if it is one. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> | null {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord ? value as Readonly<Record<string, unknown>> : null;
}

/** Whether a host is an address of a network of its own, or of this machine. */
export function isInner(hostname: string): boolean {
  return /^(?:(?:.*\.)?(?:localhost|local|internal)\.?|0\.0\.0\.0|\[::1?\]|\[f[cde].*\]|\[::ffff:.*\])$/.test(
    hostname,
  ) ||
    /^(?:10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$/.test(
      hostname,
    ) || /^[^.:]+$/.test(hostname);
}

/** Whether what is asked for is elsewhere: pushed before (RFC 9126), or in a signed object (RFC 9101). */
export function isPushed(params: URLSearchParams): boolean {
  return params.has("request_uri") || params.has("request");
}
