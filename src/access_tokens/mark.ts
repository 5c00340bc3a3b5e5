/**
 * Leases of refreshes, as marks in storage.
 *
 * A lease is for one version of an account: its tokens, and a number that whoever ends a lease raises. A mark for a version
 * is set once, and no clock decides whether it still counts, because the clocks of two processes may differ. If its holder
 * has crashed, others raise the number after they have seen the mark for as long as a lease lasts, by their own clock.
 *
 * @module
 */
import { sha256Hex } from "../crypto/digest.ts";
import { BoundedMap } from "../kernel/bounded_map.ts";
import type { Storage } from "../storage/guard.ts";
import { ownerOf } from "../oauth_client/account_tokens.ts";
import { nextVersion, type StoredToken, type TokenRequest, versionOf } from "./stored_token.ts";
import { write } from "./write.ts";

/** A lease that the caller has. */
export interface Lease {
  /** What was read before it was taken. */
  readonly stored: StoredToken;
  /** The version of the account. */
  readonly version: string;
  /** When it was taken, in milliseconds since 1970. */
  readonly taken: number;
  /** When it ends, in milliseconds since 1970. */
  readonly ends: number;
}

/** Since when others are known to have a lease, in milliseconds since 1970: by storage and version. */
const takenByOthers = new WeakMap<Storage, BoundedMap<string, number>>();

function takenIn(storage: Storage): BoundedMap<string, number> {
  const known = takenByOthers.get(storage) ?? new BoundedMap<string, number>(1000);
  takenByOthers.set(storage, known);
  return known;
}

/**
 * Takes the lease of an account. `null` if somebody else has it.
 *
 * @param tries How often the caller has tried before, without an error of storage in between.
 */
export async function takeLease(request: TokenRequest, stored: StoredToken, tries: number): Promise<Lease | null> {
  const { config: { runtime, timeouts }, storage } = request;
  const version = await digestOf(stored);
  const lease = (timeouts.request + STORING) * 1000;
  const taken = runtime.now();
  const end = new Date(taken + (storage.commit ? LONGEST * 1000 : lease + TOLERANCE * 1000));
  if (await storage.once?.(`refresh:${version}`, end)) return { stored, version, taken, ends: taken + lease };
  const known = takenIn(storage);
  const since = known.get(version);
  if (since === undefined) known.set(version, runtime.now());
  // Not every adapter can compare and write at once. With one that cannot, the mark runs out.
  else if (storage.commit && tries >= PATIENT && runtime.now() - since >= lease) {
    await write(request, stored.account, { ...nextVersion(stored.account) });
  }
  return null;
}

/**
 * Tries after which a holder counts as crashed. When storage has just recovered, it may have tokens that it is about to
 * write.
 */
const PATIENT = 8;

/** Seconds for the answer to be verified and stored. The request may take `timeouts.request`. */
const STORING = 3;

/** Seconds for which a mark is kept. It is longer than clocks differ. */
const LONGEST = 60 * 60;

/** Seconds that clocks may differ where marks have to run out. */
const TOLERANCE = 15;

/** Whether a lease is for an account as it is now. */
export async function isSameLease({ version }: Lease, stored: StoredToken): Promise<boolean> {
  return version === await digestOf(stored);
}

/** Leaves a lease to whoever is next, when it would have ended. */
export function giveUp(storage: Storage, { version, taken }: Lease): null {
  takenIn(storage).set(version, taken);
  return null;
}

async function digestOf({ account, accessToken, refreshToken, expiresAt }: StoredToken): Promise<string> {
  const version = [accessToken, refreshToken, expiresAt, versionOf(account)];
  return await sha256Hex(JSON.stringify([ownerOf(account), ...version]));
}
