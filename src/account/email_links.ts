/**
 * The links of the emails about another address.
 *
 * What a link is about is hashed with everything that it was sent on: the former address, when it was proven, the security
 * stamp and the password. So each of them makes the link void when it changes.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { passwordProviderOf } from "../config/password_provider.ts";
import { sha256Base64Url } from "../crypto/digest.ts";
import { textFromBase64Url, toBase64Url, utf8 } from "../crypto/encoding.ts";
import { comparableEmail } from "../kernel/address.ts";
import { Verification } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { RequestContext } from "../request/context.ts";
import { requireStorage } from "../request/require_storage.ts";
import { type AddressProof, hashToken, issueProof, type ProofPurpose } from "../sign_in/address_proof.ts";
import { findPassword, revisionFor } from "../sign_in/stored_password.ts";

/** The purposes of the links: the new address is proven, and the former one allows it. */
export type EmailPurpose = Extract<ProofPurpose, "email-new" | "email-former">;

/** What a link says. Nothing says yet that it was ever sent. */
export interface EmailLink {
  /** As it was sent. */
  readonly token: string;
  readonly userId: string;
  /** The new address, normalized. */
  readonly to: string;
  /** Whether the former mailbox is said to be lost. */
  readonly isLost: boolean;
  /** The random part. */
  readonly secret: string;
}

/** A link that was sent, and whose it is. */
export interface FoundLink extends EmailLink {
  readonly user: AdapterUser;
  readonly proof: AddressProof;
}

type Configured = Pick<ResolvedConfig, "providers" | "storage">;

/** Gives a text that is another one once the user has another address, another password, or another stamp. */
export async function stateOf(config: Configured, user: AdapterUser): Promise<string> {
  const { email, emailVerified, securityStamp } = user;
  const password = passwordProviderOf(config) ? revisionFor(await findPassword(config, user.id), user) : "";
  const state = [user.id, email ?? null, emailVerified?.getTime() ?? null, securityStamp ?? null, password];
  return await sha256Base64Url(JSON.stringify(state));
}

// Databases limit how long the identifier of a token is.
async function subjectOf(
  config: Configured,
  user: AdapterUser,
  { to, isLost }: Pick<EmailLink, "to" | "isLost">,
): Promise<string> {
  return await sha256Base64Url(JSON.stringify([await stateOf(config, user), to, isLost]));
}

/** A link to send. */
export interface NewLink extends Pick<EmailLink, "to" | "isLost"> {
  readonly purpose: EmailPurpose;
  readonly user: AdapterUser;
  /** Seconds that it works. */
  readonly lasting: number;
}

/** Makes a link. It works once. */
export async function issueLink(
  ctx: RequestContext,
  { purpose, user, to, isLost, lasting }: NewLink,
): Promise<{ readonly token: string; readonly proof: AddressProof }> {
  const { config } = ctx;
  const subject = await subjectOf(config, user, { to, isLost });
  const expires = new Date(config.runtime.now() + lasting * 1000);
  const { token: secret, proof } = await issueProof(config, requireStorage(ctx), { purpose, subject, expires });
  const token = [toBase64Url(utf8(user.id)), toBase64Url(utf8(to)), isLost ? "lost" : "read", secret].join(".");
  return { token, proof };
}

const TOKEN = /^([\w-]{1,2800})\.([\w-]{1,500})\.(lost|read)\.([0-9a-f]{64})$/;

/** Reads the token of a link; `null` if it cannot be one. */
export function readLink(token: unknown): EmailLink | null {
  const [, user = "", address = "", kind, secret = ""] = (typeof token === "string" && TOKEN.exec(token)) || [];
  const [userId, to] = [textFromBase64Url(user), textFromBase64Url(address)];
  if (!userId || !to || comparableEmail(to) !== to) return null;
  return { token: String(token), userId, to, isLost: kind === "lost", secret };
}

/**
 * Finds whose a link is, and what it has to use up.
 *
 * @throws {Verification} if it cannot be a link, or there is no such user.
 */
export async function findLink(ctx: RequestContext, token: unknown, purpose: EmailPurpose): Promise<FoundLink> {
  const link = readLink(token);
  const user = link && await requireStorage(ctx).getUser(link.userId);
  if (!link || !user) throw usedLink();
  const subject = await subjectOf(ctx.config, user, link);
  return { ...link, user, proof: { purpose, subject, hashes: await hashToken(ctx.config.secrets, link.secret) } };
}

/** The error of a link that does not work. */
export function usedLink(): Verification {
  return new Verification("Cannot use link: it was used before, has expired, or was never sent");
}
