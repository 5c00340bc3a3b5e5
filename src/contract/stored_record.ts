/**
 * Records of features, as every adapter treats them.
 *
 * @module
 */
import { AdapterError } from "../kernel/errors.ts";
import { isPlainObject } from "../kernel/objects.ts";
import type { Runtime } from "../kernel/runtime.ts";
import type { RecordKey, StoredRecord } from "./adapter.ts";

/**
 * The kinds of records by which whoever was in before gets in again, or ends the account: who verifies an address for the
 * first time removes them.
 */
export const EVICTED: readonly string[] = ["password", "factor", "device", "key", "deletion", "removed"];

/** A record with all of its members. */
export type FullRecord = { readonly [Name in keyof StoredRecord]-?: Exclude<StoredRecord[Name], undefined> };

/** Gives a record as it is stored: a copy, with all members and no others. @throws {AdapterError} if it cannot be stored. */
export function fullRecord({ kind, id, userId, group, version, expires, data }: StoredRecord): FullRecord {
  const texts = [kind, id, userId ?? "-", group ?? "-"];
  if (!texts.every((text) => typeof text === "string" && text !== "")) {
    throw new AdapterError("Cannot store record: its `kind`, `id`, `userId` or `group` is not text");
  }
  assertVersion(version);
  if (!isPlainObject(data)) throw new AdapterError("Cannot store record: its `data` is not an object");
  if (expires && Number.isNaN(expires.valueOf())) {
    throw new AdapterError("Cannot store record: `expires` is not a date");
  }
  return {
    kind,
    id,
    userId: userId ?? null,
    group: group ?? null,
    version,
    expires: expires ? new Date(expires) : null,
    data: JSON.parse(JSON.stringify(data)),
  };
}

// Anything else would compare differently in each database.
function assertVersion(version: unknown): void {
  if (Number.isSafeInteger(version) && Number(version) >= 0) return;
  throw new AdapterError("Cannot store record: its `version` is not a whole number");
}

/** Whether a record has not expired. */
export function isLasting({ expires }: Pick<StoredRecord, "expires">, now: number): boolean {
  return !expires || expires.getTime() > now;
}

/** Whether what is stored of a key has this version. Where there is nothing, it is 0. */
export function hasVersion(stored: Pick<StoredRecord, "version"> | null, version: number): boolean {
  return (stored?.version ?? 0) === version;
}

/**
 * Gives the version after this one. The first one is random: a record that is created again after it was removed must not
 * be taken for the former one.
 */
export function nextVersion(version: number, { random }: Pick<Runtime, "random">): number {
  if (version > 0) return version + 1;
  return random(new Uint8Array(6)).reduce((sum, byte) => sum * 256 + byte, 0) + 1;
}

/** Compares ids in the order of code points, as UTF-8 has it. */
export function byId({ id }: RecordKey, { id: other }: RecordKey): number {
  const [ours, theirs] = [[...id], [...other]];
  const at = ours.findIndex((character, at) => character !== theirs[at]);
  if (at < 0) return ours.length - theirs.length;
  return (ours[at]?.codePointAt(0) ?? 0) - (theirs[at]?.codePointAt(0) ?? -1);
}
