/**
 * Where each record is, and what is stored beside it to find it by.
 *
 * @module
 */
import type { AdapterAccount, AdapterAuthenticator, AdapterSession, VerificationToken } from "../adapter.ts";
import type { KvKey } from "./kv_like.ts";

/** What belongs to a user. */
export interface Owned {
  /** Id of the user. */
  userId: string;
}

/** A kind of records that belong to users. */
export interface Kind<Row extends Owned, Id> {
  /** What one is called: in keys, and in errors. */
  readonly name: "account" | "session" | "credential";
  /** What names one. */
  readonly idOf: (id: Id) => KvKey;
  /** When one ends; without it they stay. */
  readonly endOf?: (row: Row) => Date;
}

/** Accounts. */
export const ACCOUNT: Kind<AdapterAccount, Pick<AdapterAccount, "provider" | "providerAccountId">> = {
  name: "account",
  idOf: ({ provider, providerAccountId }) => [provider, providerAccountId],
};

/** Sessions. */
export const SESSION: Kind<AdapterSession, Pick<AdapterSession, "sessionToken">> = {
  name: "session",
  idOf: ({ sessionToken }) => [sessionToken],
  endOf: ({ expires }) => expires,
};

/** Credentials. */
export const CREDENTIAL: Kind<AdapterAuthenticator, Pick<AdapterAuthenticator, "credentialID">> = {
  name: "credential",
  idOf: ({ credentialID }) => [credentialID],
};

/** All kinds of records that belong to users. */
export const KINDS: readonly { readonly name: string }[] = [ACCOUNT, SESSION, CREDENTIAL];

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

/** What changes whenever a user is given a record or loses one. */
export function rosterKey(userId: string): KvKey {
  return ["roster", userId];
}

/** Where a token that was sent by e-mail is. */
export function tokenKey({ identifier, token }: Pick<VerificationToken, "identifier" | "token">): KvKey {
  return ["token", identifier, token];
}

/** Where the end of a mark is. */
export function markKey(key: string): KvKey {
  return ["mark", key];
}
