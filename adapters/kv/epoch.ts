/**
 * Epochs: how all that a user has ends at once, however much it is.
 *
 * Beside a user it is written in which epoch they are, and beside each record of theirs in which epoch it was written.
 * Whatever ends records begins another epoch, which changes the user's entry and nothing else. So what ends is never
 * listed, and who adds a record only demands that the user's entry is as it was read.
 *
 * @module
 */
import { type AdapterAccount, isUnproven } from "../../src/contract/adapter.ts";

/** When a record was written. */
export interface Stamp {
  /** Random, and made with the user: who is made again under an id that was somebody's has another. */
  readonly life: string;
  /** In which epoch of that life. */
  readonly epoch: number;
}

/** An eviction, as long as it decides about accounts. */
export interface Eviction {
  /** The epoch that it began. */
  readonly epoch: number;
  /** The address that was proven. */
  readonly email: string | null;
}

/** In which epoch a user is, and what has ended before. */
export interface Epochs extends Stamp {
  /** Sessions that were written before this epoch have ended. */
  readonly sessions: number;
  /** Credentials that were written before this epoch have ended. */
  readonly credentials: number;
  /** Accounts that were written before one of these, and are unproven for its address, have ended. */
  readonly evictions: readonly Eviction[];
}

/** The stamp of records that were stored without one, by former versions. */
export const UNSTAMPED: Stamp = { life: "", epoch: 0 };

/** The epochs of users who were stored without, by former versions. */
export const UNSTAMPED_USER: Epochs = { ...UNSTAMPED, sessions: 0, credentials: 0, evictions: [] };

/** The epochs of a user who is made. */
export function newLife(life: string): Epochs {
  return { ...UNSTAMPED_USER, life };
}

/** Ends all sessions. */
export function endSessions(epochs: Epochs): Epochs {
  const epoch = epochs.epoch + 1;
  return { ...epochs, epoch, sessions: epoch };
}

/** Ends all sessions and credentials, and the accounts that do not prove an address. */
export function revokeUnproven(epochs: Epochs, email: string | null): Epochs {
  const epoch = epochs.epoch + 1;
  const others = epochs.evictions.filter((eviction) => eviction.email !== email);
  // Two are enough. Which accounts are unproven depends on the address only for those that vouch for one, and of two
  // addresses one at least is not theirs: whatever a third says, they have ended.
  const evictions = [...others, { epoch, email }].slice(-2);
  return { ...epochs, epoch, sessions: epoch, credentials: epoch, evictions };
}

/** Whether an account that was written in some epoch has ended since. */
export function isEvicted(account: AdapterAccount, written: number, { evictions }: Epochs): boolean {
  return evictions.some(({ epoch, email }) => written < epoch && isUnproven(account, email));
}
