/**
 * The keys of records, and of the entries by which they are found.
 *
 * @module
 */
import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  ProviderSid,
  StoredRecord,
  VerificationToken,
} from "../../src/contract/adapter.ts";
import { EVICTED } from "../../src/contract/stored_record.ts";
import { type Epochs, isEvicted } from "./epoch.ts";
import type { KvKey } from "./kv_like.ts";

/** A record that belongs to a user. */
export interface Owned {
  userId: string;
}

/** Tells whether a record of some kind has ended. */
export interface Ending<Row extends Owned> {
  /** Its name in keys and errors. */
  readonly name: "account" | "session" | "credential" | "record";
  /** Whether a record that was written in this epoch has ended since. */
  hasEnded(row: Row, written: number, epochs: Epochs): boolean;
  /** Other keys by which a record is found. */
  placesOf?(row: Row): readonly KvKey[];
}

/** A kind of records that belong to users. */
export interface Kind<Row extends Owned, Id> extends Ending<Row> {
  /** The id of a record, as parts of its key. */
  readonly idOf: (id: Id) => KvKey;
  /** When a record ends. Without it records stay. */
  readonly endOf?: (row: Row) => Date;
  /** Whether the number of a user's records is stored. */
  readonly isCounted?: boolean;
}

export const ACCOUNT: Kind<AdapterAccount, Pick<AdapterAccount, "provider" | "providerAccountId">> = {
  name: "account",
  idOf: ({ provider, providerAccountId }) => [provider, providerAccountId],
  hasEnded: isEvicted,
};

export const SESSION: Kind<AdapterSession, Pick<AdapterSession, "sessionToken">> = {
  name: "session",
  idOf: ({ sessionToken }) => [sessionToken],
  endOf: ({ expires }) => expires,
  placesOf: ({ provider, providerSid, sessionToken }) => {
    if (provider === undefined || providerSid === undefined) return [];
    return [[...providerSidKey({ provider, sid: providerSid }), sessionToken]];
  },
  hasEnded: (_, written, { sessions }) => written < sessions,
};

export const CREDENTIAL: Kind<AdapterAuthenticator, Pick<AdapterAuthenticator, "credentialID">> = {
  name: "credential",
  idOf: ({ credentialID }) => [credentialID],
  hasEnded: (_, written, { credentials }) => written < credentials,
  isCounted: true,
};

/** A record of a feature that belongs to a user. */
export type OwnedRecord = Owned & Pick<StoredRecord, "kind" | "id" | "group">;

export const RECORD: Ending<OwnedRecord> = {
  name: "record",
  placesOf: groupKey,
  hasEnded: ({ kind }, written, { credentials }) => EVICTED.includes(kind) && written < credentials,
};

/** All kinds of records that belong to users. */
export const KINDS: readonly Ending<Owned>[] = [ACCOUNT, SESSION, CREDENTIAL, RECORD];

export function userKey(id: string): KvKey {
  return ["user", id];
}

/** The key of the id of the user with an address. */
export function addressKey(email: string): KvKey {
  return ["user_by_email", email];
}

/** The key of a record that belongs to a user. */
export function ownedKey({ name }: { readonly name: string }, id: KvKey): KvKey {
  return [name, ...id];
}

/** The key that says that a record belongs to a user. Without the id of the record, the prefix of all such keys. */
export function ownerKey({ name }: { readonly name: string }, userId: string, id: KvKey = []): KvKey {
  return [`${name}_by_user`, userId, ...id];
}

/** The key by which a record of a feature is found in its group, if it has one. */
export function groupKey({ kind, id, group }: Pick<StoredRecord, "kind" | "id" | "group">): readonly KvKey[] {
  return typeof group === "string" ? [["record_by_group", group, kind, id]] : [];
}

/** The prefix of the keys that name the sessions which have an id at a provider. */
export function providerSidKey({ provider, sid }: ProviderSid): KvKey {
  return ["session_by_sid", provider, sid];
}

/** The key of the number of a user's credentials. */
export function countKey(userId: string): KvKey {
  return ["credential_count", userId];
}

/** The key that says that records of a user have ended and are still to be removed. */
export function endedKey(userId: string): KvKey {
  return ["ended", userId];
}

/** The prefix of all such keys. */
export const ENDED: KvKey = ["ended"];

/** The key that former versions wrote whenever a user got or lost a record. It is only removed now. */
export function ownershipVersionKey(userId: string): KvKey {
  return ["roster", userId];
}

export function tokenKey({ identifier, token }: Pick<VerificationToken, "identifier" | "token">): KvKey {
  return ["token", identifier, token];
}

/** The key of a bucket of a limit. */
export function bucketKey(key: string): KvKey {
  return ["bucket", key];
}

/** The key of a replay guard: a key that `once()` recorded. */
export function replayGuardKey(key: string): KvKey {
  return ["mark", key];
}
