/**
 * Taking one's data, and deleting the account.
 *
 * @module
 */
import { isResponse } from "../http/is_response.ts";
import { comparableEmail } from "../kernel/address.ts";
import { AccessDenied, CallbackRouteError } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { RequestContext } from "../request/context.ts";
import type { AccountStep } from "../request/account_views.ts";
import { wordingFor } from "../request/language.ts";
import { mailerOf } from "../request/mailer.ts";
import { type Mailing, mayMail } from "../request/points.ts";
import { requireStorage } from "../request/require_storage.ts";
import { endSessionsOf } from "../session/end_of_user.ts";
import type { Actor } from "../sign_in/actor.ts";
import { commitAbout } from "../sign_in/commit_about.ts";
import { isEmailProven } from "../sign_in/proven.ts";
import { withMark } from "../sign_in/verification.ts";
import { recordsIn } from "../storage/stored_records.ts";
import type { AccountActRows, ActInput, ActResult } from "./acts.ts";
import { assertCanDelete, deleteUser, deletionKey, findDeletion, isDue, mayLeave, newDeletion } from "./deletion.ts";
import { tryLetter } from "./email_letters.ts";
import { PROVIDER } from "./email_shared.ts";
import { exportOf } from "./export.ts";
import { mailTo } from "./mails.ts";
import type { AccountSettings } from "./settings.ts";
import { accountUrl } from "./urls.ts";

const DAY = 24 * 60 * 60 * 1000;

/** The acts. */
export const LEAVING_ACTS = {
  export: { judged: "exportData", open: null, run: takeData },
  delete: { judged: "deleteAccount", open: openLeave, run: leave },
  keep: { judged: "keepAccount", open: null, run: keep },
} as const satisfies AccountActRows;

/** Seconds after which somebody may ask again whose file is being made. */
const MAKING = 1;

/** Ids of the users whose file is being made here. The application may have to do much for one. */
const making = new WeakMap<AccountSettings, Set<string>>();

async function takeData(ctx: RequestContext, actor: Actor, input: ActInput): Promise<ActResult> {
  const { settings, fields } = input;
  const { user } = actor;
  const users = making.get(settings) ?? new Set();
  making.set(settings, users);
  if (users.has(user.id)) return { kind: "problem", problem: "too-many", retryAfter: MAKING };
  users.add(user.id);
  try {
    const mailing = await judgeMail(ctx, user, fields);
    if (mailing?.act === "pretend") return { kind: "problem", problem: "too-many" };
    const body = await exportOf(ctx, actor, settings).catch(async (error) => {
      await mailing?.failed();
      throw error;
    });
    await mailTo(ctx, { act: "exportData", user });
    return { kind: "file", name: "account.json", body };
  } finally {
    users.delete(user.id);
  }
}

/** Judges the email that tells of a file; `null` if there is none to send. */
async function judgeMail(ctx: RequestContext, user: AdapterUser, fields: ActInput["fields"]): Promise<Mailing | null> {
  const address = mailerOf(ctx.config) && await provenOf(ctx, user);
  return address ? await mayMail(ctx, { provider: PROVIDER, address, fields }) : null;
}

async function openLeave(ctx: RequestContext, { user }: Actor, { settings }: ActInput): Promise<AccountStep | null> {
  return settings.delete && mayLeave(ctx.config, settings) ? await stepOf(ctx, user, settings.delete) : null;
}

async function stepOf(
  ctx: RequestContext,
  user: AdapterUser,
  { graceDays }: { readonly graceDays: number },
): Promise<DeleteStep> {
  return { kind: "delete", typed: await wantedOf(ctx, user), graceDays };
}

type DeleteStep = Extract<AccountStep, { readonly kind: "delete" }>;

/** What somebody types to show that they mean it. */
async function wantedOf(ctx: RequestContext, { email }: AdapterUser): Promise<string> {
  if (email) return email;
  const { theme, pages: { texts } } = ctx.config;
  return (await wordingFor(ctx, { theme, texts })).texts.accountDeleteWord;
}

