/**
 * The end of every sign-in, for all methods.
 *
 * @module
 */
import type { SignInCallbackParams } from "../contract/config.ts";
import type { RequestContext } from "../request/context.ts";
import { tell } from "../request/events.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { pageUrl } from "../request/links.ts";
import { mailerOf } from "../request/mailer.ts";
import { type Entered, tellEntered } from "../request/points.ts";
import { type Outcome, redirectTo } from "../request/outcome.ts";
import type { User } from "../kernel/model.ts";
import { isPlainObject } from "../kernel/objects.ts";
import { once } from "../kernel/load.ts";
import { isTooLongToStore } from "../kernel/pictures.ts";
import { sessionIdOf } from "../session_stores/session_id.ts";
import { accountFor, type SignInAttempt } from "./attempt.ts";
import type { Resumed } from "./held.ts";
import type { Added } from "./notice.ts";
import { askPermission } from "./permission.ts";
import { newAuthentication, providerClaimsFor } from "./session.ts";
import { handedOver } from "./verification.ts";
import { type AskPermission, type SignInOptions, type SignInResult, signInWithStorage } from "./with_storage.ts";

const holding = once(() => import("./held.ts"));
const notices = once(() => import("./notice.ts"));

/**
 * Completes a sign-in: asks permission, writes user, account and session, sends the event and redirects.
 *
 * @param ctx The request.
 * @param checked Who signs in.
 * @param redirectUrl Where the browser goes afterwards.
 * @param resumed The second proof, if the sign-in waited for one.
 * @throws {AccessDenied} if the application refuses.
 * @throws {OAuthAccountNotLinked} if the account or its address belongs to another user.
 * @throws {WebAuthnVerificationError} if the passkey is unknown, or may not be added.
 * @throws {Verification} if the email token was used, has expired or does not exist.
 * @throws {AdapterError} if storage fails; signing in again completes what was begun.
 */
export async function completeSignIn(
  ctx: RequestContext,
  checked: SignInAttempt,
  redirectUrl: RedirectUrl,
  resumed?: Resumed,
): Promise<Outcome> {
  const mailer = mailerOf(ctx.config);
  const told: Promise<void>[] = [];
  const tell = (added: Added) => {
    if (mailer) told.push(notices().then(({ notify }) => notify(ctx, mailer, added)));
  };
  try {
    return await complete(ctx, checked, { redirectUrl, resumed, tell });
  } finally {
    // What was added stays, so its user is told, also where the session cannot be opened.
    await Promise.all(told);
  }
}

async function complete(
  ctx: RequestContext,
  checked: SignInAttempt,
  { redirectUrl, ...options }: Omit<SignInOptions, "ask">,
): Promise<Outcome> {
  const attempt = { ...checked, user: toStorableUser(checked.user) };
  const ask: AskPermission = (user, verifiedElsewhere) => {
    return askPermission(ctx, paramsOf(attempt, user, verifiedElsewhere));
  };
  const { storage, session: { strategy } } = ctx.config;
  // Users of credentials are the application's own. They are stored only if stored sessions need a user.
  const isStored = storage !== null && (attempt.method !== "credentials" || strategy === "database");
  const result = isStored
    ? await signInWithStorage(ctx, storage, attempt, { ask, redirectUrl, ...options })
    : await signInWithoutStorage(ctx, attempt, { ask, redirectUrl, ...options });
  if (!ctx.cookies.closed) {
    ctx.cookies.clear("callbackUrl");
    if (result.act === "enter") rememberProvider(ctx, result.account.provider);
    // What waits in this browser is over once somebody has entered: it may be another person's.
    const hasEntered = result.act === "enter" && (result.authentication !== null || options.resumed);
    if (hasEntered && ctx.cookies.read("pending")) ctx.cookies.clear("pending");
  }
  if (result.act === "redirect") return redirectTo(result.to);
  const { user, account, isNewUser, authentication, row } = result;
  if (authentication && ctx.config.actsAt.has("entered") && !ctx.cookies.closed) {
    const session = row && { key: row.sessionToken, expires: row.expires };
    await tellEntered(ctx, { ...enteredBy(attempt, user), methods: authentication.methods, session });
  }
  const profile = attempt.method === "oauth" ? attempt.profile : undefined;
  const known = isNewUser !== undefined && { isNewUser };
  await tell(ctx.config, {
    type: "signIn",
    // Where only an account was added, nobody has signed in.
    event: authentication && (async () => ({
      userId: user.id ?? null,
      provider: account.provider,
      methods: authentication.methods,
      ...known,
      ...(row && { sessionId: await sessionIdOf(ctx.config.secrets[0], row) }),
    })),
    message: () => ({ user, account, ...(profile && { profile }), ...known }),
  }, ctx);
  const isWelcome = isNewUser && ctx.config.pages.newUser;
  return redirectTo(isWelcome ? pageUrl(ctx, "newUser", { callbackUrl: redirectUrl }) : redirectUrl);
}

