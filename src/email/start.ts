/**
 * The first half of a sign-in by email: a link or a code is sent.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { requireStorage } from "../request/require_storage.ts";
import { randomHex } from "../crypto/random.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { EmailSignInError, InvalidConfig } from "../kernel/errors.ts";
import { type Fields, requestWith } from "../http/body.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { actionUrl } from "../request/links.ts";
import { mayMail } from "../request/points.ts";
import { wordingFor } from "../request/language.ts";
import { type Outcome, redirectTo } from "../request/outcome.ts";
import type { ProviderUrls, VerificationRequest } from "../contract/provider.ts";
import type { ResolvedEmailProvider } from "../config/resolved_provider.ts";
import {
  type AddressProof,
  findRequested,
  hashToken,
  issueProof,
  rememberRequested,
  withdrawProof,
} from "../sign_in/address_proof.ts";
import { askPermission } from "../sign_in/permission.ts";
import { isCode, joinToken, makeSuffix } from "./code.ts";
import { removeGuesses } from "./guesses.ts";
import { emailUser, normalizeAddress } from "./link.ts";

/** What {@linkcode startEmail} needs. */
export interface EmailStartInput {
  readonly provider: ResolvedEmailProvider;
  /** The form; the address is in `email`. */
  readonly fields: Fields;
  /** Where the browser goes after the sign-in. */
  readonly redirectUrl: RedirectUrl;
  /** Id of the passkey provider that the address is proven for. */
  readonly registers?: string;
}

/**
 * Sends a link to an address. The response is the same whether a user has the address or not.
 *
 * @throws {EmailSignInError} if the address is not valid, or the email cannot be sent.
 * @throws {AccessDenied} if the application refuses.
 */
export async function startEmail(ctx: RequestContext, input: EmailStartInput): Promise<Outcome> {
  const { id } = input.provider;
  const identifier = await normalizeAddress(input.provider, input.fields.email);
  const stored = await requireStorage(ctx).getUserByEmail(identifier);
  const user = emailUser(ctx, { provider: id, identifier }, stored);
  const permission = await askPermission(ctx, { ...user, email: { verificationRequest: true } });
  if (permission.act === "redirect") return redirectTo(permission.to);
  await sendLink(ctx, input, identifier);
  return redirectTo(actionUrl(ctx, "verify-request", { provider: id, type: "email" }));
}

async function sendLink(ctx: RequestContext, input: EmailStartInput, identifier: string): Promise<void> {
  const { provider, fields, redirectUrl, registers } = input;
  const mailing = await mayMail(ctx, { provider: provider.id, address: identifier, fields });
  if (mailing.act === "pretend") return await pretendToSend(ctx, input, identifier);
  const { runtime, theme, timeouts, pages: { texts } } = ctx.config;
  const wording = await wordingFor(ctx, { theme, texts });
  const sent = await makeToken(ctx, provider);
  const expires = new Date(runtime.now() + provider.maxAge * 1000);
  const suffix = isCode(sent) ? await makeSuffix(ctx, provider, expires) : undefined;
  const token = suffix === undefined ? sent : joinToken(sent, suffix);
  const url = actionUrl(ctx, `callback/${provider.id}`, { callbackUrl: redirectUrl, token, email: identifier });
  const about = { purpose: "sign-in", subject: identifier, provider: provider.id, secrets: provider.secrets } as const;
  const { proof } = await issueProof(ctx.config, requireStorage(ctx), { ...about, token, expires });
  try {
    const email = { identifier, url, expires, token: sent, theme, wording, request: requestWith(ctx, fields) };
    await sendWithin(provider.timeout ?? timeouts.request, ctx, { provider, email });
  } catch (error) {
    await mailing.failed();
    await removeToken(ctx, proof);
    await removeGuesses(ctx, suffix);
    throw error;
  }
  await rememberRequested(ctx, proof, { maxAge: provider.maxAge, suffix, registers });
}

/** How long each provider last took to send, in milliseconds. */
const sendingTimes = new WeakMap<ResolvedEmailProvider, number>();

// Takes as long as if it were sent, and the browser gets a cookie as well. One that asked before keeps what it has: what
// was sent still works there.
async function pretendToSend(ctx: RequestContext, input: EmailStartInput, identifier: string): Promise<void> {
  const { provider, registers } = input;
  const { runtime } = ctx.config;
  const token = await makeToken(ctx, provider);
  const about = { purpose: "sign-in", subject: identifier, provider: provider.id } as const;
  const hashes = await hashToken(provider.secrets, isCode(token) ? joinToken(token, randomHex(runtime)) : token);
  await new Promise<void>((resolve) => void runtime.timer((sendingTimes.get(provider) ?? 0) / 1000, resolve));
  const earlier = await findRequested(ctx, about);
  const left = earlier ? Math.max(1, earlier.exp - Math.floor(runtime.now() / 1000)) : provider.maxAge;
  const suffix = earlier ? earlier.suffix : isCode(token) ? randomHex(runtime) : undefined;
  const proof = { ...about, hashes: earlier ? [earlier.hash] : hashes };
  await rememberRequested(ctx, proof, { maxAge: left, suffix, registers: earlier ? earlier.registers : registers });
}

interface Sending {
  readonly provider: ResolvedEmailProvider;
  readonly email: Omit<VerificationRequest, "provider">;
}

async function sendWithin(timeout: number, ctx: RequestContext, { provider, email }: Sending): Promise<void> {
  const send = () => provider.sendVerificationRequest(email, { ...urlsOf(ctx, provider), timeout });
  const { runtime } = ctx.config;
  const began = runtime.now();
  try {
    await withDeadline(runtime, timeout, "`sendVerificationRequest`", send);
    sendingTimes.set(provider, Math.max(0, runtime.now() - began));
  } catch (cause) {
    // Mail services throw their own error.
    if (cause instanceof EmailSignInError) throw cause;
    throw new EmailSignInError("Cannot send a link: `sendVerificationRequest` failed", {
      cause,
      logCode: "email-not-sent",
    });
  }
}

function urlsOf(ctx: RequestContext, { id }: ResolvedEmailProvider): ProviderUrls {
  return { signinUrl: actionUrl(ctx, `signin/${id}`), callbackUrl: actionUrl(ctx, `callback/${id}`) };
}

/** The longest token that `generateVerificationToken` may return. */
const MAX_TOKEN_LENGTH = 512;

async function makeToken({ config }: RequestContext, provider: ResolvedEmailProvider): Promise<string> {
  if (!provider.generateVerificationToken) return randomHex(config.runtime);
  const token: unknown = await provider.generateVerificationToken();
  const fits = typeof token === "string" && token.length > 0 && token.length <= MAX_TOKEN_LENGTH;
  if (fits && token.isWellFormed()) return token;
  throw new InvalidConfig(
    `Cannot make a link: \`generateVerificationToken\` of provider "${provider.id}" did not return a string of 1 to ` +
      `${MAX_TOKEN_LENGTH} characters`,
  );
}

// If this fails too, the row does no harm: its token was not sent, and it expires. Report the error that led here.
async function removeToken(ctx: RequestContext, proof: AddressProof): Promise<void> {
  try {
    await withdrawProof(requireStorage(ctx), proof);
  } catch (error) {
    const message = "Cannot remove the token of an email that was not sent";
    ctx.config.logger.error(new EmailSignInError(message, { cause: error, logCode: "adapter-failed" }), ctx);
  }
}
