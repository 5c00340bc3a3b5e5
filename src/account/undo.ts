/**
 * Brings back with the link of an email what was removed from an account.
 *
 * Whoever opens it signs in first, with every proof that is asked of them still: the link alone may be in the hands of others,
 * and so may be what was removed. Where a thief has added a second proof, the link of that email removes it.
 *
 * @module
 */
import type { Plan } from "../contract/adapter.ts";
import { type AdapterError, Verification } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { AccountStep } from "../request/account_views.ts";
import type { RequestContext } from "../request/context.ts";
import { actionUrl, pageUrl } from "../request/links.ts";
import type { RemovedWay } from "../request/account_administration.ts";
import { requireStorage } from "../request/require_storage.ts";
import { endSessionsOf } from "../session/end_of_user.ts";
import { findActor } from "../sign_in/actor.ts";
import { assertWorks, checkProof, restoreProof } from "../sign_in/address_proof.ts";
import { commitAbout } from "../sign_in/commit_about.ts";
import { recordsIn } from "../storage/stored_records.ts";
import type { AccountActRows, ActInput, ActResult } from "./acts.ts";
import { mailTo } from "./mails.ts";
import { keyOf, readRemoved, readUndo, type UndoToken } from "./removed.ts";
import { accountUrl } from "./urls.ts";

/** The acts. */
export const UNDO_ACTS = {
  undo: { judged: null, open: openUndo, run: undo },
} as const satisfies AccountActRows;

/** Opens the page of a link. Nothing is undone yet: spam filters open links, too. */
async function openUndo(ctx: RequestContext, _actor: null, { fields }: ActInput): Promise<AccountStep> {
  const { userId, proof } = await readLink(ctx, fields);
  await assertWorks(ctx, requireStorage(ctx), proof);
  return await stepFor(ctx, fields, { userId, moment: "begun" });
}

interface Asked {
  /** Whose the link is. */
  readonly userId: string;
  readonly moment: "begun" | "done";
}

/** Says whether the owner is here, with every proof; otherwise where they give what is missing. */
async function stepFor(
  ctx: RequestContext,
  { token }: ActInput["fields"],
  { userId, moment }: Asked,
): Promise<Extract<AccountStep, { readonly kind: "undo" }>> {
  const found = await findActor(ctx, { act: "undoRemoval", moment });
  const isProven = found.act === "go-on" && found.actor.user.id === userId;
  const callbackUrl = accountUrl(ctx, { act: "undo", token: String(token) });
  // To sign in again does not help where the browser is trusted.
  const signInUrl = found.act === "prove-more"
    ? actionUrl(ctx, "challenge", { callbackUrl })
    : pageUrl(ctx, "signIn", { callbackUrl });
  return { kind: "undo", token: String(token), isProven, signInUrl };
}

async function readLink(ctx: RequestContext, { token }: ActInput["fields"]): Promise<UndoToken> {
  const read = await readUndo(ctx.config, token);
  if (!read) throw used();
  return read;
}

function used(): Verification {
  return new Verification("Cannot undo it: the link was used before, has expired, or was never sent");
}

/** Undoes it, and ends all sessions of the user. A second press finds that the link was used. */
async function undo(ctx: RequestContext, _actor: null, { fields }: ActInput): Promise<ActResult> {
  const link = await readLink(ctx, fields);
  const { config } = ctx;
  const storage = requireStorage(ctx);
  const { userId, proof } = link;
  const step = await stepFor(ctx, fields, { userId, moment: "done" });
  if (!step.isProven) return { kind: "done", step };
  const [user, removed] = await Promise.all([storage.getUser(userId), findRemoved(ctx, link)]);
  if (!user || !removed) throw used();
  const missing = await missingOf(ctx, user, removed);
  if (!missing) return { kind: "problem", problem: "expired", step };
  const consume = await checkProof(storage, proof, new Date(config.runtime.now()));
  try {
    // First: if it breaks off between the two, the link still works.
    await endSessionsOf(ctx, userId);
    const result = await restore(ctx, { user, removed: missing, id: link.id, consume });
    if (result === "consumed") throw used();
    if (result === "conflict") {
      if (!consume) await giveBack(ctx, link);
      return { kind: "again" };
    }
  } catch (error) {
    if (!consume) await giveBack(ctx, link);
    throw error;
  }
  await mailTo(ctx, { act: "undoRemoval", user });
  ctx.sessions.forget(ctx.cookies);
  return { kind: "done", step: { kind: "undone", signInUrl: pageUrl(ctx, "signIn") } };
}

async function findRemoved(
  { config: { storage } }: RequestContext,
  { userId, id }: UndoToken,
): Promise<RemovedWay | null> {
  const record = storage && await recordsIn(storage)?.getRecord(keyOf(id));
  return record?.userId === userId ? readRemoved(record) : null;
}

/**
 * What of it is not back yet: storage without transactions may have broken off in the middle.
 *
 * @returns `null` if somebody else has it meanwhile: then it stays where it is.
 */
async function missingOf(
  ctx: RequestContext,
  user: AdapterUser,
  { account, passkey, info }: RemovedWay,
): Promise<RemovedWay | null> {
  const storage = requireStorage(ctx);
  const [owner, key] = await Promise.all([
    account ? storage.getUserByAccount(account) : null,
    passkey ? storage.getAuthenticator(passkey.credentialID) : null,
  ]);
  if (owner && owner.id !== user.id || key && key.userId !== user.id) return null;
  return { account: owner ? undefined : account, passkey: key ? undefined : passkey, info };
}

interface Restoring {
  readonly user: AdapterUser;
  readonly removed: RemovedWay;
  /** Id of the record. */
  readonly id: string;
  readonly consume: Plan["consume"] | null;
}

async function restore(ctx: RequestContext, { user, removed, id, consume }: Restoring) {
  const { account, passkey, info } = removed;
  const { config } = ctx;
  if (!requireStorage(ctx).commit) return await restoreInSteps(ctx, removed, id);
  return await commitAbout(config, user, {
    ...(consume && { consume }),
    records: {
      remove: [keyOf(id), ...info ? [{ kind: info.kind, id: info.id }] : []],
      ...(info && { put: [info] }),
    },
    ...(account && { linkAccount: account }),
    ...(passkey && { createAuthenticator: passkey }),
  });
}

// Until the record is gone, the link can be used again.
async function restoreInSteps(
  ctx: RequestContext,
  { account, passkey, info }: RemovedWay,
  id: string,
): Promise<"done"> {
  const storage = requireStorage(ctx);
  const records = recordsIn(storage);
  if (account) await storage.linkAccount(account);
  if (passkey) await storage.createAuthenticator(passkey);
  if (info) {
    await records?.removeRecord({ kind: info.kind, id: info.id });
    await records?.putRecord(info);
  }
  await records?.removeRecord(keyOf(id));
  return "done";
}

// Storage without transactions has used the link up, and nothing was undone.
async function giveBack(ctx: RequestContext, { proof }: UndoToken): Promise<void> {
  await restoreProof(ctx, requireStorage(ctx), proof)
    .catch((error: AdapterError) => ctx.config.logger.error(error, ctx));
}
