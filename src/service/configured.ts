/**
 * A resolved configuration, how a framework mounts it, whether it has a guard, and what has been logged about it.
 *
 * @module
 */
import type { AuthConfigSource } from "../contract/config.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Warning } from "../config/warning.ts";
import type { BoundedMap } from "../kernel/bounded_map.ts";
import type { ConfigError } from "../kernel/errors.ts";
import type { LogSubject } from "../kernel/log_subject.ts";
import type { SessionStore } from "../session_stores/session_store.ts";

/** A resolved configuration, and what is made of it once. */
export interface Configured {
  readonly config: ResolvedConfig;
  readonly sessions: SessionStore;
  /** Logs a warning, unless the log has it already, or has `most` of the same code. */
  readonly warn: (warning: Warning, most?: number) => void;
  /** Logs what is wrong for a request: each problem once, and again after a minute if it is still there. */
  readonly report: (problems: readonly ConfigError[], subject: LogSubject) => Promise<void>;
}

/** How a framework mounts the service. */
export interface Mount {
  /** The path of the service if neither `basePath` nor `AUTH_URL` names one. */
  readonly basePath: string;
  /** What the log adds where the secret is missing: how the framework treats a file of variables. */
  readonly envHint?: (() => Promise<string>) | undefined;
  /**
   * Adds the prefix that the framework, or a proxy, has taken off the path of a URL.
   *
   * @param config Its `basePath` is the path of the service, as visitors reach it.
   */
  publicUrl(url: URL, config: Pick<ResolvedConfig, "basePath">): URL;
  /** Takes the prefix off: the path as the routes of the application have it. */
  innerPath(pathname: string, config: Pick<ResolvedConfig, "basePath">): string;
}

/** What has been logged about the configurations of one source. */
export interface LoggedOnce {
  /** Warnings, as lines. */
  readonly warned: Set<string>;
  /** When each problem was logged last, by its message. */
  readonly reported: BoundedMap<string, number>;
}

/** The most warnings that are remembered: a configuration may be new for every request. */
export const MOST_WARNINGS = 100;

const guarded = new WeakSet<object>();

/** Notes that an application guards with a configuration. Without a guard, `protect` protects nothing. */
export function noteGuard(source: AuthConfigSource): void {
  // Anything that is not a configuration is refused at the first request.
  if (Object(source) === source) guarded.add(source);
}

/** Whether an application guards with a configuration. */
export function hasGuard(source: AuthConfigSource): boolean {
  return guarded.has(source);
}

/** The warning where nothing guards. */
export const UNGUARDED: Warning = [
  "guard-missing",
  "`protect` is set, and nothing guards with it: serve the handler that `auth(handler)` makes, or use the `middleware` " +
  "of your framework's binding",
];
