"use client";
/**
 * The account of the person who is signed in, in React.
 *
 * @example Usage
 * ```tsx ignore
 * import { useAccount } from "@x/auth/client/account/react";
 *
 * export function Sessions() {
 *   const { account, endOthers } = useAccount();
 *   if (!account?.sessions) return null;
 *   return <button onClick={() => endOthers()}>End {account.sessions.length - 1} other sessions</button>;
 * }
 * ```
 *
 * @module
 */
// @ts-types="@types/react"
import { useState, useSyncExternalStore } from "react";
import { accountState, hookOf, UNKNOWN, watchAccountAt } from "../core/account_client.ts";
import type { AccountHook } from "../core/account_results.ts";
import type { ClientOptions } from "../core/connection.ts";
import { at } from "../core/mounted.ts";

export type * from "../core/account_results.ts";
export type { ClientOptions };

/**
 * Gives the account to a component, which is rendered again when it changes, and what can be done with it. All components share
 * one request. The service is that of `SessionProvider` of `@x/auth/react`, or else the one at `/auth`.
 */
export function useAccount(options?: ClientOptions): AccountHook {
  const [{ subscribe, read, acts }] = useState(() => share(options));
  return { ...useSyncExternalStore(subscribe, read, first), ...acts };
}

const first = () => UNKNOWN;

function share(options?: ClientOptions) {
  const connection = at(options);
  return {
    subscribe: (listener: () => void) => watchAccountAt(connection, listener),
    read: () => accountState(connection),
    acts: hookOf(connection),
  };
}
