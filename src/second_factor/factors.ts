/**
 * The factors of a user, as records.
 *
 * A second proof is asked for once there are recovery codes whose owner has shown that they kept them: then nobody locks
 * themselves out with the only device that they have. Passkeys are not here: they are authenticators of the user.
 *
 * @module
 */
import type { JsonObject, RecordKey, StoredRecord } from "../contract/adapter.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import { openAtRest, sealAtRest } from "../crypto/at_rest.ts";
import { sha256Base64Url } from "../crypto/digest.ts";
import { randomText } from "../crypto/random.ts";
import { AdapterError } from "../kernel/errors.ts";
import { isPlainObject } from "../kernel/objects.ts";
import { type Records, recordsIn } from "../storage/stored_records.ts";

/** The kind of the records. Who proves an address for the first time removes them. */
export const FACTOR = "factor";

/** What a factor has in common with the others. */
export interface CommonOfFactors {
  readonly id: string;
  readonly userId: string;
  /** The version of its record: what is decided on it is written only if it is still there. */
  readonly version: number;
  /** Seconds since 1970. */
  readonly createdAt: number;
  readonly usedAt: number | null;
  /** Whether it counts: its owner has shown that it works, and a second proof is asked for. */
  readonly isConfirmed: boolean;
  /** What it is like as long as it does not count. */
  readonly draft?: Draft | undefined;
}

/** A factor that does not count yet. It expires soon. */
export interface Draft {
  /** The browser that began it: no other one ends it. */
  readonly boundTo: string;
  /** When it expires, in milliseconds since 1970. */
  readonly expires: number;
  /** Whether an application has shown a right code. */
  readonly hasWorked?: boolean | undefined;
  /** The number of the recovery code whose end has to be typed back. */
  readonly ask?: number | undefined;
  /** That end, sealed for this record. */
  readonly sealedEnd?: string | undefined;
}

/** An application that shows codes. */
export interface TotpFactor extends CommonOfFactors {
  readonly type: "totp";
  readonly name: string | null;
  /** The secret, sealed for this record. */
  readonly sealed: string;
  /** The step of the last code that was right: no code of it, or before it, is right again. */
  readonly lastStep: number | null;
}

/** Ten codes for when everything else is lost. A user has one set. */
export interface RecoveryFactor extends CommonOfFactors {
  readonly type: "recovery";
  /** The hash of each code that is left, by its number. */
  readonly hashes: Readonly<Record<string, string>>;
}

/** A factor that is a record. */
export type Factor = TotpFactor | RecoveryFactor;

/** Gives the operations on records. @throws {AdapterError} if there are none: the configuration is refused before. */
export function factorRecords({ storage }: Pick<ResolvedConfig, "storage">): Records {
  const records = storage && recordsIn(storage);
  if (!records) throw new AdapterError("Cannot use second factors: the adapter has no records");
  return records;
}

/** Lists the factors of a user, also those that are not confirmed yet. */
export async function factorsOf(config: Pick<ResolvedConfig, "storage">, userId: string): Promise<readonly Factor[]> {
  const found = await factorRecords(config).listRecords({ kind: FACTOR, userId });
  return found.flatMap((record) => readFactor(record) ?? []);
}

/** Whether a second proof is asked of the owner of these factors. */
export function isOn(factors: readonly Factor[]): boolean {
  return countedCodes(factors) !== null;
}

/** Finds the recovery codes that count, if there are any. */
export function countedCodes(factors: readonly Factor[]): RecoveryFactor | null {
  return factors.find((factor): factor is RecoveryFactor => factor.type === "recovery" && factor.isConfirmed) ?? null;
}

/** Makes the record of a factor, to be stored where the record has the version of the factor: 0 if it is new. */
export function recordOf({ id, userId, version, ...members }: Factor): StoredRecord {
  const expires = members.draft ? new Date(members.draft.expires) : null;
  return { kind: FACTOR, id, userId, version, expires, data: { ...members } as JsonObject };
}

/** Gives the key of the record of a factor, with its version. */
export function keyOf({ id, version }: Factor): RecordKey & { readonly version: number } {
  return { kind: FACTOR, id, version };
}

/**
 * Gives the id of the recovery codes that count. Each user has one, so of two requests that turn the second factor on at
 * once one is too late.
 */
export async function recoveryIdOf(userId: string): Promise<string> {
  return `recovery-${await sha256Base64Url(userId)}`;
}

/** Chooses the id of a new factor. */
export function newFactorId({ runtime }: Pick<ResolvedConfig, "runtime">): string {
  return randomText(runtime);
}

const PURPOSE = "second factor";

/** Seals the secret of a factor. */
export async function sealSecret(
  { sealer }: Pick<ResolvedConfig, "sealer">,
  id: string,
  secret: string,
): Promise<string> {
  return await sealAtRest(sealer, { purpose: PURPOSE, owner: id }, secret);
}

/** Opens the secret of a factor; `null` if no secret of the service opens it. */
export async function openSecret(
  { sealer }: Pick<ResolvedConfig, "sealer">,
  { id, sealed }: Pick<TotpFactor, "id" | "sealed">,
): Promise<string | null> {
  return await openAtRest(sealer, { purpose: PURPOSE, owner: id }, sealed);
}

// Rows may have been written by another version, or by hand. What cannot be read counts as a factor that nothing proves.
function readFactor({ id, userId, version, data }: StoredRecord): Factor | null {
  const { type, name, sealed, lastStep, hashes, createdAt, usedAt, isConfirmed, draft } = data;
  if (typeof userId !== "string") return null;
  const common = {
    id,
    userId,
    version,
    createdAt: typeof createdAt === "number" ? createdAt : 0,
    usedAt: typeof usedAt === "number" ? usedAt : null,
    isConfirmed: isConfirmed === true,
    ...(isConfirmed !== true && isPlainObject(draft) && { draft: draft as unknown as Draft }),
  };
  switch (type) {
    case "totp":
      return {
        ...common,
        type,
        name: typeof name === "string" ? name : null,
        sealed: typeof sealed === "string" ? sealed : "",
        lastStep: typeof lastStep === "number" ? lastStep : null,
      };
    case "recovery":
      return { ...common, type, hashes: (hashes ?? {}) as Readonly<Record<string, string>> };
    default:
      return null;
  }
}
