/**
 * Guesses at codes: how many of them are compared, whatever storage can do.
 *
 * With `once`, each guess sets the next of five marks. Without it, five verification tokens are stored with the code, and
 * each guess takes the next one, see {@linkcode take}. Either way storage decides, so the bound holds for all instances
 * together. What marks and tokens are named after is the suffix of the code, which only the email and the browser that
 * asked for the code have.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { requireStorage } from "../request/require_storage.ts";
import { sha256Hex } from "../crypto/digest.ts";
import { randomHex } from "../crypto/random.ts";
import { AdapterError, EmailSignInError } from "../kernel/errors.ts";
import type { VerificationToken } from "../kernel/model.ts";
import type { Storage } from "../storage/guard.ts";

/** Guesses at one code: with a million codes, a chance of one in 200,000 for each code that is sent. */
export const MAX_GUESSES = 5;

/** Seconds that a mark outlives its code: cookies expire on whole seconds, and the clock of storage may differ. */
const MARGIN = 60;

const GUESSES: readonly number[] = Array.from({ length: MAX_GUESSES }, (_, at) => at + 1);

/**
 * Allows guesses at the code with this suffix, until it expires.
 *
 * @returns `false` if storage can neither set a mark once nor let one caller only take a token.
 */
export async function allowGuesses(ctx: RequestContext, suffix: string, expires: Date): Promise<boolean> {
  const storage = requireStorage(ctx);
  if (storage.once) return true;
  if (!await takesOnce(ctx, storage, expires)) return false;
  await Promise.all(GUESSES.map(async (guess) => {
    await storage.createVerificationToken(await rowOf(suffix, guess, expires));
  }));
  return true;
}

/**
 * Counts a guess: 1 for the first, `MAX_GUESSES + 1` for every one that is too many. Count before the code is compared,
 * so that of many parallel guesses only {@linkcode MAX_GUESSES} are compared.
 */
export async function countGuess(storage: Storage, suffix: string, exp: number): Promise<number> {
  const { once } = storage;
  const name = await sha256Hex(suffix);
  const expires = new Date((exp + MARGIN) * 1000);
  for (const guess of GUESSES) {
    const isCounted = once
      ? await once(`code:${name}:${guess}`, expires)
      : await take(storage, await rowOf(suffix, guess, expires));
    if (isCounted) return guess;
  }
  return MAX_GUESSES + 1;
}

/** Removes what is left of the guesses at a code. It harms nobody and expires, so a failure is only logged. */
export async function removeGuesses(ctx: RequestContext, suffix: string | undefined): Promise<void> {
  const { once, useVerificationToken } = requireStorage(ctx);
  if (once || suffix === undefined) return;
  try {
    await Promise.all(GUESSES.map(async (guess) => {
      const row = await rowOf(suffix, guess, new Date(0));
      await useVerificationToken(row);
      await useVerificationToken(await takenOf(row));
    }));
  } catch (cause) {
    const message = "Cannot remove the guesses that were left for a code";
    ctx.config.logger.error(new EmailSignInError(message, { cause, logCode: "adapter-failed" }), ctx);
  }
}

/**
 * Takes a token of storage. Some adapters of Auth.js read a token and then remove it, so that several callers get it;
 * others store a token that exists as if it were new. No more than one caller takes it if storage does one of both right.
 */
async function take({ createVerificationToken, useVerificationToken }: Storage, row: VerificationToken) {
  if (await useVerificationToken(row) === null) return false;
  try {
    await createVerificationToken(await takenOf(row));
    return true;
  } catch {
    // Somebody else took it. If storage is down instead, the next call tells.
    return false;
  }
}

// No link has this token: links are stored under a hash of the secret, too. And no row has the identifier of another,
// because some adapters remove all rows of an identifier.
async function rowOf(suffix: string, guess: number, expires: Date): Promise<VerificationToken> {
  const token = await sha256Hex(`code:${suffix}:${guess}`);
  return { identifier: `code:${token}`, token, expires };
}

/** The row that says that another one was taken. */
async function takenOf({ token: of, expires }: VerificationToken): Promise<VerificationToken> {
  const token = await sha256Hex(`taken:${of}`);
  return { identifier: `code:${token}`, token, expires };
}

/** Callers at the same time. */
const CALLERS = 8;

/** How often they race: in the first round, a pool may still be opening its connections. */
const ROUNDS = 2;

const knownToTakeOnce = new WeakMap<Storage, boolean>();

/** Whether one caller only can take a token of storage. Tried with tokens of its own, before the first code is sent. */
async function takesOnce({ config: { runtime } }: RequestContext, storage: Storage, expires: Date): Promise<boolean> {
  const known = knownToTakeOnce.get(storage);
  if (known !== undefined) return known;
  let winners = 1;
  for (let round = 1; round <= ROUNDS && winners === 1; round++) {
    winners = await race(storage, await rowOf(randomHex(runtime), round, expires));
  }
  knownToTakeOnce.set(storage, winners === 1);
  return winners === 1;
}

/** Stores a token, and counts the callers who take it at the same time. */
async function race(storage: Storage, row: VerificationToken): Promise<number> {
  await storage.createVerificationToken(row);
  // Adapters differ in what those get who come too late: `null` or an error.
  const answers = await Promise.allSettled(Array.from({ length: CALLERS }, () => take(storage, row)));
  await storage.useVerificationToken(await takenOf(row));
  const winners = answers.filter((answer) => answer.status === "fulfilled" && answer.value).length;
  if (winners > 0) return winners;
  const failed = answers.find((answer) => answer.status === "rejected");
  throw failed?.reason ?? new AdapterError("Cannot count guesses: the adapter lost a token that it had just stored");
}
