/**
 * Writes a planned sign-in: in one transaction where the adapter has `commit`, in steps where it has not.
 *
 * @module
 */
import type { CommitResult, Plan } from "../contract/adapter.ts";
import type { RequestContext } from "../request/context.ts";
import { once } from "../kernel/load.ts";
import { AdapterError, Timeout, Verification } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import { withoutLongPicture } from "../kernel/pictures.ts";
import type { Storage } from "../storage/guard.ts";
import type { PlannedSignIn } from "./plan.ts";
import type { SessionChange } from "./session.ts";
import { applyInSteps } from "./steps.ts";

const apart = once(() => import("./records_apart.ts"));

/** What happens around the writing. */
export interface AroundWriting {
  /** Plans the session of the user, once their id is known. */
  readonly planSession: (user: AdapterUser) => Promise<SessionChange>;
  /** Reports what was written. */
  readonly report: (user: AdapterUser) => Promise<void>;
}

/**
 * Writes a planned sign-in and its session.
 *
 * A sealed session is prepared after everything is written and reported, so that `callbacks.jwt` finds the user in storage.
 *
 * @returns The user as stored; `null` on a conflict: decide again.
 * @throws {Verification} if the link was used meanwhile.
 * @throws {Timeout} if the browser was already answered.
 */
export type WriteSignIn = (planned: PlannedSignIn, around: AroundWriting) => Promise<AdapterUser | null>;

/** Writes in one transaction, which also uses up the email token. */
export function committer(
  ctx: RequestContext,
  commit: NonNullable<Storage["commit"]>,
  consume: Plan["consume"] | null,
): WriteSignIn {
  return async (planned, { planSession, report }) => {
    const write = async ({ plan: changes, user }: PlannedSignIn): Promise<Committed> => {
      // The row of a session is part of the transaction.
      const session = await planSession(user);
      const plan: Plan = { ...(consume && { consume }), ...changes, ...session.rows };
      assertUnanswered(ctx);
      return { plan, user, session, result: Object.keys(plan).length === 0 ? "done" : await commit(plan) };
    };
    const { plan, user, session, result } = await orWithoutPicture(planned, write);
    if (result === "conflict") return null;
    if (result === "consumed") throw new Verification("Cannot sign in: the link was used meanwhile");
    // The revoked sealed sessions must not pass by an earlier look-up.
    if (plan.evict) ctx.config.storage?.revocations.invalidateBefore(plan.evict.userId, ctx.config.runtime.now());
    await report(user);
    await session.open();
    return user;
  };
}

interface Committed {
  readonly plan: Plan;
  readonly user: AdapterUser;
  readonly session: SessionChange;
  readonly result: CommitResult;
}

// Some storage cannot hold a long picture, and says so only by failing.
async function orWithoutPicture(
  planned: PlannedSignIn,
  write: (planned: PlannedSignIn) => Promise<Committed>,
): Promise<Committed> {
  try {
    return await write(planned);
  } catch (error) {
    const { createUser, updateUser } = planned.plan;
    const [created, updated] = [createUser, updateUser].map((user) => user && withoutLongPicture(user));
    if (!(error instanceof AdapterError) || !(created || updated)) throw error;
    const plan = { ...planned.plan, ...(created && { createUser: created }), ...(updated && { updateUser: updated }) };
    return await write({ ...planned, plan: plan as Plan, user: { ...planned.user, image: null } });
  }
}

/** Writes in steps. */
export function stepWriter(ctx: RequestContext, storage: Storage): WriteSignIn {
  const { providers, brokenProviders } = ctx.config;
  // Passkeys of a provider with a broken configuration are revoked too: the configuration may be mended later.
  const webauthn = [...providers, ...brokenProviders].filter(([, { type }]) => type === "webauthn");
  return async ({ plan, user: planned, keepsSession: isAddition }, { planSession, report }) => {
    assertUnanswered(ctx);
    const passkeyProviders = webauthn.map(([id]) => id);
    const options = { passkeyProviders, isAddition, now: ctx.config.runtime.now };
    const apply = (plan: Plan) => applyInSteps(storage, plan, options);
    const hasRecords = plan.records || plan.expect?.records || (plan.evict && storage.has("getRecord"));
    const applied = hasRecords ? await (await apart()).applyWithRecords(storage, plan, apply) : await apply(plan);
    if (!applied) return null;
    const user = applied.created ?? { ...planned, ...(applied.verifiedAt && { emailVerified: applied.verifiedAt }) };
    // A sign-in whose session cannot be stored is not reported. A sealed session is stored nowhere.
    const isStored = ctx.config.session.strategy === "database";
    if (!isStored) await report(user);
    const session = await planSession(user);
    const { createSession, deleteSession } = session.rows;
    // Once the browser was answered, the session would never be used.
    if (createSession && !ctx.cookies.closed) await storage.createSession(createSession);
    if (deleteSession) await endSession(storage, deleteSession);
    if (isStored) await report(user);
    await session.open();
    return user;
  };
}

/** Removes the row of a session. Some adapters fail to remove one that does not exist, such as that of an old cookie. */
export async function endSession(storage: Storage, sessionToken: string): Promise<void> {
  try {
    await storage.deleteSession(sessionToken);
  } catch (error) {
    if (await storage.getSessionAndUser(sessionToken)) throw error;
  }
}

// The browser was told that the sign-in failed: what is written now would contradict that.
function assertUnanswered({ cookies }: RequestContext): void {
  if (cookies.closed) throw new Timeout("Cannot sign in: the answer has been given");
}
