/**
 * What every flow knows of the request that it answers.
 *
 * @module
 */
import { type LazyRequest, type RequestLike, requestOf } from "../http/request_like.ts";
import { type CookieJar, openJar } from "../http/cookies.ts";
import type { Deadline } from "../kernel/deadline.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { SessionStore } from "../session_stores/session_store.ts";
import type { Warning } from "../config/warning.ts";

/** The context of one request. What a flow needs beyond it is its own input. */
export interface RequestContext {
  /** The incoming request, perhaps not a `Request` yet. Code that needs only these members reads them here. */
  readonly incoming: RequestLike;
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
  /** What the server knows of the connection. Anybody may have passed it, so nothing of it is sure. */
  connection?: unknown;
  /** The deadline of the answer, while somebody waits for it. */
  deadline?: Deadline | undefined;
}

/** Opens the context of a request. */
export function openContext(
  incoming: Request | LazyRequest,
  url: URL,
  { config, sessions, warn }: Pick<RequestContext, "config" | "sessions" | "warn">,
): RequestContext {
  const kind = url.protocol === "https:" ? "secure" : "plain";
  const cookies = openJar(
    incoming.headers.get("cookie"),
    config.cookies[kind],
    config.session.migrateFrom?.specs[kind],
  );
  const ctx = new Context(incoming, { url, config, cookies, sessions, warn });
  cookies.subject = ctx;
  return ctx;
}

// A class: V8 keeps a getter of an object literal, and with it the whole request, until it collects all garbage.
class Context implements RequestContext {
  readonly incoming: Request | LazyRequest;
  readonly url: URL;
  readonly config: ResolvedConfig;
  readonly cookies: CookieJar;
  readonly sessions: SessionStore;
  readonly warn: RequestContext["warn"];
  connection: unknown = undefined;
  deadline: Deadline | undefined = undefined;

  constructor(
    incoming: Request | LazyRequest,
    { url, config, cookies, sessions, warn }: Pick<RequestContext, "url" | "config" | "cookies" | "sessions" | "warn">,
  ) {
    this.incoming = incoming;
    this.url = url;
    this.config = config;
    this.cookies = cookies;
    this.sessions = sessions;
    this.warn = warn;
  }

  get request(): Request {
    return requestOf(this.incoming);
  }
}
