/**
 * Writes changes about a user, if everything still is as it was decided on.
 *
 * @module
 */
import { asRead, isAsRead, type Plan } from "../contract/adapter.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import { AdapterError } from "../kernel/errors.ts";
import { once } from "../kernel/load.ts";
import type { AdapterUser } from "../kernel/model.ts";
import { isLiveRow } from "../session_stores/ended.ts";

const apart = once(() => import("./records_apart.ts"));

/** Writes a plan about a user who must not have changed. */
export async function commitAbout(
  { storage, runtime }: Pick<ResolvedConfig, "storage" | "runtime">,
  user: AdapterUser,
  { expect, ...plan }: Plan,
): Promise<"done" | "consumed" | "conflict"> {
  if (!storage) throw new AdapterError("Cannot change what a user signs in with: there is no `adapter`");
  const whole = { ...plan, expect: { ...expect, user: asRead(user) } };
  if (storage.commit) return await storage.commit(whole);
  const holds = async () => {
    if (!isAsRead(await storage.getUser(user.id), whole.expect.user)) return null;
    const found = expect?.session ? await storage.getSessionAndUser(expect.session.sessionToken) : null;
    return !expect?.session || isLiveRow(found?.session, runtime.now()) ? { created: null, verifiedAt: null } : null;
  };
  if (await holds() === null) return "conflict";
  return await (await apart()).applyWithRecords(storage, whole, holds) ? "done" : "conflict";
}
