/**
 * The token of a link that was sent by email.
 *
 * @module
 */
import type { Plan } from "../contract/adapter.ts";
import { Verification } from "../kernel/errors.ts";
import type { Storage } from "../storage/guard.ts";
import type { EmailAttempt } from "./attempt.ts";

/**
 * Makes sure that a token exists and has not expired.
 *
 * If storage can use it up together with the sign-in, the token is only read, so that the link survives a failure.
 * Otherwise it is used up here.
 *
 * @returns What the plan has to use up; `null` if the token is used up already.
 * @throws {Verification} if the token does not exist or has expired.
 */
export async function checkToken(
  storage: Storage,
  { token }: EmailAttempt,
  now: Date,
): Promise<Plan["consume"] | null> {
  const read = storage.commit ? storage.getVerificationToken : null;
  const identifier = await assertToken(read ?? storage.useVerificationToken, token, now);
  return read ? { identifier, tokens: token.hashes, now } : null;
}

/**
 * Makes sure that a token exists and has not expired, without using it up. Does nothing if storage cannot read a token
 * without using it up.
 *
 * @throws {Verification} if the token does not exist or has expired.
 */
export async function peekToken(storage: Storage, token: EmailAttempt["token"], now: Date): Promise<void> {
  if (storage.getVerificationToken) await assertToken(storage.getVerificationToken, token, now);
}

// Gives the address as the row has it: an international domain can be spelled in two ways.
async function assertToken(
  find: Storage["useVerificationToken"],
  { identifier, hashes }: EmailAttempt["token"],
  now: Date,
): Promise<string> {
  for (const hash of hashes) {
    const found = await find({ identifier, token: hash });
    if (!found) continue;
    if (found.expires <= now) break;
    return found.identifier;
  }
  throw new Verification("Cannot sign in: the link was used before, has expired, or was never sent");
}
