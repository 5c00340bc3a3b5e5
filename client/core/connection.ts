/**
 * What a page knows of its service, and the one question that every client asks: who is signed in.
 *
 * @module
 */
import type { PublicProvider, Session } from "../../src/kernel/model.ts";

/** The globals of a page. */
export type Browser = Window & typeof globalThis;

/**
 * What is known about the session.
 *
 * `failed` says that the last question got no usable answer: the rest is what was known before.
 */
export type SessionState<S = Session> =
  | { readonly status: "loading"; readonly session: undefined; readonly failed: boolean }
  | { readonly status: "authenticated"; readonly session: S; readonly failed: boolean }
  | { readonly status: "unauthenticated"; readonly session: null; readonly failed: boolean };

/** Which service a function talks to. */
export interface ClientOptions {
  /** Where the service is mounted on this origin. @default {"/auth"} */
  readonly basePath?: string | undefined;
}

/** Options of what shows the session. */
export interface WatchOptions<S = Session> extends ClientOptions {
  /** The session that a server has read for this page: nothing is asked until it may have changed. */
  readonly session?: S | null | undefined;
}

/** A page's connection to its service. */
export interface Connection {
  readonly basePath: string;
  readonly browser: Browser;
  /** Called when `state` changes. */
  readonly listeners: Set<() => void>;
  state: SessionState;
  /** How often the session has changed, as far as this page knows. */
  version: number;
  /** When the session was last asked for, in milliseconds since 1970. */
  askedAt: number;
  /** The request that is running. */
  asking?: Promise<void> | undefined;
  /** Ends what {@linkcode subscribe} has started. */
  stop?: (() => void) | undefined;
  /** The channel between pages of this origin. Open only while there are listeners. */
  channel?: BroadcastChannel | undefined;
  /** The address that this page has last asked for an email to. */
  emailed?: unknown;
  /** The last CSRF token. */
  csrfToken?: string | undefined;
  /** The providers, once they are known. */
  providers?: Providers;
}

/** The providers of a service, by id. */
export type Providers = Readonly<Record<string, PublicProvider>>;

/** Makes a connection. */
export function open(basePath: string, browser: Browser): Connection {
  return { basePath, browser, listeners: new Set(), state: stateOf(), version: 0, askedAt: 0 };
}

/** Says who is signed in. @param session `null` for nobody, `undefined` if that is not known. */
export function stateOf(session?: Session | null, failed = false): SessionState {
  const status = session ? "authenticated" : session === null ? "unauthenticated" : "loading";
  return { status, session, failed } as SessionState;
}

const connections = new Map<string, Connection>();

/** Gives the connection of this page to a service. On a server each call makes its own: visitors must not share one. */
export function connect({ basePath = "/auth" }: ClientOptions = {}): Connection {
  const connection = connections.get(basePath) ?? open(basePath, globalThis as Browser);
  if (connection.browser.document) connections.set(basePath, connection);
  return connection;
}

/** A response of the service, or of another server that answers in its place. */
export interface Answer {
  /** The HTTP status; `0` if nobody answered. */
  readonly status: number;
  // deno-lint-ignore no-explicit-any -- JSON from any server; each reader checks what it uses
  readonly body?: any;
  /** Where it leads. */
  readonly url?: URL | null;
  /** What went wrong. */
  readonly error?: unknown;
}

/** Milliseconds after which a request counts as unanswered. */
const PATIENCE = 30_000;

/**
 * Asks the service, or posts to it.
 *
 * @param signal Stops waiting. @default a signal that is aborted after 30 seconds
 * @param form What to post.
 * @throws {Error} if it cannot be reached, or something else answers in its place.
 */
export async function ask(
  { basePath, browser }: Connection,
  path: string,
  signal?: AbortSignal,
  form?: object,
): Promise<Answer> {
  const response = await browser.fetch(`${basePath}/${path}`, {
    signal: signal ?? AbortSignal.timeout(PATIENCE),
    ...(form && {
      method: "POST",
      headers: { "content-type": "application/json", "x-auth-return-redirect": "1" },
      body: JSON.stringify(form),
    }),
  });
  const { status } = response;
  const body = await response.json();
  const url = URL.canParse(body?.url) ? new URL(body.url) : null;
  return { status, body, url, error: url?.searchParams.get("error") ?? body?.error };
}

/** Asks the service for what it tells everybody. @throws {Error} if it does not tell. */
export async function read(connection: Connection, path: string, signal?: AbortSignal): Promise<unknown> {
  const { status, body } = await ask(connection, path, signal);
  if (status === 200 && typeof body === "object") return body;
  throw new Error(`Cannot read ${path}: the answer has status ${status}`);
}

/** Asks who is signed in. @throws {Error} if the service cannot be reached, or answers with anything else. */
export function readSession(connection: Connection, signal?: AbortSignal): Promise<Session | null> {
  return read(connection, "session", signal) as Promise<Session | null>;
}
