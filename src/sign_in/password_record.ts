/**
 * The password of a user, as a record.
 *
 * @module
 */
import type { StoredRecord } from "../contract/adapter.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { AdapterUser } from "../kernel/model.ts";
import { recordsIn } from "../storage/stored_records.ts";
import { hasVerifiedEmail } from "./proven.ts";

/** A password, as it was found. */
export interface StoredPassword {
  readonly hash: string;
  /** The version of its record. */
  readonly version: number;
  /** Whether it lets somebody in: it was set with the address that the user has now, and has proven. */
  readonly counts: boolean;
}

/** Finds the password of a user. */
export async function findPassword(
  { storage }: Pick<ResolvedConfig, "storage">,
  user: AdapterUser,
): Promise<StoredPassword | null> {
  const records = storage && recordsIn(storage);
  const record = await records?.getRecord({ kind: KIND, id: user.id });
  if (!record || typeof record.data.hash !== "string") return null;
  const { hash, email } = record.data;
  return { hash, version: record.version, counts: hasVerifiedEmail(user) && email === user.email };
}

const KIND = "password";

/** What is stored of a password. */
export interface PasswordRow extends Pick<StoredPassword, "hash" | "version"> {
  readonly userId: string;
  /** The address that was proven when it was set. */
  readonly email: string;
  readonly setAt: Date;
}

/** Makes the record of a password. */
export function passwordRecord({ userId, email, hash, setAt, version }: PasswordRow): StoredRecord {
  return { kind: KIND, id: userId, userId, version, data: { hash, setAt: setAt.getTime(), email } };
}
