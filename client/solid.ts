/**
 * The session in Solid.
 *
 * @example Usage
 * ```tsx ignore
 * import { useSession } from "@x/auth/solid";
 *
 * function Greeting() {
 *   const session = useSession();
 *   return <p>Hello {session().session?.user?.name}</p>;
 * }
 * ```
 *
 * @module
 */
import { createSignal, onCleanup, onMount } from "solid-js";
import type { SessionIn } from "../src/kernel/inferred.ts";
import type { Session, User } from "../src/kernel/model.ts";
import { seed, subscribe } from "./core/channel.ts";
import { connect, type SessionState, type WatchOptions } from "./core/connection.ts";

export type { Session, SessionState, User, WatchOptions };

/**
 * Gives the session as a signal. It is watched from when the component is mounted until it ends.
 *
 * @typeParam Service `typeof auth` of the server, or the type of a session.
 */
export function useSession<Service = Session>(
  options?: WatchOptions<SessionIn<Service>>,
): () => SessionState<SessionIn<Service>> {
  const connection = seed(connect(options), options?.session);
  const [state, setState] = createSignal(connection.state as SessionState<SessionIn<Service>>);
  const tell = (): void => void setState(() => connection.state as SessionState<SessionIn<Service>>);
  onMount(() => {
    const stop = subscribe(connection, tell);
    tell();
    onCleanup(stop);
  });
  return state;
}
