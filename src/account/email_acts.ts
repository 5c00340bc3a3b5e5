/**
 * Changing the address of an account.
 *
 * Both mailboxes prove it, and nothing is written before: first the new one, then the former one, which can also stop it.
 * Whoever has lost the former mailbox, and signs in with two proofs, waits instead.
 *
 * @module
 */
import { comparableEmail } from "../kernel/address.ts";
import { AccessDenied, Verification } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { AccountStep } from "../request/account_views.ts";
import type { RequestContext } from "../request/context.ts";
import { pageUrl } from "../request/links.ts";
import { type Mailing, mayMail } from "../request/points.ts";
import { requireStorage } from "../request/require_storage.ts";
import { endSessionsOf } from "../session/end_of_user.ts";
import { type Actor, findActor } from "../sign_in/actor.ts";
import { type AddressProof, assertWorks, checkProof, withdrawProof } from "../sign_in/address_proof.ts";
import { demandedLevel } from "../sign_in/assure.ts";
import { commitAbout } from "../sign_in/commit_about.ts";
import { isEmailProven } from "../sign_in/proven.ts";
import { withMark } from "../sign_in/verification.ts";
import { recordsIn } from "../storage/stored_records.ts";
import type { AccountActRows, ActInput, ActProblem, ActResult } from "./acts.ts";
import { accountUrl } from "./urls.ts";
import { type AccountLetter, logNotSent, sendLetter, tryLetter } from "./email_letters.ts";
import { findLink, type FoundLink, issueLink } from "./email_links.ts";
import { findWait, newWait, removeWait, STOPPABLE, WAIT_DAYS, waitingKey } from "./email_waiting.ts";
import { changeAddress, restore } from "./email_write.ts";

/** Seconds that a link works. */
const LASTING = 24 * 60 * 60;

/** Stands for the account page where emails are limited. */
const PROVIDER = "account";

/** The acts. */
export const EMAIL_ACTS = {
  changeEmail: { judged: "changeEmail", open: openChange, run: askForChange },
  takeEmail: { judged: "changeEmail", open: openTake, run: orExpired(take) },
  allowEmail: { judged: null, open: (ctx, _actor, input) => openFormer(ctx, input), run: allow },
  cancelEmail: { judged: null, open: (ctx, _actor, input) => openFormer(ctx, input), run: cancel },
} as const satisfies AccountActRows;

type Run = (ctx: RequestContext, actor: Actor, input: ActInput) => Promise<ActResult>;

/** Somebody who is signed in is told on their page that a link does not work. */
function orExpired(run: Run): Run {
  return async (ctx, actor, input) => {
    try {
      return await run(ctx, actor, input);
    } catch (error) {
      if (error instanceof Verification) return { kind: "problem", problem: "expired" };
      throw error;
    }
  };
}

function assertOffered({ settings }: ActInput): void {
  if (!settings.email) throw new AccessDenied("Cannot change the address: `email` of `accountPage()` is false");
}

async function isProven(ctx: RequestContext, user: AdapterUser): Promise<boolean> {
  return isEmailProven(await withMark(requireStorage(ctx), user));
}

/** The former address, which has to allow a change; `null` if nobody has proven it. */
async function formerOf(ctx: RequestContext, user: AdapterUser): Promise<string | null> {
  return await isProven(ctx, user) ? comparableEmail(user.email) : null;
}

// Asking

async function openChange(ctx: RequestContext, { user }: Actor, input: ActInput): Promise<AccountStep | null> {
  return input.settings.email ? await emailStep(ctx, user, null) : null;
}

async function emailStep(ctx: RequestContext, user: AdapterUser, to: string | null): Promise<AccountStep> {
  return { kind: "email", to, ...(await mayLose(ctx, user) && { lostDays: WAIT_DAYS }) };
}

/** Whether somebody may say that their former mailbox is lost: they sign in with two proofs, and there is one. */
async function mayLose(ctx: RequestContext, user: AdapterUser): Promise<boolean> {
  if (!recordsIn(requireStorage(ctx)) || await demandedLevel(ctx.config, user.id) !== 2) return false;
  return await formerOf(ctx, user) !== null;
}

async function askForChange(ctx: RequestContext, { user }: Actor, input: ActInput): Promise<ActResult> {
  assertOffered(input);
  const { fields } = input;
  const to = typeof fields.to === "string" ? comparableEmail(fields.to.trim()) : null;
  if (to === null) {
    const typed = typeof fields.to === "string" ? fields.to.slice(0, LONGEST_SHOWN) : null;
    return { kind: "problem", problem: "email", step: await emailStep(ctx, user, typed) };
  }
  if (to === comparableEmail(user.email) && await isProven(ctx, user)) {
    return { kind: "problem", problem: "same-email", step: await emailStep(ctx, user, to) };
  }
  const isLost = Boolean(fields.lost) && await mayLose(ctx, user);
  if (fields.lost && !isLost) {
    throw new AccessDenied(
      "Cannot change the address without the former mailbox: it needs a second factor, and records",
    );
  }
  const mailing = await mayMail(ctx, { provider: PROVIDER, address: to, fields });
  const sent: AccountStep = { kind: "email-sent", to, waitsFor: "new" };
  if (mailing.act === "pretend") return { kind: "done", step: sent };
  const isSent = await sendProof(ctx, { user, to, isLost, mailing });
  if (!isSent) return { kind: "problem", problem: "not-sent", step: await emailStep(ctx, user, to) };
  return { kind: "done", step: sent };
}

