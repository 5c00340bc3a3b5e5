/**
 * The password of a user, as a record.
 *
 * @module
 */
import type { JsonObject, RecordKey, StoredRecord } from "../contract/adapter.ts";
import { randomText } from "../crypto/random.ts";
import type { Runtime } from "../kernel/runtime.ts";

/** The kind of the records. A user has one at most, under their id. Who proves an address for the first time removes it. */
export const PASSWORD = "password";

/** A password, as it is stored. */
export interface StoredPassword {
  readonly userId: string;
  readonly hash: string;
  /** The proven address that it was chosen for; `null` where only the application knows. */
  readonly email: string | null;
  /** When it was chosen, in seconds since 1970; `null` where that is unknown. */
  readonly setAt: number | null;
  /** Another one for each password that is chosen, and the same if only its hash is made anew. */
  readonly revision: string;
  /** The version of its record; `null` if it is in a table of the application. */
  readonly version: number | null;
}

/** A password that was chosen. */
export interface ChosenPassword extends Pick<StoredPassword, "userId" | "hash"> {
  /** The address of the user, which is proven. */
  readonly email: string;
  /** The version of the record that it replaces; 0, or nothing, if there must be none. */
  readonly version?: number | undefined;
}

/** Gives the key of the password of a user. */
export function passwordKey(userId: string): RecordKey {
  return { kind: PASSWORD, id: userId };
}

/** Makes the record of a password that was chosen. It is stored where the record has the version that it replaces. */
export function recordOf(
  { userId, hash, email, version = 0 }: ChosenPassword,
  runtime: Pick<Runtime, "now" | "random">,
): StoredRecord {
  const setAt = Math.floor(runtime.now() / 1000);
  return toRecord({ userId, hash, email, setAt, revision: randomText(runtime), version });
}

/** Makes the record of a password whose hash is made anew. */
export function recordWithHash(stored: StoredPassword, hash: string): StoredRecord {
  return toRecord({ ...stored, hash });
}

/** Makes the record of a password for another address of its user. */
export function recordForEmail(stored: StoredPassword, email: string): StoredRecord {
  return toRecord({ ...stored, email });
}

function toRecord({ userId, version, ...members }: StoredPassword): StoredRecord {
  return { ...passwordKey(userId), userId, version: version ?? 0, data: { ...members } as JsonObject };
}

// Rows may have been written by hand. What cannot be read is a hash that no password has, for no address.
/** Reads the record of a password. */
export function readPassword({ id, version, data }: StoredRecord): StoredPassword {
  const { hash, email, setAt, revision } = data;
  return {
    userId: id,
    hash: typeof hash === "string" ? hash : "",
    email: typeof email === "string" ? email : null,
    setAt: typeof setAt === "number" ? setAt : null,
    revision: typeof revision === "string" ? revision : "",
    version,
  };
}
