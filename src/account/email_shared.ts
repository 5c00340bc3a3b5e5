/**
 * What changing the address needs at each step.
 *
 * @module
 */
import { comparableEmail } from "../kernel/address.ts";
import { AccessDenied } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { RequestContext } from "../request/context.ts";
import { type Mailing, recoveryCodesOf } from "../request/points.ts";
import { requireStorage } from "../request/require_storage.ts";
import { type AddressProof, withdrawProof } from "../sign_in/address_proof.ts";
import { isEmailProven } from "../sign_in/proven.ts";
import { withMark } from "../sign_in/verification.ts";
import { recordsIn } from "../storage/stored_records.ts";
import type { ActInput } from "./acts.ts";
import { type AccountLetter, logNotSent, sendLetter } from "./email_letters.ts";
import { WAIT } from "./email_waiting.ts";

/** Seconds that a link works. */
export const LASTING = 24 * 60 * 60;

/** Stands for the account page where emails are limited. */
export const PROVIDER = "account";

/** @throws {AccessDenied} if the site does not offer it. */
export function assertOffered({ settings }: ActInput): void {
  if (!settings.email) throw new AccessDenied("Cannot change the address: `email` of `accountPage()` is false");
}

/** Whether a user has proven their address. */
export async function isProven(ctx: RequestContext, user: AdapterUser): Promise<boolean> {
  return isEmailProven(await withMark(requireStorage(ctx), user));
}

/**
 * The former address, which has to allow a change; `null` if nobody has proven it. Adapters of others cannot store that a
 * provider has vouched for it, so there it always has to.
 */
export async function formerOf(ctx: RequestContext, user: AdapterUser): Promise<string | null> {
  const isKnown = requireStorage(ctx).commit !== null;
  return user.email && (!isKnown || await isProven(ctx, user)) ? comparableEmail(user.email) : null;
}

/**
 * Whether somebody may say that their former mailbox is lost: there is one, and they have signed in with two proofs for as
 * long as they would wait. A thief may have turned the second one on just now.
 */
export async function mayLose(ctx: RequestContext, user: AdapterUser): Promise<boolean> {
  if (!recordsIn(requireStorage(ctx))) return false;
  const since = (await recoveryCodesOf(ctx.config, user.id))?.createdAt;
  if (!since || since.getTime() + WAIT > ctx.config.runtime.now()) return false;
  return await formerOf(ctx, user) !== null;
}

/** An email with a link to send. */
interface Sending {
  readonly mailing: Extract<Mailing, { readonly act: "send" }>;
  readonly letter: AccountLetter;
  readonly proof: AddressProof;
}

/** Sends a link. If that fails, it is withdrawn. @returns Whether it was sent. */
export async function sendOrWithdraw(ctx: RequestContext, { letter, proof, mailing }: Sending): Promise<boolean> {
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
