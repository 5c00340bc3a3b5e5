/**
 * Changing the address of an account.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { WaitingEmail } from "../request/account_views.ts";
import type { AccountActRows } from "./acts.ts";

/** The address that waits until it may be taken over without the former mailbox; `null` if there is none. */
export async function waitingEmailOf(_config: ResolvedConfig, _userId: string): Promise<WaitingEmail | null> {
  return await Promise.resolve(null);
}

/** The acts. */
export const EMAIL_ACTS: AccountActRows = {};
