/**
 * Writes changes about a user, if everything still is as it was decided on.
 *
 * @module
 */
import { asRead, type Expectation, isAsRead, isAsUsed, type Plan } from "../contract/adapter.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import { AdapterError } from "../kernel/errors.ts";
import { once } from "../kernel/load.ts";
import type { AdapterUser } from "../kernel/model.ts";
import { isLiveRow } from "../session_stores/ended.ts";
import type { Storage } from "../storage/guard.ts";

const apart = once(() => import("./records_apart.ts"));

/** Writes a plan about a user who must not have changed. Without transactions, it is checked right before. */
export async function commitAbout(
  config: Pick<ResolvedConfig, "storage" | "runtime">,
  user: AdapterUser,
  { expect, ...plan }: Plan,
): Promise<"done" | "consumed" | "conflict"> {
  const { storage } = config;
  if (!storage) throw new AdapterError("Cannot change what a user signs in with: there is no `adapter`");
  const whole = { ...plan, expect: { ...expect, user: asRead(user) } };
  if (storage.commit) return await storage.commit(whole);
  const check = async () => await holds(config, storage, whole.expect) ? NOTHING : null;
  if (await check() === null) return "conflict";
  if (!plan.records && !expect?.records) return "done";
  return await (await apart()).applyWithRecords(storage, whole, check) ? "done" : "conflict";
}

const NOTHING = { created: null, verifiedAt: null };

async function holds(
  { runtime }: Pick<ResolvedConfig, "runtime">,
  storage: Storage,
  { user, session, account, authenticator }: Expectation,
): Promise<boolean> {
  if (user && !isAsRead(await storage.getUser(user.id), user)) return false;
  if (account && (await storage.getUserByAccount(account))?.id !== account.userId) return false;
  if (authenticator && !isAsUsed(await storage.getAuthenticator(authenticator.credentialID), authenticator)) {
    return false;
  }
  return !session || isLiveRow((await storage.getSessionAndUser(session.sessionToken))?.session, runtime.now());
}
