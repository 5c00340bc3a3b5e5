/**
 * The account of the person who is signed in, in Solid.
 *
 * @example Usage
 * ```tsx ignore
 * import { useAccount } from "@x/auth/client/account/solid";
 *
 * function Name() {
 *   const own = useAccount();
 *   return <p>{own.account?.user.name}</p>;
 * }
 * ```
 *
 * @module
 */
import { createSignal, onCleanup, onMount } from "solid-js";
import { accountState, hookOf, watchAccountAt } from "../core/account_client.ts";
import type { AccountHook } from "../core/account_results.ts";
import { type ClientOptions, connect } from "../core/connection.ts";

export type * from "../core/account_results.ts";
export type { ClientOptions };

/**
 * Gives the account, with what can be done with it. Its members are reactive: do not take them apart. It is watched from when the
 * component is mounted until it ends. All components share one request.
 */
export function useAccount(options?: ClientOptions): AccountHook {
  const connection = connect(options);
  const [state, setState] = createSignal(accountState(connection));
  const tell = (): void => void setState(accountState(connection));
  onMount(() => {
    onCleanup(watchAccountAt(connection, tell));
    tell();
  });
  return {
    get account() {
      return state().account;
    },
    get error() {
      return state().error;
    },
    get isLoading() {
      return state().isLoading;
    },
    ...hookOf(connection),
  };
}
