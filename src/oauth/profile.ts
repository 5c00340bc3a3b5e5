/**
 * Who signed in: from what the provider tells to a user and an account.
 *
 * @module
 */
import { isObject } from "../kernel/objects.ts";
import { toldEmail } from "../kernel/address.ts";
import type { RequestContext } from "../request/context.ts";
import { randomUuid } from "../crypto/random.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { OAuthProfileParseError, OAuthProviderError } from "../kernel/errors.ts";
import type { Account, Profile, TokenSet, User } from "../kernel/model.ts";
import type { FetchLike } from "../contract/provider.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { Linking, SignInAttempt } from "../sign_in/attempt.ts";
import { factsOf } from "./client.ts";
import { handlerFailure } from "./failure.ts";
import { isHeld, type JsonObject, readObject } from "./json.ts";
import type { Server } from "./server.ts";
import type { Grant } from "./tokens.ts";

/** What reading a profile needs. */
export interface ProfileSource {
  readonly provider: ResolvedOAuthProvider;
  readonly server: Server;
  readonly grant: Grant;
  /** The answer of the provider. */
  readonly params: URLSearchParams;
  readonly fetch: FetchLike;
  /** Id of the user who was signed in when the flow was started. */
  readonly startedBy: string | null;
}

/** Asks who it is and makes an attempt of it. @throws {OAuthProfileParseError} if that gives no usable account id. */
export async function identify(ctx: RequestContext, source: ProfileSource): Promise<SignInAttempt> {
  const { provider, params, grant } = source;
  const told = provider.profileFrom === "id_token" ? grant.claims : await readUserinfo(ctx, source);
  if (!told) throw new OAuthProviderError(`Cannot sign in with "${provider.id}": there is no verified id_token`);
  const brought = provider.formPost ? broughtByBrowser(params) : null;
  // What the browser brought is not signed and must not stand in front of what is.
  const profile = { ...(brought && { user: brought }), ...told } as Profile;
  const tokens = withExpiry(grant.tokens, ctx.config.runtime.now());
  const found = await toUser(ctx, provider, profile, tokens);
  const user = { ...found.user, id: randomUuid(ctx.config.runtime), ...addressOf(found.user) };
  const linking = await linkingOf(ctx, source, profile, tokens);
  return { method: "oauth", user, account: toAccount(provider, found.accountId, tokens), profile, linking };
}

async function linkingOf(
  ctx: RequestContext,
  { provider, startedBy }: ProfileSource,
  profile: Profile,
  tokens: TokenSet,
): Promise<Linking> {
  return {
    startedBy,
    byEmail: provider.allowDangerousEmailAccountLinking,
    emailVerified: saysVerified(profile.email_verified),
    kept: ctx.config.storage ? await tokensToKeep(ctx, provider, tokens) : {},
  };
}

// Some providers write it as text. Whatever else one says is not yes, and a provider that says nothing is another thing.
function saysVerified(claim: unknown): boolean | null {
  if (claim === undefined || claim === null) return null;
  return claim === true || claim === "true";
}

async function tokensToKeep(ctx: RequestContext, provider: ResolvedOAuthProvider, tokens: TokenSet): Promise<TokenSet> {
  const { runtime, timeouts } = ctx.config;
  const what = `\`account\` of provider "${provider.id}"`;
  let kept: unknown;
  try {
    kept = await withDeadline(runtime, timeouts.request, what, () => provider.account({ ...tokens }));
  } catch (error) {
    throw new OAuthProfileParseError(`Cannot sign in: ${what} failed`, { cause: error });
  }
  // Whose account it is, is not for tokens to say.
  const { userId: _, provider: __, providerAccountId: ___, type: ____, ...rest } = isObject(kept) ? kept : {};
  const { id_token, ...others } = rest;
  return String(id_token ?? "").length > LONGEST_ID_TOKEN ? others : rest;
}

/** Characters of an id_token that is kept: one with a picture in it may be larger than a record of storage. */
const LONGEST_ID_TOKEN = 16 * 1024;

async function readUserinfo(ctx: RequestContext, source: ProfileSource): Promise<JsonObject> {
  const { provider, grant: { claims } } = source;
  const told = provider.userinfo.handler ? await callHandler(ctx, source) : await request(source);
  if (!isObject(told)) throw new OAuthProviderError(`Cannot read profile: provider "${provider.id}" gave no object`);
  // An answer about somebody else than the id_token names is an attack or a mix-up of the provider's.
  const mustMatch = claims !== null && (told.sub !== undefined || !provider.userinfo.handler);
  if (mustMatch && told.sub !== claims.sub) {
    throw new OAuthProviderError(
      `Cannot read profile: provider "${provider.id}" told of somebody else than its id_token`,
    );
  }
  return told;
}

