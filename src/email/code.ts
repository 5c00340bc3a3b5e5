/**
 * Codes: tokens that are short enough to be typed, and so to be guessed.
 *
 * A code is only half of the token that is stored. The other half is random; it is in the link that is mailed, and sealed
 * in the cookie of the browser that asked. So a link is as good as any other, a code that is typed counts in that
 * browser only, and strangers who guess can neither find a code nor use up the guesses of the person it was sent to.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { sha256Hex } from "../crypto/digest.ts";
import { randomHex } from "../crypto/random.ts";
import { AdapterError, InvalidConfig, Verification } from "../kernel/errors.ts";
import type { ResolvedEmailProvider } from "../config/resolved_provider.ts";
import type { Storage } from "../config/storage.ts";
import { type EmailLink, hashToken, isRequested, type RequestedLink, requestedLink } from "./link.ts";
import { storageOf } from "./user.ts";

/** The fewest characters of what nobody guesses. */
const MIN_TOKEN_LENGTH = 16;

/** Guesses at one code. Of a million codes that is one chance in 200,000 for each mail that is sent. */
const MAX_GUESSES = 5;

/** Seconds that a count outlives its code, because the clocks of storage and service differ and cookies end by seconds. */
const MARGIN = 60;

/** Whether what was made, or what was sent back, is a code. Nothing of this length is a whole token. */
export function isCode(token: string): boolean {
  return token.length < MIN_TOKEN_LENGTH;
}

/**
 * Makes what a code lacks to be a token.
 *
 * @throws {InvalidConfig} if storage cannot count guesses.
 */
export function makeSuffix({ config }: RequestContext, { id }: ResolvedEmailProvider): string {
  if (storageOf(config).once) return randomHex(config.runtime);
  throw new InvalidConfig(
    `Cannot send a code: \`generateVerificationToken\` of provider "${id}" gave fewer than ${MIN_TOKEN_LENGTH} ` +
      "characters, and `adapter` has no `once` to count guesses with: give a longer random text, or use an adapter " +
      "that has it",
  );
}

/** The token that a code is half of. */
export function joinToken(code: string, suffix: string): string {
  return `${code}.${suffix}`;
}

/**
 * Finds the link that a code stands for. Each call is a guess, and is counted before anything is compared, so that of
 * many at once no more than {@linkcode MAX_GUESSES} are looked at. After the last one the code is ended.
 *
 * @throws {Verification} if this browser did not ask for a code, if the code is another, or after too many guesses.
 */
export async function findLinkByCode(
  ctx: RequestContext,
  provider: ResolvedEmailProvider,
  { identifier, code }: { readonly identifier: string; readonly code: string },
): Promise<EmailLink> {
  const asked = await requestedLink(ctx, { provider: provider.id, identifier });
  if (asked?.suffix === undefined) throw new Verification("Cannot use code: this browser has not asked for one");
  const guess = await countGuess(storageOf(ctx.config), asked.suffix, asked.exp);
  const hashes = await hashToken(provider, joinToken(code, asked.suffix));
  if (guess <= MAX_GUESSES && isRequested({ hashes }, asked)) return { provider: provider.id, identifier, hashes };
  if (guess >= MAX_GUESSES) await removeCode(ctx, identifier, asked);
  throw new Verification(`Cannot use code: it is another, or was guessed at more than ${MAX_GUESSES} times`);
}

/** Counts a guess; from `MOST_GUESSES + 1` on it is one too many. */
async function countGuess({ once }: Storage, suffix: string, exp: number): Promise<number> {
  if (!once) throw new AdapterError("Cannot count guesses: the adapter has no `once` any more");
  const name = await sha256Hex(suffix);
  const end = new Date((exp + MARGIN) * 1000);
  for (let guess = 1; guess <= MAX_GUESSES; guess++) {
    if (await once(`code:${name}:${guess}`, end)) return guess;
  }
  return MAX_GUESSES + 1;
}

async function removeCode(ctx: RequestContext, identifier: string, { hash }: RequestedLink): Promise<void> {
  ctx.cookies.clear("email");
  await storageOf(ctx.config).useVerificationToken({ identifier, token: hash });
}
