/**
 * Signing in with an address and a password that the service keeps.
 *
 * Unknown addresses cost as much as known ones: the same look-ups, and a hash of the same cost.
 *
 * @module
 */
import type { ResolvedPasswordProvider } from "../config/password_provider.ts";
import { randomUuid } from "../crypto/random.ts";
import type { Fields } from "../http/body.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { comparableEmail } from "../kernel/address.ts";
import { AdapterError, AuthError, CredentialsSignin } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { StoredPassword } from "../passwords/stored.ts";
import { comparePassword, passwordHash } from "../passwords/work.ts";
import type { RequestContext } from "../request/context.ts";
import type { Outcome } from "../request/outcome.ts";
import { mayGuess } from "../request/points.ts";
import { requireStorage } from "../request/require_storage.ts";
import type { PasswordAttempt } from "../sign_in/attempt.ts";
import { completeSignIn } from "../sign_in/complete.ts";
import { countsFor, findPassword, replaceHash } from "../sign_in/stored_password.ts";

/** What {@linkcode signInWithPassword} needs. */
export interface PasswordInput {
  readonly provider: ResolvedPasswordProvider;
  /** The form, with the address in `email`, and `password`. */
  readonly fields: Fields;
  /** Where the browser goes after the sign-in. */
  readonly redirectUrl: RedirectUrl;
}

/** Characters of the longest text that is compared: four of them may be one of a password. */
const MOST_LENGTH = 1024;

/** Times that a password is compared: it may change while it is. */
const MOST_TIMES = 2;

/**
 * Compares the password and completes the sign-in. All failures are the same to the visitor.
 *
 * @throws {CredentialsSignin} if the address has no user, is not proven, or has another password or none.
 * @throws {TooManyAttempts} if there were too many guesses.
 * @throws {Overloaded} if too many others wait for their hash.
 */
export async function signInWithPassword(ctx: RequestContext, input: PasswordInput): Promise<Outcome> {
  const { provider, fields, redirectUrl } = input;
  const { password: text } = fields;
  const address = typeof fields.email === "string" ? comparableEmail(fields.email) : null;
  if (address === null || typeof text !== "string" || text === "" || text.length > MOST_LENGTH) throw refused();
  const compared = await mayGuess(ctx, { kind: "password", provider: provider.id, subject: address, fields });
  if (!compared) throw new CredentialsSignin("Cannot sign in: there were too many guesses; wait before the next one");
  for (let times = 1;; times++) {
    const found = await compare(ctx, { provider, address, text });
    if (times === 1) await compared(found !== null);
    if (!found) throw refused();
    const { user, isWeak } = found;
    // Before the sign-in: one that waits for a second proof stands on what is stored.
    const password = isWeak ? await rehash(ctx, provider, { text, password: found.password }) : found.password;
    try {
      return await completeSignIn(ctx, attemptOf(provider, user, password), redirectUrl);
    } catch (error) {
      // Two sign-ins at once may both have found the old hash.
      const mayHaveChanged = error instanceof CredentialsSignin && times < MOST_TIMES;
      if (!mayHaveChanged || !await hasChanged(ctx, password)) throw error;
    }
  }
}

function refused(): CredentialsSignin {
  return new CredentialsSignin("Cannot sign in: the address or the password is wrong");
}

interface Typed {
  readonly provider: ResolvedPasswordProvider;
  readonly address: string;
  readonly text: string;
}

interface Right {
  readonly user: AdapterUser;
  readonly password: StoredPassword;
  readonly isWeak: boolean;
}

async function compare(ctx: RequestContext, { provider, address, text }: Typed): Promise<Right | null> {
  const { config } = ctx;
  const user = await requireStorage(ctx).getUserByEmail(address);
  const password = await findPassword(config, user?.id ?? randomUuid(config.runtime));
  const stored = password?.hash ?? null;
  const { verdict, error } = await comparePassword(provider.passwords, config.runtime, { text, stored });
  if (error) config.logger.error(error, ctx);
  if (!user || !password || verdict === "no" || !countsFor(password, user)) return null;
  return { user, password, isWeak: verdict === "weak" };
}

function attemptOf(
  { id: provider }: ResolvedPasswordProvider,
  user: AdapterUser,
  { revision }: StoredPassword,
): PasswordAttempt {
  const account = { provider, providerAccountId: user.id, type: "credentials" as const };
  return { method: "password", user, account, revision };
}

async function hasChanged({ config }: RequestContext, { userId, revision }: StoredPassword): Promise<boolean> {
  return (await findPassword(config, userId))?.revision !== revision;
}

// The password is right. That its hash stays as it is concerns the log only.
async function rehash(
  ctx: RequestContext,
  { passwords }: ResolvedPasswordProvider,
  { text, password }: { readonly text: string; readonly password: StoredPassword },
): Promise<StoredPassword> {
  const { config } = ctx;
  try {
    return await replaceHash(config, password, await passwordHash(passwords, config.runtime).make(text));
  } catch (error) {
    const message = "Cannot make a better hash of a password: the old one stays";
    config.logger.error(error instanceof AuthError ? error : new AdapterError(message, { cause: error }), ctx);
    return password;
  }
}
