/**
 * The token of a link that was sent by e-mail.
 *
 * @module
 */
import type { Plan } from "../contract/adapter.ts";
import { Verification } from "../kernel/errors.ts";
import type { Storage } from "../config/storage.ts";
import type { EmailAttempt } from "./attempt.ts";

/**
 * Makes sure that a token was sent and has not ended.
 *
 * Where storage can use it up together with what follows, it is only looked at, so that a failure leaves the link
 * usable. Elsewhere it is used up here.
 *
 * @returns What the plan is to use up; `null` if it is done.
 * @throws {Verification} if there is no such token, or it has ended.
 */
export async function checkToken(
  storage: Storage,
  { token }: EmailAttempt,
  now: Date,
): Promise<Plan["consume"] | null> {
  const look = storage.commit ? storage.getVerificationToken : null;
  await assertToken(look ?? storage.useVerificationToken, token, now);
  return look ? { identifier: token.identifier, tokens: token.hashes, now } : null;
}

/**
 * Looks whether a token was sent and has not ended, and leaves it as it is. Of storage that cannot look without using
 * it up nothing is asked.
 *
 * @throws {Verification} if there is no such token, or it has ended.
 */
export async function peekToken(storage: Storage, token: EmailAttempt["token"], now: Date): Promise<void> {
  if (storage.getVerificationToken) await assertToken(storage.getVerificationToken, token, now);
}

async function assertToken(
  find: Storage["useVerificationToken"],
  { identifier, hashes }: EmailAttempt["token"],
  now: Date,
): Promise<void> {
  for (const hash of hashes) {
    const found = await find({ identifier, token: hash });
    if (!found) continue;
    if (found.expires <= now) break;
    return;
  }
  throw new Verification("Cannot sign in: the link was used before, has expired, or was never sent");
}
