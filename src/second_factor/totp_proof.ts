/**
 * A code of an application as a second proof.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { readDigits } from "../kernel/digits.ts";
import { factorRecords, factorsOf, openSecret, recordOf, type TotpFactor } from "./factors.ts";
import { fromBase32, stepOf } from "./totp.ts";

const DIGITS = 6;

/** How often a use is tried again whose record somebody else has just changed. */
const TRIES = 3;

/** Reads a code, also with spaces. `null` if it is none. */
export function readTotpCode(typed: string): string | null {
  return readDigits(typed, DIGITS);
}

/**
 * Uses up the step of a code, with that of every earlier one. Only one of many parallel uses succeeds.
 *
 * @returns Whether the code was right, and neither it nor a later one had been used.
 */
export async function useTotpCode(
  config: Pick<ResolvedConfig, "storage" | "sealer" | "runtime">,
  userId: string,
  code: string,
): Promise<boolean> {
  const now = config.runtime.now();
  for (let tries = 0; tries < TRIES; tries++) {
    const found = await findStep(config, { userId, code, now });
    if (!found) return false;
    const { factor, step } = found;
    const used = { ...factor, lastStep: step, usedAt: Math.floor(now / 1000) };
    if (await factorRecords(config).putRecord(recordOf(used)) !== null) return true;
    // The code was used meanwhile, or the factor was renamed.
  }
  return false;
}

async function findStep(
  config: Pick<ResolvedConfig, "storage" | "sealer">,
  { userId, code, now }: { readonly userId: string; readonly code: string; readonly now: number },
): Promise<{ readonly factor: TotpFactor; readonly step: number } | null> {
  for (const factor of await factorsOf(config, userId)) {
    if (factor.type !== "totp" || !factor.isConfirmed) continue;
    const text = await openSecret(config, factor);
    const secret = text === null ? null : fromBase32(text);
    if (!secret || secret.length === 0) continue;
    const step = await stepOf(secret, code, { now, after: factor.lastStep });
    if (step !== null) return { factor, step };
  }
  return null;
}
