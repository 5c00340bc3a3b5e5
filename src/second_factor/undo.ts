/**
 * Undoes with the link of an email what was added to an account.
 *
 * Whoever opens it has to give the first proof: the link alone may be in the hands of others. The second proof is not asked
 * for, because it may be the thief who added it.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { Verification } from "../kernel/errors.ts";
import { pageUrl } from "../request/links.ts";
import type { Outcome } from "../request/outcome.ts";
import { requireStorage } from "../request/require_storage.ts";
import { endSessionsOf } from "../session/end_of_user.ts";
import { endWaiting } from "../session_stores/without_rows.ts";
import { assertWorks, checkProof, restoreProof } from "../sign_in/address_proof.ts";
import { findSessionUser, openSession } from "../sign_in/current.ts";
import { judgeAct } from "../sign_in/dangerous.ts";
import { findPending } from "../sign_in/pending.ts";
import { tellRemoved } from "./mails.ts";
import { listUrl } from "./owner.ts";
import { passkeysOf } from "./passkey.ts";
import { removeRecords } from "./removal.ts";
import type { SecondFactorSettings } from "./settings.ts";
import { readUndo } from "./undo_link.ts";
import { showAlone } from "./view.ts";

/** Opens the page of a link. Nothing is undone yet: spam filters open links, too. */
export async function openUndo(ctx: RequestContext, token: string): Promise<Outcome> {
  const { userId, proof } = await readLink(ctx, token);
  await assertWorks(ctx, requireStorage(ctx), proof);
  const isProven = await hasFirstProof(ctx, userId, "begun");
  return await showUndo(ctx, token, isProven);
}

async function showUndo(ctx: RequestContext, token: string, isProven: boolean): Promise<Outcome> {
  const callbackUrl = listUrl(ctx, { act: "undo", token });
  return await showAlone(ctx, { kind: "undo", token, isProven, signInUrl: pageUrl(ctx, "signIn", { callbackUrl }) });
}

async function readLink(ctx: RequestContext, token: string) {
  const read = await readUndo(ctx.config, token);
  if (!read) throw used();
  return read;
}

function used(): Verification {
  return new Verification("Cannot undo it: the link was used before, has expired, or was never sent");
}

/** Whether somebody has given the first proof of a user: a sign-in that waits is enough, and so is a fresh session. */
async function hasFirstProof(ctx: RequestContext, userId: string, moment: "begun" | "done"): Promise<boolean> {
  if ((await findPending(ctx))?.userId === userId) return true;
  const active = await openSession(ctx);
  const user = active && await findSessionUser(ctx.config, requireStorage(ctx), active);
  if (!active || user?.id !== userId) return false;
  return judgeAct(ctx.config, { act: "undoFactor", moment, active, user, level: 2 }) === "allowed";
}

/**
 * Undoes it: all sessions of the user end, and what was added is removed. A second press finds that the link was used.
 *
 * @throws {Verification} if the link was used before, has expired, or was never sent.
 */
export async function answerUndo(ctx: RequestContext, token: string, settings: SecondFactorSettings): Promise<Outcome> {
  const { userId, ids, proof } = await readLink(ctx, token);
  const { config } = ctx;
  const storage = requireStorage(ctx);
  if (!await hasFirstProof(ctx, userId, "done")) return await showUndo(ctx, token, false);
  const user = await storage.getUser(userId);
  if (!user) throw used();
  const now = new Date(config.runtime.now());
  const consume = await checkProof(storage, proof, now);
  try {
    // First: if it breaks off between the two, the link still works, and so does the sign-in that waits here.
    const own = await findPending(ctx);
    await endSessionsOf(ctx, userId, own?.key.id);
    const passkeysLeft = (await passkeysOf(config, userId, settings)).length;
    const what = { user, ids, passkeysLeft, withDrafts: true };
    const types = await removeRecords(config, consume ? { ...what, consume } : what);
    if (types.length > 0) await tellRemoved(ctx, { act: "undoFactor", user, types, by: "undo" });
  } catch (error) {
    // Storage without transactions has used the link up, and nothing was undone.
    if (!consume) await restoreProof(ctx, storage, proof);
    throw error;
  }
  await endWaiting(config, userId);
  ctx.sessions.forget(ctx.cookies);
  ctx.cookies.clear("pending");
  return await showAlone(ctx, { kind: "undone", signInUrl: pageUrl(ctx, "signIn") });
}
