/**
 * What is known of a passkey besides the passkey itself: a record beside it, only for the eyes of its owner.
 *
 * @module
 */
import type { Plan, RecordKey, StoredRecord } from "../contract/adapter.ts";
import { sha256Base64Url } from "../crypto/digest.ts";

/** The kind of the records. */
export const PASSKEY_INFO = "passkey-info";

/** What a new passkey says of itself. */
export interface PasskeyLabel {
  /** The id of the record. */
  readonly id: string;
  /** What the authenticator says that it is. Nobody attests it, so it only names the passkey to its owner. */
  readonly aaguid: string;
}

/** What is known of a passkey. */
export interface PasskeyNote {
  /** The name that its owner has given it. */
  readonly name: string | null;
  readonly aaguid: string | null;
  /** Seconds since 1970. */
  readonly createdAt: number | null;
  /** Seconds since 1970. */
  readonly usedAt: number | null;
}

/** Nothing is known. */
export const UNKNOWN_PASSKEY: PasskeyNote = { name: null, aaguid: null, createdAt: null, usedAt: null };

/** Gives the id of the record of a passkey: ids of credentials may be longer than those of records. */
export async function passkeyInfoId(credentialID: string): Promise<string> {
  return await sha256Base64Url(credentialID);
}

/** Gives the key of the record of a passkey. */
export async function passkeyInfoKey(credentialID: string): Promise<RecordKey> {
  return { kind: PASSKEY_INFO, id: await passkeyInfoId(credentialID) };
}

/** Stores the record of a new passkey. What a passkey that is no more has left behind under its id goes. */
export function newPasskeyInfo(
  { id, aaguid }: PasskeyLabel,
  userId: string,
  now: Date,
): NonNullable<Plan["records"]> {
  const note: PasskeyNote = { ...UNKNOWN_PASSKEY, aaguid, createdAt: Math.floor(now.getTime() / 1000) };
  const key = { kind: PASSKEY_INFO, id };
  return { remove: [key], put: [{ ...key, userId, version: 0, expires: null, data: { ...note } }] };
}

/** Reads a record. Another version, or somebody by hand, may have written it. */
export function readPasskeyNote({ data: { name, aaguid, createdAt, usedAt } }: StoredRecord): PasskeyNote {
  return {
    name: typeof name === "string" ? name : null,
    aaguid: typeof aaguid === "string" ? aaguid : null,
    createdAt: typeof createdAt === "number" ? createdAt : null,
    usedAt: typeof usedAt === "number" ? usedAt : null,
  };
}
