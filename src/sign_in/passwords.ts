/**
 * What sign-ins have to do with passwords that the service keeps. Only services that have them load this.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { StoredPassword } from "../passwords/stored.ts";
import type { Storage } from "../storage/guard.ts";
import type { PasswordAttempt } from "./attempt.ts";
import { countsFor, findPassword, removePassword } from "./stored_password.ts";
import type { WriteSignIn } from "./writer.ts";

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
