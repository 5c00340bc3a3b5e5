/**
 * The account of the person who is signed in, as a store of Svelte.
 *
 * @example Usage
 * ```ts
 * import { accountStore } from "@x/auth/client/account/svelte";
 *
 * const own = accountStore();
 * // In the component: {$own.account?.user.name}, and own.rename("Ada")
 * ```
 *
 * @module
 */
import { accountState, hookOf, watchAccountAt } from "../core/account_client.ts";
import type { AccountHook, AccountState } from "../core/account_results.ts";
import { type ClientOptions, connect } from "../core/connection.ts";

export type * from "../core/account_results.ts";
export type { ClientOptions };

/** A store, as Svelte reads it with `$`, and what can be done with the account. */
export interface AccountStore extends Omit<AccountHook, keyof AccountState> {
  /** Calls `run` at once, and whenever the account changes. @returns What ends it. */
  subscribe(run: (state: AccountState) => void): () => void;
}

/** Makes a store of the account. It is watched while it has subscribers. All stores share one request. */
export function accountStore(options?: ClientOptions): AccountStore {
  const connection = connect(options);
  return {
    subscribe(run) {
      const tell = (): void => run(accountState(connection));
      const stop = watchAccountAt(connection, tell);
      tell();
      return stop;
    },
    ...hookOf(connection),
  };
}
