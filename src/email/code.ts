/**
 * Codes: tokens that are short enough to type, and so to guess.
 *
 * A code is only half of the stored token. The other half is random: it is in the link that is sent, and sealed in the
 * cookie of the browser that requested it. So a typed code works in that browser only, and an attacker elsewhere can
 * neither guess a code nor use up the guesses of its owner.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { requireStorage } from "../request/require_storage.ts";
import { sha256Hex } from "../crypto/digest.ts";
import { randomHex } from "../crypto/random.ts";
import { AdapterError, InvalidConfig, Verification } from "../kernel/errors.ts";
import type { ResolvedEmailProvider } from "../config/resolved_provider.ts";
import type { Storage } from "../storage/guard.ts";
import { type EmailLink, findRequestedLink, hashToken, isRequested, type RequestedLink } from "./link.ts";

/** A token with fewer characters is a code. */
const MIN_TOKEN_LENGTH = 16;

/** Guesses at one code: with a million codes, a chance of one in 200,000 for each code that is sent. */
const MAX_GUESSES = 5;

/** Seconds that the count outlives its code: cookies expire on whole seconds, and the clock of storage may differ. */
const MARGIN = 60;

/** Whether a token is a code: too short to be safe from guesses. */
export function isCode(token: string): boolean {
  return token.length < MIN_TOKEN_LENGTH;
}

/**
 * Makes the random half of a token whose other half is a code.
 *
 * @throws {InvalidConfig} if storage cannot count guesses.
 */
export function makeSuffix(ctx: RequestContext, { id }: ResolvedEmailProvider): string {
  if (requireStorage(ctx).once) return randomHex(ctx.config.runtime);
  throw new InvalidConfig(
    `Cannot send a code: \`generateVerificationToken\` of provider "${id}" returned fewer than ${MIN_TOKEN_LENGTH} ` +
      "characters, and `adapter` has no `once` to count guesses. Return a longer random string, or use an adapter " +
      "with `once`",
  );
}

/** Joins a code and its suffix to the stored token. */
export function joinToken(code: string, suffix: string): string {
  return `${code}.${suffix}`;
}

/**
 * Finds the link that a code belongs to. Each call is a guess. It is counted before it is compared, so that of many
 * parallel guesses only {@linkcode MAX_GUESSES} are compared. The last one removes the code.
 *
 * @throws {Verification} if this browser did not request a code, if the code is wrong, or after too many guesses.
 */
export async function findLinkByCode(
  ctx: RequestContext,
  provider: ResolvedEmailProvider,
  { identifier, code }: { readonly identifier: string; readonly code: string },
): Promise<EmailLink> {
  const requested = await findRequestedLink(ctx, { provider: provider.id, identifier });
  if (requested?.suffix === undefined) throw new Verification("Cannot use code: this browser did not request one");
  const guess = await countGuess(requireStorage(ctx), requested.suffix, requested.exp);
  const hashes = await hashToken(provider, joinToken(code, requested.suffix));
  if (guess <= MAX_GUESSES && isRequested({ hashes }, requested)) return { provider: provider.id, identifier, hashes };
  if (guess >= MAX_GUESSES) await removeCode(ctx, identifier, requested);
  throw new Verification(`Cannot use code: it is wrong, or was guessed more than ${MAX_GUESSES} times`);
}

/** Counts a guess: 1 for the first, `MAX_GUESSES + 1` for every one that is too many. */
async function countGuess({ once }: Storage, suffix: string, exp: number): Promise<number> {
  if (!once) throw new AdapterError("Cannot count guesses: the adapter no longer has `once`");
  const name = await sha256Hex(suffix);
  const expires = new Date((exp + MARGIN) * 1000);
  for (let guess = 1; guess <= MAX_GUESSES; guess++) {
    if (await once(`code:${name}:${guess}`, expires)) return guess;
  }
  return MAX_GUESSES + 1;
}

async function removeCode(ctx: RequestContext, identifier: string, { hash }: RequestedLink): Promise<void> {
  ctx.cookies.clear("email");
  await requireStorage(ctx).useVerificationToken({ identifier, token: hash });
}
