/**
 * The links in emails about passwords, and whose address they prove.
 *
 * @module
 */
import type { ResolvedPasswordProvider } from "../../config/password_provider.ts";
import { sha256Base64Url } from "../../crypto/digest.ts";
import { randomHex, randomUuid } from "../../crypto/random.ts";
import { ensureCsrfToken } from "../../http/csrf.ts";
import { comparableEmail } from "../../kernel/address.ts";
import { EmailSignInError, Verification } from "../../kernel/errors.ts";
import type { Account, AdapterUser } from "../../kernel/model.ts";
import type { RequestContext } from "../../request/context.ts";
import { requireStorage } from "../../request/require_storage.ts";
import {
  type AddressProof,
  findRequested,
  hashToken,
  issueProof,
  type ProofPurpose,
  type Registration,
  rememberRequested,
  withdrawProof,
} from "../../sign_in/address_proof.ts";
import type { EmailAttempt, PasswordToSet } from "../../sign_in/attempt.ts";

/** What a link or its form has. */
export interface Link {
  readonly token: string;
  /** The address, normalized. */
  readonly email: string;
}

/** Reads an address that somebody typed; `null` if it is none. */
export function readEmail(text: unknown): string | null {
  return typeof text === "string" ? comparableEmail(text) : null;
}

/** Reads a link. @throws {Verification} if it is incomplete. */
export function readLink(token: unknown, email: unknown): Link {
  const address = readEmail(email);
  if (typeof token === "string" && TOKEN.test(token) && address !== null) return { token, email: address };
  throw new Verification("Cannot use link: its token or its address is missing");
}

const TOKEN = /^[0-9a-f]{64}$/;

/** What a link is good for. */
export interface About {
  readonly purpose: Extract<ProofPurpose, "confirm" | "reset">;
  readonly subject: string;
  readonly provider: string;
}

/** Gives the proof that a link is. */
export async function proofOf(
  { config }: Pick<RequestContext, "config">,
  about: About,
  token: string,
): Promise<AddressProof> {
  return { ...about, hashes: await hashToken(config.secrets, token) };
}

/**
 * Names a browser. A site on a subdomain can give somebody's browser the cookie in which a registration waits, and so the
 * password that a stranger has chosen, but not the cookie of the CSRF token, whose name begins with `__Host-`. A browser that
 * has none gets one: it is nobody's, so it would name every browser without it.
 */
export async function browserOf({ config, cookies }: Pick<RequestContext, "config" | "cookies">): Promise<string> {
  return await sha256Base64Url(`registration ${await ensureCsrfToken(cookies, config.secrets, config.runtime)}`);
}

/** What a browser remembers that asked for an email. */
export interface Kept {
  /** What it has chosen. @default nothing */
  readonly registration?: Registration;
  /** The address, if it is not what the link is about. */
  readonly shownAs?: string;
}

/** Issues a token and sends it, and lets this browser remember it. If it cannot be sent, it is withdrawn. */
export async function issueAndSend(
  ctx: RequestContext,
  { lasting, registration, shownAs, ...about }: About & Kept & { readonly lasting: number },
  send: (token: string) => Promise<void>,
): Promise<void> {
  const { config } = ctx;
  const expires = new Date(config.runtime.now() + lasting * 1000);
  const { token, proof } = await issueProof(config, requireStorage(ctx), { ...about, expires });
  try {
    await send(token);
  } catch (error) {
    await withdrawQuietly(ctx, proof);
    throw error;
  }
  await rememberRequested(ctx, { ...proof, subject: shownAs ?? proof.subject }, { maxAge: lasting, registration });
}

/** Sets the cookie that a browser gets which asked for an email. One that asked before keeps what it has. */
export async function pretendToIssue(
  ctx: RequestContext,
  { lasting, ...given }: About & { readonly lasting: number },
  { registration, shownAs }: Kept,
): Promise<void> {
  const { runtime } = ctx.config;
  const about = { ...given, subject: shownAs ?? given.subject };
  const made = await proofOf(ctx, about, randomHex(runtime));
  const earlier = await findRequested(ctx, about);
  const maxAge = earlier ? Math.max(1, earlier.exp - Math.floor(runtime.now() / 1000)) : lasting;
  const proof = earlier ? { ...made, hashes: [earlier.hash] } : made;
  await rememberRequested(ctx, proof, { maxAge, registration: earlier?.registration ?? registration });
}

// If this fails too, the row does no harm: its token was not sent, and it expires. Report the error that led here.
async function withdrawQuietly(ctx: RequestContext, proof: AddressProof): Promise<void> {
  try {
    await withdrawProof(requireStorage(ctx), proof);
  } catch (cause) {
    const message = "Cannot remove the token of an email that was not sent";
    ctx.config.logger.error(new EmailSignInError(message, { cause, logCode: "adapter-failed" }), ctx);
  }
}

/** Who proves an address, and the password that they get. */
export interface Proven {
  readonly email: string;
  readonly proof: AddressProof;
  readonly sets: PasswordToSet;
  /** The name of a new user. */
  readonly name?: string | null;
}

/** Makes the attempt to sign in by a link. */
export function attemptOf(
  ctx: Pick<RequestContext, "config">,
  { id }: Pick<ResolvedPasswordProvider, "id">,
  { email, proof, sets, name }: Proven,
): EmailAttempt {
  const user = { ...strangerOf(ctx, email), ...(name && { name }) };
  return {
    method: "email",
    user,
    account: accountOf({ id }, email, user),
    token: { identifier: email, hashes: proof.hashes },
    proof,
    sets,
  };
}

/** Stands for somebody who is not stored. */
export function strangerOf({ config }: Pick<RequestContext, "config">, email: string): AdapterUser {
  return { id: randomUuid(config.runtime), email, emailVerified: null };
}

/** The account by which an application knows that somebody signs in by a link of ours. */
export function accountOf(
  { id: provider }: Pick<ResolvedPasswordProvider, "id">,
  email: string,
  { id: userId }: Pick<AdapterUser, "id">,
): Account {
  return { provider, providerAccountId: email, userId, type: "email" };
}