function enteredBy(attempt: SignInAttempt, user: User): Entered {
  const { provider } = attempt.account;
  switch (attempt.method) {
    case "credentials":
      return { user, provider, fields: attempt.credentials };
    case "email":
      return { user, provider, address: attempt.token.identifier };
    case "webauthn": {
      const { proof } = attempt;
      return { user, provider, ...(proof.act === "authenticate" && { credentialID: proof.credentialID }) };
    }
    default:
      return { user, provider };
  }
}

// Only the built-in page marks the way that was used last, and only among several.
function rememberProvider({ config, cookies }: RequestContext, id: string): void {
  cookies.clear("failure");
  if (config.pages.signIn || config.providers.size < 2 || cookies.read("lastProvider") === id) return;
  cookies.write("lastProvider", id);
}

async function signInWithoutStorage(
  ctx: RequestContext,
  attempt: SignInAttempt,
  { ask, redirectUrl, resumed }: SignInOptions,
): Promise<SignInResult> {
  const { account } = attempt;
  const user = handedOver(attempt, attempt.user, false);
  const permission = await ask(user, false);
  if (permission.act === "redirect") return permission;
  const profile = attempt.method === "oauth" ? attempt.profile : undefined;
  // The application knows the users of credentials. Without storage, it is unknown whether any other user is new.
  const isNewUser = attempt.method === "credentials" ? false : undefined;
  let authentication = newAuthentication(attempt, resumed?.methods);
  if (ctx.config.actsAt.has("mint")) {
    const judged = await (await holding()).judgeAlone(ctx, { attempt, user, authentication, redirectUrl, resumed });
    if (judged.act === "redirect") return judged;
    authentication = judged.authentication;
  }
  const claims = await providerClaimsFor(ctx, attempt);
  const owner = { user, account, profile, isNewUser, authentication, claims };
  ctx.sessions.write(ctx.cookies, await ctx.sessions.prepare(owner, ctx.cookies));
  return { act: "enter", user, account, isNewUser: undefined, authentication };
}

function paramsOf(attempt: SignInAttempt, user: User, verifiedElsewhere: boolean): SignInCallbackParams {
  const account = accountFor(attempt, user);
  switch (attempt.method) {
    case "oauth":
      return { user, account, profile: attempt.profile };
    case "email":
    case "webauthn":
      return { user, account };
    case "password":
      // What was typed as the password is no business of others.
      return { user, account, credentials: { email: user.email } };
    case "credentials":
      return {
        user,
        account,
        credentials: attempt.credentials,
        ...(verifiedElsewhere && { emailProvenElsewhere: true }),
      };
    default:
      return attempt satisfies never;
  }
}

/** The longest name, in characters. A longer one is cut. */
const MAX_NAME_LENGTH = 1024;

/** How deep texts are cleaned: as deep as the JSON of a provider may be. */
const MAX_DEPTH = 32;

/**
 * Removes from a user what would make every sign-in fail: NUL and lone surrogates, which databases refuse, names that
 * are too long for a cookie, and images that are too long for a row.
 *
 * Id and address stay unchanged: they would be those of another person.
 */
function toStorableUser(user: User): User {
  return Object.fromEntries(
    Object.entries(user).map(([name, value]) => [storableText(name), storableMember(name, value)]),
  );
}

function storableMember(name: string, value: unknown): unknown {
  if (name === "id" || name === "email") return value;
  if (typeof value !== "string") return storable(value, MAX_DEPTH);
  if (name === "image" && isTooLongToStore(value)) return null;
  return storableText(name === "name" ? value.slice(0, MAX_NAME_LENGTH) : value);
}

function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

function storable(value: unknown, depth: number): unknown {
  if (typeof value === "string") return storableText(value);
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((member) => storable(member, depth - 1));
  // Dates and instances of classes stay unchanged.
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [storableText(name), storable(member, depth - 1)]),
  );
}
