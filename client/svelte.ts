/**
 * The session as a store of Svelte.
 *
 * @example Usage
 * ```ts
 * import { sessionStore } from "@x/auth/svelte";
 *
 * const session = sessionStore();
 * // In the component: {$session.session?.user?.name}
 * ```
 *
 * @module
 */
import type { SessionIn } from "../src/kernel/inferred.ts";
import type { Session, User } from "../src/kernel/model.ts";
import { watchAt } from "./core/auth_client.ts";
import { seed } from "./core/channel.ts";
import { connect, type SessionState, type WatchOptions } from "./core/connection.ts";

export type { Session, SessionState, User, WatchOptions };

/** A store, as Svelte reads it with `$`. */
export interface SessionStore<S = Session> {
  /** Calls `run` at once, and whenever the session changes. @returns What ends it. */
  subscribe(run: (state: SessionState<S>) => void): () => void;
}

/**
 * Makes a store of the session. It is watched while it has subscribers.
 *
 * @typeParam Service `typeof auth` of the server, or the type of a session.
 */
export function sessionStore<Service = Session>(
  options?: WatchOptions<SessionIn<Service>>,
): SessionStore<SessionIn<Service>> {
  const connection = seed(connect(options), options?.session);
  return { subscribe: (run) => watchAt(connection, run) };
}
