/**
 * Where each record is, and what is stored beside it to find it by.
 *
 * @module
 */
import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  VerificationToken,
} from "../../src/contract/adapter.ts";
import { type Epochs, isEvicted } from "./epoch.ts";
import type { KvKey } from "./kv_like.ts";

/** What belongs to a user. */
export interface Owned {
  /** Id of the user. */
  userId: string;
}

/** What tells whether a record of some kind has ended. */
export interface Ending<Row extends Owned> {
  /** What one is called: in keys, and in errors. */
  readonly name: "account" | "session" | "credential";
  /** Whether one that was written in some epoch has ended since. */
  hasEnded(row: Row, written: number, epochs: Epochs): boolean;
}

/** A kind of records that belong to users. */
export interface Kind<Row extends Owned, Id> extends Ending<Row> {
  /** What names one. */
  readonly idOf: (id: Id) => KvKey;
  /** When one ends; without it they stay. */
  readonly endOf?: (row: Row) => Date;
  /** Whether it is kept how many a user has. */
  readonly isCounted?: boolean;
}

/** Accounts. */
export const ACCOUNT: Kind<AdapterAccount, Pick<AdapterAccount, "provider" | "providerAccountId">> = {
  name: "account",
  idOf: ({ provider, providerAccountId }) => [provider, providerAccountId],
  hasEnded: isEvicted,
};

/** Sessions. */
export const SESSION: Kind<AdapterSession, Pick<AdapterSession, "sessionToken">> = {
  name: "session",
  idOf: ({ sessionToken }) => [sessionToken],
  endOf: ({ expires }) => expires,
  hasEnded: (_, written, { sessions }) => written < sessions,
};

/** Credentials. */
export const CREDENTIAL: Kind<AdapterAuthenticator, Pick<AdapterAuthenticator, "credentialID">> = {
  name: "credential",
  idOf: ({ credentialID }) => [credentialID],
  hasEnded: (_, written, { credentials }) => written < credentials,
  isCounted: true,
};

/** All kinds of records that belong to users. */
export const KINDS: readonly Ending<Owned>[] = [ACCOUNT, SESSION, CREDENTIAL];

/** Where a user is. */
export function userKey(id: string): KvKey {
  return ["user", id];
}

/** Where the id of the user with an address is. */
export function addressKey(email: string): KvKey {
  return ["user_by_email", email];
}

/** Where a record that belongs to a user is. */
export function ownedKey({ name }: { readonly name: string }, id: KvKey): KvKey {
  return [name, ...id];
}

/** Where it is written that a record belongs to a user; without the record's id, where all of these are. */
export function ownerKey({ name }: { readonly name: string }, userId: string, id: KvKey = []): KvKey {
  return [`${name}_by_user`, userId, ...id];
}

/** Where it is kept how many credentials a user has. */
export function countKey(userId: string): KvKey {
  return ["credential_count", userId];
}

/** Where it is written that records of a user have ended, and are still to be removed. */
export function endedKey(userId: string): KvKey {
  return ["ended", userId];
}

/** Where all of these are. */
export const ENDED: KvKey = ["ended"];

/** What former versions changed whenever a user was given a record or lost one. */
export function ownershipVersionKey(userId: string): KvKey {
  return ["roster", userId];
}

/** Where a token that was sent by e-mail is. */
export function tokenKey({ identifier, token }: Pick<VerificationToken, "identifier" | "token">): KvKey {
  return ["token", identifier, token];
}

/** Where the end of a mark is. */
export function replayGuardKey(key: string): KvKey {
  return ["mark", key];
}