const LONGEST_SHOWN = 320;

interface Asking {
  readonly user: AdapterUser;
  readonly to: string;
  readonly isLost: boolean;
  readonly mailing: Extract<Mailing, { readonly act: "send" }>;
}

// Storage does the same whether or not the address has a user: only the text of the email differs.
async function sendProof(ctx: RequestContext, { user, to, isLost, mailing }: Asking): Promise<boolean> {
  const other = await requireStorage(ctx).getUserByEmail(to);
  const { token, proof } = await issueLink(ctx, { purpose: "email-new", user, to, isLost, lasting: LASTING });
  const letter: AccountLetter = other && other.id !== user.id
    ? { to, what: "mailEmailTaken", url: pageUrl(ctx, "signIn") }
    : { to, what: "mailEmailNew", url: accountUrl(ctx, { act: "takeEmail", token }), lasting: LASTING };
  return await sendOrWithdraw(ctx, { letter, proof, mailing });
}

interface Sending extends Pick<Asking, "mailing"> {
  readonly letter: AccountLetter;
  readonly proof: AddressProof;
}

async function sendOrWithdraw(ctx: RequestContext, { letter, proof, mailing }: Sending): Promise<boolean> {
  try {
    await sendLetter(ctx, letter);
    return true;
  } catch (cause) {
    logNotSent(ctx, cause);
    // If this fails too, the row does no harm: its token was not sent, and it expires.
    await withdrawProof(requireStorage(ctx), proof).catch((cause) => logNotSent(ctx, cause));
    await mailing.failed();
    return false;
  }
}

// The new address

/** Opens the link in the new mailbox. Nothing is done yet: spam filters open links, too. */
async function openTake(ctx: RequestContext, { user }: Actor, { fields: { token } }: ActInput) {
  if (token === undefined) return null;
  const { proof, to } = await linkOf(ctx, user, token);
  await assertWorks(ctx, requireStorage(ctx), proof);
  return { kind: "confirm-email", token: String(token), to, at: "new" } as const;
}

async function linkOf(ctx: RequestContext, user: AdapterUser, token: unknown): Promise<FoundLink> {
  const link = await findLink(ctx, token, "email-new");
  if (link.userId !== user.id) throw new Verification("Cannot use link: somebody else has asked for it");
  return link;
}

async function take(ctx: RequestContext, actor: Actor, input: ActInput): Promise<ActResult> {
  assertOffered(input);
  const { token } = input.fields;
  if (!token) return await takeWaiting(ctx, actor);
  const link = await linkOf(ctx, actor.user, token);
  const former = await formerOf(ctx, link.user);
  if (former === null) {
    return { kind: await changeAddress(ctx, { ...link, wait: null, actor }) };
  }
  return link.isLost ? await beginWait(ctx, { link, actor, former }) : await askFormer(ctx, { link, actor, former });
}

/** A new address that is proven, and the former one. */
interface Taking {
  readonly link: FoundLink;
  readonly actor: Actor;
  readonly former: string;
}

async function askFormer(ctx: RequestContext, { link, actor, former }: Taking): Promise<ActResult> {
  const { user, to, proof, isLost } = link;
  await assertWorks(ctx, requireStorage(ctx), proof);
  const mailing = await mayMail(ctx, { provider: PROVIDER, address: former, fields: {} });
  if (mailing.act === "pretend") return tooMany(link);
  const used = await useUp(ctx, actor, proof);
  if (used !== "done") return { kind: "again" };
  const about = { purpose: "email-former", user, to, isLost, lasting: LASTING } as const;
  const second = await issueLink(ctx, about);
  const url = accountUrl(ctx, { act: "allowEmail", token: second.token });
  const letter = { to: former, what: "mailEmailFormer", url, email: to, lasting: LASTING } as const;
  if (await sendOrWithdraw(ctx, { letter, proof: second.proof, mailing })) {
    return { kind: "done", step: { kind: "email-sent", to: former, waitsFor: "former" } };
  }
  await restore(ctx, { proof, wait: null });
  return { kind: "problem", problem: "not-sent", step: stepOf(link) };
}

function tooMany(link: FoundLink): ActProblem {
  return { kind: "problem", problem: "too-many", step: stepOf(link) };
}

function stepOf({ token, to }: FoundLink): AccountStep {
  return { kind: "confirm-email", token, to, at: "new" };
}

/** Uses up the link to the new address, before the former one is asked: else each press would send an email. */
async function useUp(
  ctx: RequestContext,
  { user, expect }: Actor,
  proof: AddressProof,
): Promise<"done" | "consumed" | "conflict"> {
  const consume = await checkProof(requireStorage(ctx), proof, new Date(ctx.config.runtime.now()));
  return await commitAbout(ctx.config, user, { expect, ...(consume && { consume }) });
}

