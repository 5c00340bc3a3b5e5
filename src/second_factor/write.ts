/**
 * Writes changes of second factors, if everything still is as it was decided on.
 *
 * @module
 */
import { asRead, type Expectation, isAsRead, type Plan } from "../contract/adapter.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import { AdapterError } from "../kernel/errors.ts";
import { once } from "../kernel/load.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { RequestContext } from "../request/context.ts";
import { revokeAllSessions, revokeOtherSessions } from "../session/user_sessions.ts";
import { endWaiting } from "../session_stores/without_rows.ts";
import { adoptSession } from "../session_stores/adopt.ts";
import { rowKeyOf, sealedIdOf } from "../session_stores/auth_session.ts";
import { isLiveRow } from "../session_stores/ended.ts";
import { type Factor, keyOf, recordOf } from "./factors.ts";
import type { Owner } from "./owner.ts";

const apart = once(() => import("../sign_in/records_apart.ts"));

/** What is written of factors. */
export interface Changes {
  /** Each replaces the one of its version. */
  readonly put?: readonly Factor[];
  /** Each is removed only if it still has its version. */
  readonly remove?: readonly Factor[];
}

/** How often something is decided that others change at the same time. */
const TRIES = 5;

/** Decides and writes until nobody else was faster. @param run Gives `null` if somebody was. */
export async function untilWritten<T>(run: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < TRIES; tries++) {
    const done = await run();
    if (done !== null) return done;
  }
  throw new AdapterError(`Cannot change second factors: storage changed during each of ${TRIES} tries`);
}

interface ChangesPlan extends Pick<Plan, "records"> {
  readonly expect: { readonly records: NonNullable<Expectation["records"]> };
}

/** Makes the plan of changes. */
export function planOf({ put = [], remove = [] }: Changes): ChangesPlan {
  return {
    expect: { records: [...put, ...remove].map(keyOf) },
    records: { put: put.map(recordOf), remove: remove.map(keyOf).map(({ kind, id }) => ({ kind, id })) },
  };
}

/** Writes changes for somebody who may do so. @returns Whether they were written. */
export async function write(
  { config }: Pick<RequestContext, "config">,
  { user, expect }: Pick<Owner, "user" | "expect">,
  changes: Changes,
): Promise<boolean> {
  const plan = planOf(changes);
  const records = [...expect.records ?? [], ...plan.expect.records];
  return await commit(config, user, { ...plan, expect: { ...expect, records } }) === "done";
}

/** Writes a plan about a user who must not have changed. */
export async function commit(
  { storage, runtime }: Pick<ResolvedConfig, "storage" | "runtime">,
  user: AdapterUser,
  { expect, ...plan }: Plan,
): Promise<"done" | "consumed" | "conflict"> {
  if (!storage) throw new AdapterError("Cannot change second factors: there is no `adapter`");
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

/** Whether storage knows the sessions of its users. Sealed ones without a row end by themselves. */
function knowsSessions({ storage, session }: ResolvedConfig): boolean {
  if (session.strategy === "jwt" && !session.revalidate) return false;
  return Boolean(storage?.listSessionsByUserId && storage.deleteSessionsByUserId);
}

/**
 * Ends all sessions of a user that storage knows, and the sign-ins that wait.
 *
 * @param keeps Id of the record of a sign-in that goes on.
 */
export async function endSessionsOf(ctx: RequestContext, userId: string, keeps?: string): Promise<void> {
  const { config } = ctx;
  if (knowsSessions(config)) await revokeAllSessions(config, userId, { subject: ctx, keeps });
  else await endWaiting(config, userId, keeps);
}

/** Ends the sessions of somebody but the one that asks for it. */
export async function endOtherSessions(ctx: RequestContext, { user, active, expect }: Owner): Promise<void> {
  const { config } = ctx;
  if (!active || !knowsSessions(config)) return await endSessionsOf(ctx, user.id, expect.records?.[0]?.id);
  const { storage, session, runtime } = config;
  if (active.strategy === "jwt" && !sealedIdOf(active.claims) && storage) {
    // Legacy sessions end by their age. The one of the request goes on, because it gets a row.
    await adoptSession({ storage, session }, active.claims, { now: runtime.now(), lifetime: session.maxAge * 1000 });
  }
  await revokeOtherSessions(config, { user, key: rowKeyOf(active), subject: ctx });
}
