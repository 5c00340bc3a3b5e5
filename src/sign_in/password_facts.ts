/**
 * What storage knows about a sign-in with a password.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { StoredPassword } from "../passwords/stored.ts";
import type { Storage } from "../storage/guard.ts";
import type { PasswordAttempt } from "./attempt.ts";
import { countsFor, findPassword } from "./stored_password.ts";

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

/**
 * Whether the password that was compared is there still, after a session was written apart from it: whoever has changed it
 * may have ended all sessions before this one was there.
 */
export async function stillStands(
  config: ResolvedConfig,
  { account, revision }: Pick<PasswordAttempt, "account" | "revision">,
): Promise<boolean> {
  return (await findPassword(config, account.providerAccountId))?.revision === revision;
}

/** Looks up the password that another one replaces, also one that does not count. */
export async function gatherReplaced(config: ResolvedConfig, userId: string): Promise<StoredPassword | null> {
  return await findPassword(config, userId);
}
