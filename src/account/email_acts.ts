/**
 * Changing the address of an account.
 *
 * Both mailboxes prove it, and nothing is written before: first the new one, then the former one, which can also stop it.
 * Whoever has lost the former mailbox, and signs in with two proofs, waits instead.
 *
 * @module
 */
import { comparableEmail } from "../kernel/address.ts";
import { AccessDenied } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { AccountStep } from "../request/account_views.ts";
import type { RequestContext } from "../request/context.ts";
import { pageUrl } from "../request/links.ts";
import { type Mailing, mayMail } from "../request/points.ts";
import { requireStorage } from "../request/require_storage.ts";
import type { Actor } from "../sign_in/actor.ts";
import type { AccountActRows, ActInput, ActResult } from "./acts.ts";
import { accountUrl } from "./urls.ts";
import { allow, cancel, openFormer } from "./email_former.ts";
import type { AccountLetter } from "./email_letters.ts";
import { issueLink } from "./email_links.ts";
import { assertOffered, isProven, LASTING, mayLose, PROVIDER, sendOrWithdraw } from "./email_shared.ts";
import { openTake, take } from "./email_take.ts";
import { WAIT_DAYS } from "./email_waiting.ts";

/** The acts. */
export const EMAIL_ACTS = {
  changeEmail: { judged: "changeEmail", open: openChange, run: askForChange },
  takeEmail: { judged: "changeEmail", open: openTake, run: take },
  allowEmail: { judged: null, open: (ctx, _actor, input) => openFormer(ctx, input), run: allow },
  cancelEmail: { judged: null, open: (ctx, _actor, input) => openFormer(ctx, input), run: cancel },
} as const satisfies AccountActRows;

async function openChange(ctx: RequestContext, { user }: Actor, input: ActInput): Promise<AccountStep | null> {
  return input.settings.email ? await emailStep(ctx, user, null) : null;
}

async function emailStep(ctx: RequestContext, user: AdapterUser, to: string | null): Promise<AccountStep> {
  return { kind: "email", to, ...(await mayLose(ctx, user) && { lostDays: WAIT_DAYS }) };
}

async function askForChange(ctx: RequestContext, { user }: Actor, input: ActInput): Promise<ActResult> {
  assertOffered(input);
  const { fields } = input;
  const to = typeof fields.to === "string" ? comparableEmail(fields.to.trim()) : null;
  if (to === null) {
    const typed = typeof fields.to === "string" ? fields.to.slice(0, LONGEST_SHOWN) : null;
    return { kind: "problem", problem: "email", step: await emailStep(ctx, user, typed) };
  }
  // Not every user has an address.
  if (user.email && to === comparableEmail(user.email) && await isProven(ctx, user)) {
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
