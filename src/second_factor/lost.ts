/**
 * Somebody who has lost every second factor: where the site allows it, a code by email is one after a wait.
 *
 * Their address is told at once, and each second proof that is given meanwhile ends it.
 *
 * @module
 */
import type { RecordKey, StoredRecord } from "../contract/adapter.ts";
import { sha256Base64Url } from "../crypto/digest.ts";
import { comparableEmail } from "../kernel/address.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { EmailSignInError } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import { lostMail } from "../mail/lost.ts";
import type { RequestContext } from "../request/context.ts";
import { wordingFor } from "../request/language.ts";
import { actionUrl } from "../request/links.ts";
import { mailerOf } from "../request/mailer.ts";
import { type Entered, mayMail } from "../request/points.ts";
import { factorRecords } from "./factors.ts";
import { PROVIDER, type SecondFactorSettings } from "./settings.ts";

/** The kind of the records. */
const LOST = "lost";

const HOUR = 60 * 60 * 1000;

/** Milliseconds in which somebody gets in by email, after the wait. */
const OPEN_FOR = 7 * 24 * HOUR;

/** Whether somebody has said that they have lost every factor, and has waited. */
export type Loss = "none" | "asked" | "open";

type Settings = Pick<SecondFactorSettings, "recoverByEmail">;

/** Finds how far somebody is. */
export async function lossOf(
  { config }: Pick<RequestContext, "config">,
  userId: string,
  { recoverByEmail }: Settings,
): Promise<Loss> {
  if (recoverByEmail === null) return "none";
  const now = config.runtime.now();
  const record = await factorRecords(config).getRecord(await keyOf(userId));
  // Storage may be another machine, with another clock.
  if (!record?.expires || record.expires.getTime() <= now) return "none";
  return now >= record.expires.getTime() - OPEN_FOR ? "open" : "asked";
}

/**
 * Begins the wait, and tells the address. Who has begun it already waits on.
 *
 * @returns `refused` if too many emails were sent, `failed` if it could not be sent.
 * @throws {TooManyAttempts} if a feature refuses, and says so.
 */
export async function beginLoss(
  ctx: RequestContext,
  user: AdapterUser,
  hours: number,
): Promise<"sent" | "refused" | "failed"> {
  const { config } = ctx;
  const address = comparableEmail(user.email);
  if (address === null) return "failed";
  if (await lossOf(ctx, user.id, { recoverByEmail: hours }) !== "none") return "sent";
  const mailing = await mayMail(ctx, { provider: PROVIDER, address, fields: {} });
  if (mailing.act === "pretend") return "refused";
  const key = await keyOf(user.id);
  const opens = config.runtime.now() + hours * HOUR;
  const record: StoredRecord = {
    ...key,
    version: 0,
    userId: user.id,
    expires: new Date(opens + OPEN_FOR),
    data: {},
  };
  // Another request has begun it just now.
  if (await factorRecords(config).putRecord(record) === null) return "sent";
  try {
    await send(ctx, address, new Date(opens));
    return "sent";
  } catch (cause) {
    // Nobody waits of whom the address was not told.
    await factorRecords(config).removeRecord(key);
    await mailing.failed();
    const message = "Cannot send the email about lost second factors";
    config.logger.error(new EmailSignInError(message, { cause, logCode: "email-not-sent" }), ctx);
    return "failed";
  }
}

/** Ends it: they have given a second proof. */
export async function endLoss(
  { config }: Pick<RequestContext, "config">,
  userId: string,
  { recoverByEmail }: Settings,
): Promise<void> {
  if (recoverByEmail !== null) await factorRecords(config).removeRecord(await keyOf(userId));
}

/** Ends it where somebody has entered with both proofs at once, such as a passkey: they have not lost everything. */
export async function stopLoss(
  ctx: Pick<RequestContext, "config">,
  { user: { id }, methods }: Pick<Entered, "user" | "methods">,
  settings: Settings,
): Promise<void> {
  if (methods?.includes("mfa") && typeof id === "string") await endLoss(ctx, id, settings);
}

async function send(ctx: RequestContext, address: string, opens: Date): Promise<void> {
  const { runtime, theme, timeouts, pages: { texts } } = ctx.config;
  const mailer = mailerOf(ctx.config);
  if (!mailer) throw new EmailSignInError("Cannot send an email: nothing sends any");
  const wording = await wordingFor(ctx, { theme, texts });
  const urls = {
    enter: actionUrl(ctx, "challenge", { method: "email-code" }),
    stop: actionUrl(ctx, "challenge", { callbackUrl: actionUrl(ctx, "factors") }),
  };
  const mail = lostMail({ opens, urls, wording, theme });
  await withDeadline(runtime, timeouts.request, "the email", () => {
    return mailer({ to: address, ...mail, language: wording.tag });
  });
}

async function keyOf(userId: string): Promise<RecordKey> {
  return { kind: LOST, id: await sha256Base64Url(userId) };
}
