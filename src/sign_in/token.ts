/**
 * The token of a link that was sent by e-mail.
 *
 * @module
 */
import type { Plan } from "../adapter.ts";
import { Verification } from "../errors.ts";
import type { Storage } from "../storage.ts";
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
  const { identifier, hashes } = token;
  const look = storage.commit ? storage.getVerificationToken : null;
  for (const hash of hashes) {
    const found = await (look ?? storage.useVerificationToken)({ identifier, token: hash });
    if (!found) continue;
    if (found.expires <= now) break;
    return look ? { identifier, tokens: hashes, now } : null;
  }
  throw new Verification("Cannot sign in: the link was used before, has expired, or was never sent");
}
