/**
 * What sign-ins have to do with passwords that the service keeps. Only services that have them load this.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { Verification } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { PasswordStore } from "../passwords/settings.ts";
import type { StoredPassword } from "../passwords/stored.ts";
import type { Storage } from "../storage/guard.ts";
import type { PasswordAttempt, PasswordToSet } from "./attempt.ts";
import type { Facts } from "./linking.ts";
import { asked, countsFor, findPassword, removePassword, revisionFor } from "./stored_password.ts";
import type { WriteSignIn } from "./writer.ts";

export { findPassword } from "./stored_password.ts";

/** What storage knows about a sign-in with a password. */
export interface PasswordFacts {
  readonly user: AdapterUser | null;
  /** The password of the attempt, if its user still has it and it counts. */
  readonly password: StoredPassword | null;
}

/** Looks up whether a password is still the one that was compared. */
export async function gatherPassword(
  config: ResolvedConfig,
  storage: Storage,
  { account, revision }: PasswordAttempt,
): Promise<PasswordFacts> {
  const user = await storage.getUser(account.providerAccountId);
  const found = user && await findPassword(config, user.id);
  const stands = found !== null && found.revision === revision && user !== null && countsFor(found, user);
  return { user, password: stands ? found : null };
}

/** Makes a writer also remove what lets a user in, where the application keeps hashes: they are in no plan. */
export function evictingStored(config: ResolvedConfig, write: WriteSignIn): WriteSignIn {
  return async (planned, around) => {
    const { evict } = planned.plan;
    if (evict) await removePassword(config, evict.userId);
    return await write(planned, around);
  };
}

/**
 * Makes sure that a link still replaces the password that its user has.
 *
 * @throws {Verification} if they have got another one since it was sent, or were removed.
 */
export function assertCurrent(
  { replaces, creates }: PasswordToSet,
  { byEmail, password }: Pick<Facts, "byEmail" | "password">,
): void {
  const isCurrent = byEmail ? revisionFor(password, byEmail) === replaces : creates;
  if (!isCurrent) throw new Verification("Cannot use link: the password was changed after it was sent");
}

/** Stores the hash of somebody who has proven their address, where the application keeps hashes. */
export async function keepHash(store: PasswordStore, userId: string, hash: string): Promise<void> {
  await asked("set", () => store.set(userId, hash));
}
