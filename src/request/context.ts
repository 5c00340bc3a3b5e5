/**
 * What every flow knows of the request that it answers.
 *
 * @module
 */
import { type Asked, type Incoming, requestOf } from "../http/asked.ts";
import { type CookieJar, openJar } from "../http/cookies.ts";
import type { Deadline } from "../kernel/deadline.ts";
import type { LogSubject } from "../kernel/log_subject.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { SessionStore } from "../session_stores/session_store.ts";
import type { Warning } from "../config/warning.ts";

/** The context of one request. What a flow needs beyond it is its own input. */
export interface RequestContext {
  /** What came, perhaps not a `Request` yet. Whatever needs no more than this reads it here. */
  readonly asked: Asked;
  /** The request as it came. The body of a form has been read. */
  readonly request: Request;
  /** The URL that the visitor's browser asked for. */
  readonly url: URL;
  readonly config: ResolvedConfig;
  /** The cookies of the request, and those that the answer sets. */
  readonly cookies: CookieJar;
  readonly sessions: SessionStore;
  /** Logs a warning, unless the log has it already, or has `most` of the same code. */
  readonly warn?: ((warning: Warning, most?: number) => void) | undefined;
  /** The deadline of the answer, while somebody waits for it. */
  deadline?: Deadline | undefined;
}

/** Opens the context of a request. */
export function openContext(
  asked: Request | Incoming,
  url: URL,
  { config, sessions, warn }: Pick<RequestContext, "config" | "sessions" | "warn">,
): RequestContext {
  const kind = url.protocol === "https:" ? "secure" : "plain";
  const cookies = openJar(asked.headers.get("cookie"), config.cookies[kind], config.session.migrateFrom?.specs[kind]);
  const ctx = new Context(asked, { url, config, cookies, sessions, warn });
  cookies.subject = ctx;
  return ctx;
}

/**
 * The request that a line of the log is about.
 *
 * A class: V8 keeps a getter of an object literal, and with it the whole request, until it collects all garbage.
 */
export class RequestSubject implements LogSubject {
  readonly asked: Request | Incoming;
  readonly url: URL;
  readonly config: ResolvedConfig;

  constructor(asked: Request | Incoming, url: URL, config: ResolvedConfig) {
    this.asked = asked;
    this.url = url;
    this.config = config;
  }

  get request(): Request {
    return requestOf(this.asked);
  }
}

class Context extends RequestSubject implements RequestContext {
  readonly cookies: CookieJar;
  readonly sessions: SessionStore;
  readonly warn: RequestContext["warn"];
  deadline: Deadline | undefined = undefined;

  constructor(
    asked: Request | Incoming,
    { url, config, cookies, sessions, warn }: Pick<RequestContext, "url" | "config" | "cookies" | "sessions" | "warn">,
  ) {
    super(asked, url, config);
    this.cookies = cookies;
    this.sessions = sessions;
    this.warn = warn;
  }
}
