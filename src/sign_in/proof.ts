/**
 * What a sign-in proves of the address of its user, noted before callbacks are given the user.
 *
 * @module
 */
import type { User } from "../kernel/model.ts";
import type { SignInAttempt } from "./attempt.ts";
import { storedEmail } from "./facts.ts";
import { confirmsEmail } from "./plan.ts";
import { noteProof } from "./proven.ts";

/**
 * Gives a user whom callbacks are handed, after noting whether the sign-in proves the address.
 *
 * @param isStored Whether the user is a row, whose own marks count too. Those of a user whom `profile` returned do not:
 * what a provider says of itself is no proof.
 */
export function handedOver<U extends User>(attempt: SignInAttempt, user: U, isStored: boolean): U {
  const isProven = proves(attempt, user);
  if (isProven || (attempt.method === "oauth" && !isStored)) noteProof(user, isProven);
  return user;
}

function proves(attempt: SignInAttempt, user: User): boolean {
  const email = storedEmail(user);
  if (attempt.method === "oauth") return confirmsEmail(attempt, email);
  return attempt.method === "email" && email === storedEmail({ email: attempt.token.identifier });
}
