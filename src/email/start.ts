/**
 * The way to the mailbox.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { randomHex } from "../crypto/random.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { EmailSignInError, InvalidConfig } from "../kernel/errors.ts";
import { type Fields, requestWith } from "../http/body.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { actionUrl } from "../request/links.ts";
import { type Outcome, redirectTo } from "../request/outcome.ts";
import type { ResolvedEmailProvider } from "../config/resolved_provider.ts";
import { askPermission } from "../sign_in/permission.ts";
import { isCode, joinToken, makeSuffix } from "./code.ts";
import { hashToken, normalizeAddress, rememberLink } from "./link.ts";
import { findEmailUser, storageOf } from "./user.ts";

/** What sending a link needs. */
export interface EmailStartInput {
  readonly provider: ResolvedEmailProvider;
  /** What was typed; the address is in `email`. */
  readonly fields: Fields;
  /** Where the visitor goes when the sign-in is complete. */
  readonly redirectUrl: RedirectUrl;
}

/**
 * Sends a link to an address. The answer is the same whether somebody has it or not.
 *
 * @throws {EmailSignInError} if it is not an address, or the mail cannot be sent.
 * @throws {AccessDenied} if the application says no.
 */
export async function startEmail(ctx: RequestContext, input: EmailStartInput): Promise<Outcome> {
  const { id } = input.provider;
  const identifier = await normalizeAddress(input.provider, input.fields.email);
  const mailbox = await findEmailUser(ctx, { provider: id, identifier });
  const permission = await askPermission(ctx, { ...mailbox, email: { verificationRequest: true } });
  if (permission.act === "redirect") return redirectTo(permission.to);
  await sendLink(ctx, input, identifier);
  return redirectTo(actionUrl(ctx, "verify-request", { provider: id, type: "email" }));
}

async function sendLink(ctx: RequestContext, input: EmailStartInput, identifier: string): Promise<void> {
  const { provider, redirectUrl: target } = input;
  const { runtime } = ctx.config;
  const storage = storageOf(ctx.config);
  const token = await makeToken(ctx, provider);
  const suffix = isCode(token) ? makeSuffix(ctx, provider) : null;
  const whole = suffix === null ? token : joinToken(token, suffix);
  const link = { provider: provider.id, identifier, hashes: await hashToken(provider, whole) };
  const [hash = ""] = link.hashes;
  const expires = new Date(runtime.now() + provider.maxAge * 1000);
  const url = actionUrl(ctx, `callback/${provider.id}`, { callbackUrl: target, token: whole, email: identifier });
  // Stored first: nobody may get a link that does not work yet.
  await storage.createVerificationToken({ identifier, token: hash, expires });
  try {
    await send(ctx, input, { identifier, url, expires, token });
  } catch (error) {
    await removeToken(ctx, { identifier, token: hash });
    throw new EmailSignInError("Cannot send a link: the mail could not be handed over", { cause: error });
  }
  await rememberLink(ctx, link, { maxAge: provider.maxAge, suffix });
}

/** The longest token that a generator may make. */
const MAX_TOKEN_LENGTH = 512;

async function makeToken({ config }: RequestContext, provider: ResolvedEmailProvider): Promise<string> {
  if (!provider.generateVerificationToken) return randomHex(config.runtime);
  const token: unknown = await provider.generateVerificationToken();
  const fits = typeof token === "string" && token.length > 0 && token.length <= MAX_TOKEN_LENGTH;
  if (fits && token.isWellFormed()) return token;
  throw new InvalidConfig(
    `Cannot make a link: \`generateVerificationToken\` of provider "${provider.id}" gave no text of at most ` +
      `${MAX_TOKEN_LENGTH} characters`,
  );
}

interface Letter {
  readonly identifier: string;
  readonly url: string;
  readonly expires: Date;
  readonly token: string;
}

async function send(ctx: RequestContext, { provider, fields }: EmailStartInput, letter: Letter): Promise<void> {
  const { runtime, timeouts, theme } = ctx.config;
  const request = requestWith(ctx, fields);
  await withDeadline(runtime, timeouts.request, "the mail to be handed over", () => {
    return provider.sendVerificationRequest({ ...letter, theme, request });
  });
}

// A row that stays behind opens nothing for anybody, and ends by itself: what matters is the error that led here.
async function removeToken({ config }: RequestContext, key: { identifier: string; token: string }): Promise<void> {
  try {
    await storageOf(config).useVerificationToken(key);
  } catch (error) {
    config.logger.error(new EmailSignInError("Cannot remove the token of a mail that was not sent", { cause: error }));
  }
}
