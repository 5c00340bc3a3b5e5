/**
 * The link to the former address: its owner allows the change, or stops it.
 *
 * @module
 */
import { Verification } from "../kernel/errors.ts";
import type { AccountStep } from "../request/account_views.ts";
import type { RequestContext } from "../request/context.ts";
import { pageUrl } from "../request/links.ts";
import { requireStorage } from "../request/require_storage.ts";
import { endSessionsOf } from "../session/end_of_user.ts";
import { knowsSessions } from "../session/user_sessions.ts";
import { findActor } from "../sign_in/actor.ts";
import { assertWorks, checkProof } from "../sign_in/address_proof.ts";
import { commitAbout } from "../sign_in/commit_about.ts";
import { recordsIn } from "../storage/stored_records.ts";
import type { ActInput, ActResult } from "./acts.ts";
import { tryLetter } from "./email_letters.ts";
import { findLink } from "./email_links.ts";
import { assertOffered, formerOf } from "./email_shared.ts";
import { findWait, removeWait, waitingKey } from "./email_waiting.ts";
import { changeAddress, restore } from "./email_write.ts";

/** Opens the link in the former mailbox: its owner allows it, or it was not them. */
export async function openFormer(ctx: RequestContext, { fields: { token } }: ActInput): Promise<AccountStep> {
  const { proof, to } = await findLink(ctx, token, "email-former");
  await assertWorks(ctx, requireStorage(ctx), proof);
  return { kind: "confirm-email", token: String(token), to, at: "former" };
}

/** Allows it. */
export async function allow(ctx: RequestContext, _actor: null, input: ActInput): Promise<ActResult> {
  assertOffered(input);
  const link = await findLink(ctx, input.fields.token, "email-former");
  const wait = link.isLost ? await findWait(ctx.config, link.user) : null;
  // What was stopped on the page is not allowed by an older email.
  if (link.isLost && wait?.to !== link.to) throw new Verification("Cannot use link: no address waits");
  const kind = await changeAddress(ctx, { ...link, wait, actor: null });
  return kind === "again" ? { kind } : { kind, step: { kind: "overview", done: "allowEmail" } };
}

/** Stops whatever waits, also what was asked for later: all sessions end, because one of them has asked for it. */
export async function cancel(ctx: RequestContext, _actor: null, input: ActInput): Promise<ActResult> {
  const { token } = input.fields;
  if (!token) return await cancelOwn(ctx);
  const { user, proof } = await findLink(ctx, token, "email-former");
  const { config } = ctx;
  const consume = await checkProof(requireStorage(ctx), proof, new Date(config.runtime.now()));
  try {
    // First: if it breaks off between the two, the link still works.
    await endSessionsOf(ctx, user.id);
    const records = recordsIn(requireStorage(ctx)) && { remove: [waitingKey(user.id)] };
    const plan = { ...(consume && { consume }), ...(records && { records }) };
    // About the user as the link was read: nothing is stopped that was done meanwhile.
    const result = await commitAbout(config, user, plan);
    if (result === "conflict") return { kind: "again" };
    if (result === "consumed") throw new Verification("Cannot use link: it was used meanwhile");
  } catch (error) {
    if (!consume && !(error instanceof Verification)) await restore(ctx, { proof, wait: null });
    throw error;
  }
  ctx.sessions.forget(ctx.cookies);
  const former = await formerOf(ctx, user);
  const letter = { what: "mailEmailStopped", url: pageUrl(ctx, "signIn"), endedAll: knowsSessions(config) } as const;
  if (former) await tryLetter(ctx, { to: former, ...letter });
  return { kind: "done", step: { kind: "overview", done: "cancelEmail" } };
}

/** Somebody who is signed in stops what waits. */
async function cancelOwn(ctx: RequestContext): Promise<ActResult> {
  const found = await findActor(ctx, { act: "renameAccount", moment: "done" });
  if (found.act !== "go-on") throw new Verification("Cannot stop it: nobody is signed in, and there is no link");
  await removeWait(ctx.config, found.actor.user.id);
  return { kind: "done" };
}
