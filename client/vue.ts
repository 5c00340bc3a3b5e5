/**
 * The session in Vue.
 *
 * @example Usage
 * ```ts ignore
 * import { useSession } from "@x/auth/vue";
 *
 * // In <script setup>. In the template: {{ state.session?.user?.name }}
 * function setup() {
 *   const state = useSession();
 *   return { state };
 * }
 * ```
 *
 * @module
 */
import { onScopeDispose, shallowRef } from "vue";
import type { Session } from "../src/kernel/model.ts";
import { seed, subscribe } from "./core/channel.ts";
import { connect, type SessionState, type WatchOptions } from "./core/connection.ts";

export type { Session, SessionState, WatchOptions };

/**
 * Gives the session as a reference. It is watched until the scope ends, such as a component.
 *
 * @typeParam S The session, with what `callbacks.session` adds.
 */
export function useSession<S = Session>(
  options?: WatchOptions<S>,
): Readonly<ReturnType<typeof shallowRef<SessionState<S>>>> {
  const connection = seed(connect(options), options?.session);
  const state = shallowRef(connection.state as SessionState<S>);
  onScopeDispose(subscribe(connection, () => state.value = connection.state as SessionState<S>));
  return state;
}
