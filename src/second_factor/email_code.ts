/**
 * A code that is sent to the proven address of somebody, as a second proof.
 *
 * A code works in the browser that asked for it, for the sign-in that waits there or the user who is signed in, once, and
 * for 10 minutes. Storage has a hash of it with a random half that only that browser has.
 *
 * @module
 */
import type { RecordKey } from "../contract/adapter.ts";
import { sameText, sha256Base64Url } from "../crypto/digest.ts";
import { randomText } from "../crypto/random.ts";
import { allowGuesses, countGuess, MAX_GUESSES } from "../email/guesses.ts";
import { comparableEmail } from "../kernel/address.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { readDigits } from "../kernel/digits.ts";
import { AuthError, EmailSignInError } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { Runtime } from "../kernel/runtime.ts";
import { codeMail } from "../mail/code.ts";
import type { RequestContext } from "../request/context.ts";
import { wordingFor } from "../request/language.ts";
import { type Mailer, mailerOf } from "../request/mailer.ts";
import { type Mailing, mayMail } from "../request/points.ts";
import { requireStorage } from "../request/require_storage.ts";
import { findRequested, hashToken, rememberRequested } from "../sign_in/address_proof.ts";
import { factorRecords } from "./factors.ts";
import { PROVIDER } from "./settings.ts";

/** The kind of the records. */
const CODE = "code";

/** Seconds that a code works. */
const LIFETIME = 10 * 60;

/** What a code is for. */
export interface CodeSubject {
  /** Whose it is. Their address is proven. */
  readonly user: AdapterUser;
  /** What is to be proven in this browser: the id of the sign-in that waits, or of the user. */
  readonly binding: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Sends a code.
 *
 * @returns `refused` if too many were sent, `failed` if it could not be sent.
 * @throws {TooManyAttempts} if a feature refuses, and says so.
 */
export async function sendEmailCode(ctx: RequestContext, subject: CodeSubject): Promise<"sent" | "refused" | "failed"> {
  const { user, fields } = subject;
  const address = comparableEmail(user.email);
  const mailer = mailerOf(ctx.config);
  if (address === null || !mailer) return "failed";
  const mailing = await mayMail(ctx, { provider: PROVIDER, address, fields });
  if (mailing.act === "pretend") return "refused";
  try {
    await send(ctx, mailer, { ...subject, address });
    return "sent";
  } catch (error) {
    return await notSent(ctx, mailing, error);
  }
}

async function notSent(
  ctx: RequestContext,
  { failed }: Extract<Mailing, { act: "send" }>,
  cause: unknown,
): Promise<"failed"> {
  await failed();
  const message = "Cannot send the code of a second factor";
  const error = cause instanceof AuthError
    ? cause
    : new EmailSignInError(message, { cause, logCode: "email-not-sent" });
  ctx.config.logger.error(error, ctx);
  return "failed";
}

async function send(
  ctx: RequestContext,
  mailer: Mailer,
  { user, address, binding }: CodeSubject & { readonly address: string },
): Promise<void> {
  const { runtime, theme, timeouts, secrets, pages: { texts } } = ctx.config;
  const [code, suffix] = [newCode(runtime), randomText(runtime)];
  const expires = new Date(runtime.now() + LIFETIME * 1000);
  if (!await allowGuesses(ctx, suffix, expires)) {
    throw new EmailSignInError("Cannot send a code: guesses at it cannot be counted, because `adapter` has no `once`");
  }
  const [hash = ""] = await hashesOf(secrets, { code, suffix, address });
  const key = await keyOf(suffix);
  // Stored first, so that it works as soon as it arrives.
  await factorRecords(ctx.config).putRecord({ ...key, version: 0, userId: user.id, expires, data: { hash } });
  const wording = await wordingFor(ctx, { theme, texts });
  const mail = codeMail({ code, wording, theme });
  await withDeadline(runtime, timeouts.request, "the email", () => {
    return mailer({ to: address, ...mail, language: wording.tag });
  });
  const proof = { purpose: "second-factor", subject: binding, hashes: [hash] } as const;
  await rememberRequested(ctx, proof, { maxAge: LIFETIME, suffix });
}

/** Whether this browser has asked for a code for this. */
export async function hasAskedForCode(ctx: RequestContext, binding: string): Promise<boolean> {
  return await findRequested(ctx, { purpose: "second-factor", subject: binding }) !== null;
}

/** Reads a code, also with spaces. `null` if it is none. */
export function readEmailCode(typed: string): string | null {
  return readDigits(typed, 6);
}

/**
 * Uses a code up. Each call is a guess, which is counted before anything is compared. Only one of many parallel uses of the
 * right code succeeds.
 *
 * @returns `wrong`, or `expired` if this browser has no code that can still be right.
 */
export async function useEmailCode(
  ctx: RequestContext,
  { user, binding }: Pick<CodeSubject, "user" | "binding">,
  code: string,
): Promise<"right" | "wrong" | "expired"> {
  const { config, cookies } = ctx;
  const requested = await findRequested(ctx, { purpose: "second-factor", subject: binding });
  const address = comparableEmail(user.email);
  if (requested?.suffix === undefined || address === null) return "expired";
  const { suffix, exp } = requested;
  const records = factorRecords(config);
  const key = await keyOf(suffix);
  const record = await records.getRecord(key);
  const isThere = record?.expires && record.userId === user.id && record.expires.getTime() > config.runtime.now();
  if (!isThere) return "expired";
  const guess = await countGuess(requireStorage(ctx), suffix, exp);
  const hashes = await hashesOf(config.secrets, { code, suffix, address });
  const isRight = guess <= MAX_GUESSES && hashes.some((hash) => sameText(hash, String(record.data.hash)));
  if (!isRight) return guess < MAX_GUESSES ? "wrong" : "expired";
  if (!await records.removeRecord({ ...key, version: record.version })) return "expired";
  if (!cookies.closed) cookies.clear("email");
  return "right";
}

async function keyOf(suffix: string): Promise<RecordKey> {
  return { kind: CODE, id: await sha256Base64Url(suffix) };
}

interface Hashed {
  readonly code: string;
  readonly suffix: string;
  readonly address: string;
}

// With the address: a code that was sent elsewhere is not right for the user any more.
async function hashesOf(
  secrets: readonly string[],
  { code, suffix, address }: Hashed,
): Promise<readonly string[]> {
  return await hashToken(secrets, JSON.stringify([code, suffix, address]));
}

function newCode({ random }: Pick<Runtime, "random">): string {
  const number = new DataView(random(new Uint8Array(8)).buffer).getBigUint64(0);
  return String(number % 1_000_000n).padStart(6, "0");
}

/** Shortens an address, so that its owner knows it, and others learn little. */
export function shortened(address: string): string {
  const at = address.lastIndexOf("@");
  return at < 1 ? "•••" : `${[...address.slice(0, at)][0] ?? ""}•••${address.slice(at)}`;
}
