/**
 * The session in Vue.
 *
 * @example Usage
 * ```ts ignore
 * import { useSession } from "@x/auth/vue";
 *
 * // In <script setup>. In the template: {{ auth.session?.user?.name }}
 * function setup() {
 *   const auth = useSession();
 *   return { auth };
 * }
 * ```
 *
 * @module
 */
import { onScopeDispose, shallowReactive } from "vue";
import type { SessionIn } from "../src/kernel/inferred.ts";
import type { Session, User } from "../src/kernel/model.ts";
import { seed, subscribe } from "./core/channel.ts";
import { connect, type SessionState, type WatchOptions } from "./core/connection.ts";

export type { Session, SessionState, User, WatchOptions };

/**
 * Gives the session as a reactive object: read its members where you use them, or take them apart with `toRefs()`. It is
 * watched until the scope ends, such as a component.
 *
 * @typeParam Service `typeof auth` of the server, or the type of a session.
 */
export function useSession<Service = Session>(
  options?: WatchOptions<SessionIn<Service>>,
): SessionState<SessionIn<Service>> {
  const connection = seed(connect(options), options?.session);
  const state = shallowReactive({ ...connection.state });
  onScopeDispose(subscribe(connection, () => void Object.assign(state, connection.state)));
  return state as SessionState<SessionIn<Service>>;
}
