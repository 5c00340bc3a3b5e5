/**
 * Epochs: how all records of a user end at once, however many there are.
 *
 * The entry of a user holds the user's epoch, and each of their records the epoch in which it was written. To end records,
 * a transaction starts another epoch, which changes the user's entry and nothing else. So records need not be listed to
 * end them, and a transaction that adds a record only checks that the user's entry has not changed.
 *
 * @module
 */
import { type AdapterAccount, isUnverified } from "../../src/contract/adapter.ts";

/** When a record was written. */
export interface Stamp {
  /** Random, created with the user: a new user under the id of a deleted one has another. */
  readonly life: string;
  /** In which epoch of that life. */
  readonly epoch: number;
}

/** A revocation of unverified accounts. */
export interface Eviction {
  /** The epoch that it started. */
  readonly epoch: number;
  /** The address that was verified. */
  readonly email: string | null;
}

/** The epoch of a user, and what has ended before it. */
export interface Epochs extends Stamp {
  /** Sessions written before this epoch have ended. */
  readonly sessions: number;
  /** Credentials written before this epoch have ended. */
  readonly credentials: number;
  /** Accounts written before one of these, and unverified for its address, have ended. */
  readonly evictions: readonly Eviction[];
}

/** The stamp of records that former versions stored without one. */
export const UNSTAMPED: Stamp = { life: "", epoch: 0 };

/** The epochs of users that former versions stored without them. */
export const UNSTAMPED_USER: Epochs = { ...UNSTAMPED, sessions: 0, credentials: 0, evictions: [] };

export function newLife(life: string): Epochs {
  return { ...UNSTAMPED_USER, life };
}

export function endSessions(epochs: Epochs): Epochs {
  const epoch = epochs.epoch + 1;
  return { ...epochs, epoch, sessions: epoch };
}

/** Ends all sessions, all credentials, and the accounts that are unverified for an address. */
export function revokeUnverified(epochs: Epochs, email: string | null): Epochs {
  const epoch = epochs.epoch + 1;
  const others = epochs.evictions.filter((eviction) => eviction.email !== email);
  // The last two are enough. The address matters only for accounts with a verified address of their own, and at least
  // one of two different addresses is not theirs: such an account has ended, no matter what a third says.
  const evictions = [...others, { epoch, email }].slice(-2);
  return { ...epochs, epoch, sessions: epoch, credentials: epoch, evictions };
}

/** Whether an account that was written in this epoch has ended since. */
export function isEvicted(account: AdapterAccount, written: number, { evictions }: Epochs): boolean {
  return evictions.some(({ epoch, email }) => written < epoch && isUnverified(account, email));
}