// The former mailbox is lost

async function beginWait(ctx: RequestContext, { link, actor, former }: Taking): Promise<ActResult> {
  const { user, to, proof } = link;
  const { config } = ctx;
  // Two proofs were needed to ask for it, and are needed still.
  if (!await mayLose(ctx, user)) throw new Verification("Cannot use link: there is no second factor any more");
  await assertWorks(ctx, requireStorage(ctx), proof);
  const mailing = await mayMail(ctx, { provider: PROVIDER, address: former, fields: {} });
  if (mailing.act === "pretend") return tooMany(link);
  const wait = await newWait(config, user, to);
  const about = { purpose: "email-former", user, to, isLost: true, lasting: STOPPABLE } as const;
  const second = await issueLink(ctx, about);
  const url = accountUrl(ctx, { act: "cancelEmail", token: second.token });
  const letter = { to: former, what: "mailEmailWaits", url, email: to, at: wait.at } as const;
  // Nobody waits of whom the former address was not told.
  if (!await sendOrWithdraw(ctx, { letter, proof: second.proof, mailing })) {
    return { kind: "problem", problem: "not-sent", step: stepOf(link) };
  }
  const consume = await checkProof(requireStorage(ctx), proof, new Date(config.runtime.now()));
  const { expect } = actor;
  const records = { put: [wait.record] };
  const result = await commitAbout(config, user, { expect, records, ...(consume && { consume }) });
  if (result !== "done") return { kind: "again" };
  await tryLetter(ctx, { ...letter, to, url: accountUrl(ctx) });
  return { kind: "done" };
}

/** Takes over an address that has waited. */
async function takeWaiting(ctx: RequestContext, actor: Actor): Promise<ActResult> {
  const { user } = actor;
  const wait = await findWait(ctx.config, user);
  if (!wait || !wait.isDue || !await mayLose(ctx, user)) {
    throw new Verification("Cannot take over the address: none waits, or not for long enough");
  }
  return { kind: await changeAddress(ctx, { user, to: wait.to, proof: null, wait, actor }) };
}

// The former address

/** Opens the link in the former mailbox: its owner allows it, or it was not them. */
async function openFormer(ctx: RequestContext, { fields: { token } }: ActInput): Promise<AccountStep> {
  const { proof, to } = await formerLink(ctx, token);
  await assertWorks(ctx, requireStorage(ctx), proof);
  return { kind: "confirm-email", token: String(token), to, at: "former" };
}

async function formerLink(ctx: RequestContext, token: unknown): Promise<FoundLink> {
  const link = await findLink(ctx, token, "email-former");
  // What was stopped on the page is not allowed by an older email.
  if (link.isLost && (await findWait(ctx.config, link.user))?.to !== link.to) {
    throw new Verification("Cannot use link: no address waits");
  }
  return link;
}

async function allow(ctx: RequestContext, _actor: null, input: ActInput): Promise<ActResult> {
  assertOffered(input);
  const link = await formerLink(ctx, input.fields.token);
  const wait = link.isLost ? await findWait(ctx.config, link.user) : null;
  return { kind: await changeAddress(ctx, { ...link, wait, actor: null }) };
}

async function cancel(ctx: RequestContext, _actor: null, input: ActInput): Promise<ActResult> {
  const { token } = input.fields;
  if (!token) return await cancelOwn(ctx);
  const { user, proof } = await formerLink(ctx, token);
  const { config } = ctx;
  const consume = await checkProof(requireStorage(ctx), proof, new Date(config.runtime.now()));
  try {
    // First: if it breaks off between the two, the link still works.
    await endSessionsOf(ctx, user.id);
    const records = recordsIn(requireStorage(ctx)) && { remove: [waitingKey(user.id)] };
    const plan = { ...(consume && { consume }), ...(records && { records }) };
    const result = await commitAbout(config, await requireStorage(ctx).getUser(user.id) ?? user, plan);
    if (result === "conflict") return { kind: "again" };
    if (result === "consumed") throw new Verification("Cannot use link: it was used meanwhile");
  } catch (error) {
    if (!consume && !(error instanceof Verification)) await restore(ctx, { proof, wait: null });
    throw error;
  }
  ctx.sessions.forget(ctx.cookies);
  const former = await formerOf(ctx, user);
  if (former) await tryLetter(ctx, { to: former, what: "mailEmailStopped", url: pageUrl(ctx, "signIn") });
  return { kind: "done" };
}

/** Somebody who is signed in stops what waits. */
async function cancelOwn(ctx: RequestContext): Promise<ActResult> {
  const found = await findActor(ctx, { act: "renameAccount", moment: "done" });
  if (found.act !== "go-on") throw new Verification("Cannot stop it: nobody is signed in, and there is no link");
  await removeWait(ctx.config, found.actor.user.id);
  return { kind: "done" };
}
