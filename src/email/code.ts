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
import { mayGuess } from "../request/points.ts";
import { requireStorage } from "../request/require_storage.ts";
import { randomHex } from "../crypto/random.ts";
import { InvalidConfig, Verification } from "../kernel/errors.ts";
import type { ResolvedEmailProvider } from "../config/resolved_provider.ts";
import { allowGuesses, countGuess, MAX_GUESSES } from "./guesses.ts";
import { findRequested, hashToken, isRequested, withdrawProof } from "../sign_in/address_proof.ts";
import type { EmailLink } from "./link.ts";

/** A token with fewer characters is a code. */
const MIN_TOKEN_LENGTH = 16;

/** Whether a token is a code: too short to be safe from guesses. */
export function isCode(token: string): boolean {
  return token.length < MIN_TOKEN_LENGTH;
}

/**
 * Makes the random half of a token whose other half is a code, and allows guesses at it until `expires`.
 *
 * @throws {InvalidConfig} if storage cannot bound the guesses.
 */
export async function makeSuffix(ctx: RequestContext, { id }: ResolvedEmailProvider, expires: Date): Promise<string> {
  const suffix = randomHex(ctx.config.runtime);
  if (await allowGuesses(ctx, suffix, expires)) return suffix;
  throw new InvalidConfig(
    `Cannot send a code: \`generateVerificationToken\` of provider "${id}" returned fewer than ${MIN_TOKEN_LENGTH} ` +
      "characters, and guesses cannot be counted: `adapter` has no `once`, and its `useVerificationToken` gave several " +
      "callers the same token. Return a longer random string, or use an adapter with `once`",
  );
}

/** Joins a code and its suffix to the stored token. */
export function joinToken(code: string, suffix: string): string {
  return `${code}.${suffix}`;
}

/** Finds the suffix in a token whose other half is a code; `undefined` if it is a token like any other. */
export function suffixOf(token: string): string | undefined {
  const at = token.lastIndexOf(".");
  return at > 0 && isCode(token.slice(0, at)) ? token.slice(at + 1) : undefined;
}

/** A code as somebody typed it. */
interface TypedCode {
  readonly identifier: string;
  readonly code: string;
  /** All that came with it. */
  readonly fields: Readonly<Record<string, unknown>>;
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
  { identifier, code, fields }: TypedCode,
): Promise<EmailLink> {
  const about = { purpose: "sign-in", subject: identifier, provider: provider.id } as const;
  const requested = await findRequested(ctx, about);
  if (requested?.suffix === undefined) throw new Verification("Cannot use code: this browser did not request one");
  const { suffix, exp } = requested;
  const compared = await mayGuess(ctx, {
    kind: "code",
    provider: provider.id,
    subject: identifier,
    fields,
    target: suffix,
  });
  if (!compared) throw new Verification("Cannot use code: there were too many guesses; wait before the next one");
  const guess = await countGuess(requireStorage(ctx), suffix, exp);
  const hashes = await hashToken(provider.secrets, joinToken(code, suffix));
  const isRight = guess <= MAX_GUESSES && isRequested({ hashes }, requested);
  await compared(isRight);
  if (isRight) return { provider: provider.id, identifier, hashes, suffix };
  if (guess >= MAX_GUESSES) {
    ctx.cookies.clear("email");
    await withdrawProof(requireStorage(ctx), { ...about, hashes: [requested.hash] });
  }
  throw new Verification(`Cannot use code: it is wrong, or was guessed more than ${MAX_GUESSES} times`);
}