async function callHandler(ctx: RequestContext, { provider, grant, fetch }: ProfileSource): Promise<unknown> {
  const { runtime, timeouts } = ctx.config;
  const what = `\`userinfo\` of provider "${provider.id}"`;
  const call = { provider: factsOf(ctx, provider), tokens: withExpiry(grant.tokens, runtime.now()), fetch };
  try {
    return await withDeadline(runtime, timeouts.request, what, () => provider.userinfo.handler?.(call));
  } catch (error) {
    throw handlerFailure(what, error);
  }
}

async function request({ provider, server, grant, fetch }: ProfileSource): Promise<JsonObject | null> {
  const { userinfo_endpoint: endpoint } = server.metadata;
  if (!endpoint) {
    throw new OAuthProviderError(`Cannot read profile: provider "${provider.id}" has no userinfo_endpoint`);
  }
  const url = new URL(endpoint);
  for (const [name, value] of Object.entries(provider.userinfo.params)) url.searchParams.set(name, value);
  const headers = { accept: "application/json", authorization: `Bearer ${grant.tokens.access_token}` };
  const response = await fetch(url, { headers });
  if (response.ok) return readObject(await response.arrayBuffer());
  throw new OAuthProviderError(`Cannot read profile: provider "${provider.id}" refused`, {
    cause: { status: response.status },
  });
}

// One provider tells a person's name only here, and only at the first sign-in.
function broughtByBrowser(params: URLSearchParams): JsonObject | null {
  const text = params.get("user");
  return text ? readObject(new TextEncoder().encode(text)) : null;
}

async function toUser(
  ctx: RequestContext,
  provider: ResolvedOAuthProvider,
  profile: Profile,
  tokens: TokenSet,
): Promise<{ user: User; accountId: string }> {
  const { runtime, timeouts } = ctx.config;
  const what = `\`profile\` of provider "${provider.id}"`;
  let user: unknown;
  try {
    user = await withDeadline(runtime, timeouts.request, what, () => provider.profile(profile, tokens));
  } catch (error) {
    throw new OAuthProfileParseError(`Cannot sign in: ${what} failed`, { cause: error });
  }
  const accountId = isObject(user) ? usableId(user.id) : null;
  if (isObject(user) && accountId !== null) return { user, accountId };
  const why = isObject(user) && isRounded(user.id) ? "a rounded number as `id`: read it as text" : "no usable `id`";
  throw new OAuthProfileParseError(`Cannot sign in: ${what} gave ${why}`);
}

/** Texts that come of writing something as text that was not there. */
const NO_IDS: ReadonlySet<string> = new Set(["undefined", "null", "NaN", "[object Object]"]);

function isRounded(id: unknown): boolean {
  return typeof id === "number" && Number.isFinite(id) && !isHeld(id);
}

/**
 * Takes an account id. Ids that stand for nothing are refused: everybody without an id would share one account. So would
 * everybody whose id was rounded to the same number.
 *
 * @param id What `profile` gave.
 * @returns The id as text, or `null`.
 */
export function usableId(id: unknown): string | null {
  if (typeof id === "number") return isHeld(id) ? String(id) : null;
  const isText = typeof id === "string" && id.trim() !== "" && !NO_IDS.has(id.trim());
  // Half of a pair of surrogates has no form in UTF-8: storage would take all such ids for the same.
  return isText && id.isWellFormed() ? id : null;
}

// What is no address is not stored as one: applications send mail to it, and take it for what it looks like.
function addressOf({ email }: { readonly email?: unknown }): Pick<User, "email"> {
  if (email === undefined || email === null) return {};
  return { email: typeof email === "string" ? toldEmail(email) : null };
}

function withExpiry(tokens: TokenSet, now: number): TokenSet {
  const { expires_in } = tokens;
  return expires_in ? { ...tokens, expires_at: Math.floor(now / 1000) + Math.floor(expires_in) } : tokens;
}

// `userId` says whose account it is, which is not for a token endpoint to say.
function toAccount({ id, type }: ResolvedOAuthProvider, providerAccountId: string, tokens: TokenSet): Account {
  const { userId: _, ...kept } = tokens;
  return { ...kept, provider: id, type, providerAccountId };
}