function isTyped(typed: unknown, wanted: string): boolean {
  if (typeof typed !== "string") return false;
  const address = comparableEmail(wanted);
  return address === null ? typed.trim() === wanted : comparableEmail(typed.trim()) === address;
}

async function leave(ctx: RequestContext, actor: Actor, input: ActInput): Promise<ActResult> {
  const { fields, settings, byApplication } = input;
  const { user } = actor;
  if (!settings.delete) throw new AccessDenied("Cannot delete the account: `delete` of `accountPage()` is false");
  const { graceDays } = settings.delete;
  assertCanDelete(ctx.config, graceDays);
  const step = await stepOf(ctx, user, settings.delete);
  if (!byApplication && !isTyped(fields.typed, step.typed)) {
    return { kind: "problem", problem: "typed", step };
  }
  const answer = settings.deleting && await settings.deleting(user);
  // One that stands for a failure of the network, or was read before, cannot be sent.
  if (isResponse(answer) && answer.type !== "error" && !answer.bodyUsed) {
    return { kind: "response", response: answer };
  }
  if (answer !== null && answer !== "delete") {
    const message = 'Cannot delete the account: `delete` of `accountPage()` must give `"delete"` or a response';
    throw new CallbackRouteError(message, { logCode: "callback-result" });
  }
  return graceDays > 0 ? await leaveLater(ctx, actor, graceDays) : await leaveNow(ctx, actor);
}

async function leaveLater(ctx: RequestContext, { user, expect }: Actor, graceDays: number): Promise<ActResult> {
  const { config } = ctx;
  const asked = await findDeletion(config, user.id);
  const at = asked?.at ?? new Date(config.runtime.now() + graceDays * DAY);
  if (!asked) {
    const records = { put: [newDeletion(user.id, at)] };
    if (await commitAbout(config, user, { expect, records }) !== "done") return { kind: "again" };
  }
  try {
    await endSessionsOf(ctx, user.id);
  } finally {
    const to = await provenOf(ctx, user);
    if (to && !asked) await tryLetter(ctx, { to, what: "mailDeletion", url: accountUrl(ctx), at });
  }
  return { kind: "gone" };
}

async function leaveNow(ctx: RequestContext, { user, expect }: Actor): Promise<ActResult> {
  const { config } = ctx;
  const records = recordsIn(requireStorage(ctx));
  const asked = await findDeletion(config, user.id);
  // If it breaks off, `deleteDue()` deletes the rest, unless its owner signs in before.
  const put = records && !asked ? [newDeletion(user.id, new Date(config.runtime.now()))] : [];
  const plan = { expect, ...(put.length > 0 && { records: { put } }) };
  if (await commitAbout(config, user, plan) !== "done") return { kind: "again" };
  // Their accounts, which may say that the address is proven, are gone with them.
  const known = await withMark(requireStorage(ctx), user) ?? user;
  await deleteUser(config, user.id, ctx);
  try {
    await records?.removeRecord(deletionKey(user.id));
  } finally {
    await mailTo(ctx, { act: "deleteAccount", user: known });
  }
  return { kind: "gone" };
}

async function keep(ctx: RequestContext, { user }: Actor): Promise<ActResult> {
  const { config } = ctx;
  const asked = await findDeletion(config, user.id);
  if (!asked) return { kind: "done" };
  if (isDue(asked, config.runtime.now())) return { kind: "problem", problem: "expired" };
  const { version } = asked.record;
  const records = recordsIn(requireStorage(ctx));
  if (!await records?.removeRecord({ ...deletionKey(user.id), version })) return { kind: "again" };
  await mailTo(ctx, { act: "keepAccount", user });
  return { kind: "done" };
}

async function provenOf(ctx: RequestContext, user: AdapterUser): Promise<string | null> {
  return isEmailProven(await withMark(requireStorage(ctx), user)) ? comparableEmail(user.email) : null;
}
