/**
 * The account of the person who is signed in, for pages of your own: name, address, ways in, passkeys, sessions, a file with
 * all data, and the end of the account. The service needs `accountPage()` of `@x/auth/account`.
 *
 * @example Usage
 * ```ts
 * import { account, watchAccount } from "@x/auth/client/account";
 *
 * watchAccount(({ account }) => {
 *   for (const { browser, system, isCurrent } of account?.sessions ?? []) console.log(browser, system, isCurrent);
 * });
 *
 * async function onSubmit(name: string) {
 *   const result = await account.rename(name);
 *   if (!result.ok && result.problem === "name") console.log("That is no name.");
 * }
 * ```
 *
 * @module
 */
import { accountOf, accountState, refreshAccount, watchAccountAt } from "../core/account_client.ts";
import type { AccountClient, AccountState } from "../core/account_results.ts";
import { type ClientOptions, connect } from "../core/connection.ts";

export type * from "../core/account_results.ts";
export type { ChallengeView, ChallengeWidget } from "../../src/kernel/challenge_view.ts";
export type { Failure } from "../core/results.ts";
export type { ClientOptions };

/**
 * Reads the account, and changes it: each act gives the account as it is afterwards.
 *
 * Nothing is thrown: a result is `ok`, or has the `error`, its `status`, and the `problem` or the `url` of the page that helps.
 * Most acts need a sign-in of the last 10 minutes; otherwise the error is `SessionRequired` or `StepUpRequired`, and `url` leads
 * back to this page.
 *
 * @example Ending the other sessions
 * ```ts
 * import { account } from "@x/auth/client/account";
 *
 * async function onClick() {
 *   const result = await account.endOthers();
 *   if (!result.ok && result.url) location.assign(result.url);
 * }
 * ```
 *
 * @example Deleting it
 * ```ts
 * import { account } from "@x/auth/client/account";
 *
 * async function onSubmit(typed: string) {
 *   const result = await account.delete(typed);
 *   if (result.ok && !result.account) location.assign("/");
 *   if (!result.ok && result.problem === "typed") console.log(`Type ${result.typed}`);
 * }
 * ```
 */
export const account: AccountClient = /* @__PURE__ */ accountOf(connect);

/**
 * Calls `listener` with what is known of the account: at once, and whenever it changes by an act of this page, or because the
 * session has changed. All who watch share one request.
 *
 * @returns A function that ends it.
 *
 * @example Usage
 * ```ts
 * import { watchAccount } from "@x/auth/client/account";
 *
 * const stop = watchAccount(({ account, error }) => {
 *   if (account) console.log(account.user.email);
 *   if (account === null && error?.url) location.assign(error.url);
 * });
 * stop();
 * ```
 */
export function watchAccount(listener: (state: AccountState) => void, options?: ClientOptions): () => void {
  const connection = connect(options);
  const tell = (): void => listener(accountState(connection));
  const stop = watchAccountAt(connection, tell);
  tell();
  return stop;
}

/**
 * Asks for the account again, for all who watch it: after something was done elsewhere, such as a passkey that was added.
 *
 * @example Usage
 * ```ts
 * import { registerPasskey } from "@x/auth/client";
 * import { refreshAccountState } from "@x/auth/client/account";
 *
 * async function onClick() {
 *   const result = await registerPasskey("passkey", { redirect: false });
 *   if (result.ok) await refreshAccountState();
 * }
 * ```
 */
export function refreshAccountState(options?: ClientOptions): Promise<void> {
  return refreshAccount(connect(options));
}
