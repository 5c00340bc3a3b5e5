/**
 * Taking one's data, and deleting the account.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { LogSubject } from "../kernel/log_subject.ts";
import type { AccountActRows } from "./acts.ts";

/** When the account of a user is deleted; `null` if its owner has not asked for it. */
export async function deletionOf(_config: ResolvedConfig, _userId: string): Promise<Date | null> {
  return await Promise.resolve(null);
}

/** Deletes the accounts whose time has come. @returns How many. */
export async function deleteDue(_config: ResolvedConfig, _subject: LogSubject): Promise<number> {
  return await Promise.resolve(0);
}

/** The acts. */
export const LEAVING_ACTS: AccountActRows = {};
