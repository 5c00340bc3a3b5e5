/**
 * Writes a planned sign-in: in one transaction where the adapter has `commit`, in steps where it has not.
 *
 * @module
 */
import type { Plan } from "../contract/adapter.ts";
import type { RequestContext } from "../request/context.ts";
import { Timeout, Verification } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { Storage } from "../config/storage.ts";
import type { PlannedSignIn } from "./plan.ts";
import type { SessionChange } from "./session.ts";
import { applyInSteps } from "./steps.ts";

/**
 * Writes a planned sign-in and its session.
 *
 * @param prepareSession Prepares the session of the user, once their id is known.
 * @returns The user as stored; `null` on a conflict: decide again.
 * @throws {Verification} if the link was used meanwhile.
 * @throws {Timeout} if the browser was already answered.
 */
export type WriteSignIn = (
  planned: PlannedSignIn,
  prepareSession: (user: AdapterUser) => Promise<SessionChange>,
) => Promise<AdapterUser | null>;

/** Writes in one transaction, which also uses up the email token. */
export function committer(
  ctx: RequestContext,
  commit: NonNullable<Storage["commit"]>,
  consume: Plan["consume"] | null,
): WriteSignIn {
  return async ({ plan: changes, user }, prepareSession) => {
    const session = await prepareSession(user);
    const plan: Plan = { ...(consume && { consume }), ...changes, ...session.rows };
    assertUnanswered(ctx);
    const result = Object.keys(plan).length === 0 ? "done" : await commit(plan);
    if (result === "conflict") return null;
    if (result === "consumed") throw new Verification("Cannot sign in: the link was used meanwhile");
    session.send();
    return user;
  };
}

/** Writes in steps. */
export function stepWriter(ctx: RequestContext, storage: Storage): WriteSignIn {
  const { providers, brokenProviders } = ctx.config;
  // Passkeys of a provider that is left out for now are revoked too: it may be mended tomorrow.
  const webauthn = [...providers, ...brokenProviders].filter(([, { type }]) => type === "webauthn");
  return async ({ plan, user: planned }, prepareSession) => {
    assertUnanswered(ctx);
    const applied = await applyInSteps(storage, plan, webauthn.map(([id]) => id));
    if (!applied) return null;
    const user = applied.created ?? planned;
    const session = await prepareSession(user);
    const { createSession, deleteSession } = session.rows;
    // Once the browser was answered, nobody would ever use the session.
    if (createSession && !ctx.cookies.closed) await storage.createSession(createSession);
    if (deleteSession) await storage.deleteSession(deleteSession);
    session.send();
    return user;
  };
}

// The browser was told that the sign-in failed: what is written now would contradict that.
function assertUnanswered({ cookies }: RequestContext): void {
  if (cookies.closed) throw new Timeout("Cannot sign in: the answer has been given");
}
