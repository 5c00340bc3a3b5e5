/**
 * The account of the person who is signed in, in Vue.
 *
 * @example Usage
 * ```ts ignore
 * import { useAccount } from "@x/auth/client/account/vue";
 *
 * // In <script setup>. In the template: {{ own.account?.user.name }}
 * function setup() {
 *   const own = useAccount();
 *   return { own };
 * }
 * ```
 *
 * @module
 */
import { onScopeDispose, shallowReactive } from "vue";
import { accountState, hookOf, watchAccountAt } from "../core/account_client.ts";
import type { AccountHook } from "../core/account_results.ts";
import { type ClientOptions, connect } from "../core/connection.ts";

export type * from "../core/account_results.ts";
export type { ClientOptions };

/**
 * Gives the account as a reactive object, with what can be done with it: read its members where you use them, or take them apart
 * with `toRefs()`. It is watched until the scope ends, such as a component. All components share one request.
 */
export function useAccount(options?: ClientOptions): AccountHook {
  const connection = connect(options);
  const own = shallowReactive({ ...accountState(connection), ...hookOf(connection) });
  onScopeDispose(watchAccountAt(connection, () => void Object.assign(own, accountState(connection))));
  // Beginning to watch may have changed it.
  return Object.assign(own, accountState(connection));
}
