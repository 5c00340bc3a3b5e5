/**
 * Recovery codes: what gets somebody in who has lost everything else. There are ten, and each works once.
 *
 * A code is its number and 60 random bits. Each is stored as a slow hash with a salt of its own, and the number says which
 * hash it is compared with, so a try costs one of them.
 *
 * @see {@link https://pages.nist.gov/800-63-4/sp800-63b.html#savedrecoverycodes | SP 800-63B-4, saved recovery codes}
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { sameText } from "../crypto/digest.ts";
import { hashSecret, verifySecret } from "../hashing/mod.ts";
import type { Runtime } from "../kernel/runtime.ts";
import { countedCodes, factorRecords, factorsOf, recordOf, type RecoveryFactor } from "./factors.ts";
import { toBase32 } from "./totp.ts";

/** Codes of a set. */
export const RECOVERY_CODES = 10;

/** Characters of base32, after the number: 60 bits. */
const LENGTH = 12;

/** A new set. */
export interface RecoverySet {
  /** The codes as they are shown once, such as `3-ABCD-EFGH-IJKL`. The first has the number 1. */
  readonly codes: readonly string[];
  /** What is stored: the hash of each, by its number. */
  readonly hashes: Readonly<Record<string, string>>;
}

/** Makes ten codes. */
export async function makeRecoveryCodes(runtime: Runtime): Promise<RecoverySet> {
  const codes: string[] = [];
  const hashes: Record<string, string> = {};
  // One after another: a hash takes much memory.
  for (let number = 1; number <= RECOVERY_CODES; number++) {
    const secret = toBase32(runtime.random(new Uint8Array(8))).slice(0, LENGTH);
    codes.push([number, ...secret.match(/.{4}/g) ?? []].join("-"));
    hashes[number] = await hashSecret(secret, runtime);
  }
  return { codes, hashes };
}

/** Gives what somebody types back of a code, to show that they kept it. */
export function lastFourOf(code: string): string {
  return lettersOf(code).slice(-4);
}

/** Whether what was typed back is the end of a code, or all of it. @param lastFour What {@linkcode lastFourOf} gave. */
export function checkLastFour(typed: string, lastFour: string): boolean {
  return lastFour !== "" && sameText(lastFourOf(typed), lastFour);
}

/** A code as somebody typed it. */
export interface TypedRecoveryCode {
  readonly number: string;
  readonly secret: string;
}

/** Reads a code, also in lower case, and with other separators. `null` if it is none. */
export function readRecoveryCode(typed: string): TypedRecoveryCode | null {
  const [, number, secret] = /^([1-9]\d?)([A-Z2-7]{12})$/.exec(lettersOf(typed)) ?? [];
  return number && secret ? { number, secret } : null;
}

function lettersOf(typed: string): string {
  return typed.replace(/[\s-]/g, "").toUpperCase();
}

/** How often a use is tried again whose record somebody else has just changed. */
const TRIES = 3;

/**
 * Uses a code up. Only one of many parallel uses of a code succeeds.
 *
 * @returns Whether it was right, and had not been used.
 */
export async function useRecoveryCode(
  config: Pick<ResolvedConfig, "storage" | "runtime">,
  userId: string,
  { number, secret }: TypedRecoveryCode,
): Promise<boolean> {
  let set = await recoverySetOf(config, userId);
  const hash = set && Object.hasOwn(set.hashes, number) ? set.hashes[number] : undefined;
  // One that is left in place of one that was used: otherwise the time would tell which codes were.
  const compared = hash ?? Object.values(set?.hashes ?? {})[0];
  const verdict = compared ? await verifySecret(secret, compared) : "no";
  if (!hash || verdict === "no") return false;
  for (let tries = 0; set?.hashes[number] === hash && tries < TRIES; tries++) {
    const { [number]: _, ...hashes } = set.hashes;
    const used = { ...set, hashes, usedAt: Math.floor(config.runtime.now() / 1000) };
    if (await factorRecords(config).putRecord(recordOf(used)) !== null) return true;
    // Another code of the set was used meanwhile, or this one.
    set = await recoverySetOf(config, userId);
  }
  return false;
}

async function recoverySetOf(config: Pick<ResolvedConfig, "storage">, userId: string): Promise<RecoveryFactor | null> {
  return countedCodes(await factorsOf(config, userId));
}
