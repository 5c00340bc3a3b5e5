/**
 * The link to the new address, and what has waited because the former mailbox is lost.
 *
 * @module
 */
import { Verification } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { AccountStep } from "../request/account_views.ts";
import type { RequestContext } from "../request/context.ts";
import { mayMail } from "../request/points.ts";
import { requireStorage } from "../request/require_storage.ts";
import type { Actor } from "../sign_in/actor.ts";
import { type AddressProof, assertWorks, checkProof } from "../sign_in/address_proof.ts";
import { commitAbout } from "../sign_in/commit_about.ts";
import type { ActInput, ActProblem, ActResult } from "./acts.ts";
import { accountUrl } from "./urls.ts";
import { tryLetter } from "./email_letters.ts";
import { findLink, type FoundLink, issueLink } from "./email_links.ts";
import { assertOffered, formerOf, LASTING, mayLose, PROVIDER, sendOrWithdraw } from "./email_shared.ts";
import { findWait, newWait, STOPPABLE } from "./email_waiting.ts";
import { changeAddress, restore } from "./email_write.ts";

/** Opens the link in the new mailbox. Nothing is done yet: spam filters open links, too. */
export async function openTake(
  ctx: RequestContext,
  { user }: Actor,
  { fields: { token } }: ActInput,
): Promise<AccountStep | null> {
  if (token === undefined) return null;
  const { proof, to } = await linkOf(ctx, user, token);
  await assertWorks(ctx, requireStorage(ctx), proof);
  return { kind: "confirm-email", token: String(token), to, at: "new" };
}

async function linkOf(ctx: RequestContext, user: AdapterUser, token: unknown): Promise<FoundLink> {
  const link = await findLink(ctx, token, "email-new");
  if (link.userId !== user.id) throw new Verification("Cannot use link: somebody else has asked for it");
  return link;
}

/** Does what the button on that page says, or takes over what has waited. */
export async function take(ctx: RequestContext, actor: Actor, input: ActInput): Promise<ActResult> {
  try {
    return await takeOver(ctx, actor, input);
  } catch (error) {
    // They are signed in, so their page says it.
    if (error instanceof Verification) return { kind: "problem", problem: "expired" };
    throw error;
  }
}

async function takeOver(ctx: RequestContext, actor: Actor, input: ActInput): Promise<ActResult> {
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
