/**
 * The profile: who signed in, as a user and an account.
 *
 * @module
 */
import { isObject } from "../kernel/objects.ts";
import { parseProfileEmail } from "../kernel/address.ts";
import { SENT_JSON } from "../http/json_bounds.ts";
import type { RequestContext } from "../request/context.ts";
import type { UpstreamClaims } from "../request/points.ts";
import { randomUuid } from "../crypto/random.ts";
import { OAuthProfileParseError, OAuthProviderError } from "../kernel/errors.ts";
import type { Account, Profile, TokenSet, User } from "../kernel/model.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { SignInAttempt } from "../sign_in/attempt.ts";
import { vouchingFor } from "../sign_in/vouching.ts";
import { type ClaimsSource, readClaims } from "./claims.ts";
import { LONGEST_STORED, sealTokens } from "../oauth_client/account_tokens.ts";
import { callHandler } from "../oauth_client/failure.ts";
import { dpop } from "../oauth_client/late_modules.ts";
import { isExact, type JsonObject, readObject } from "../oauth_client/json.ts";

/** What {@linkcode identify} needs. */
export interface ProfileSource extends ClaimsSource {
  /** The authorization response. */
  readonly params: URLSearchParams;
  /** How the person authenticated at the provider, as it was asked. */
  readonly upstream: UpstreamClaims | undefined;
  /** Id of the user who was signed in when the flow was started. */
  readonly startedBy: string | null;
  /** The private key that the access token is bound to, with DPoP. */
  readonly dpopKey: JsonWebKey | undefined;
}

/**
 * Reads the profile, from the id_token or the userinfo endpoint, and makes the attempt to sign in of it.
 *
 * @throws {OAuthProfileParseError} if `profile` fails or gives no usable account id.
 * @throws {OAuthProviderError} if the provider's answer is not valid.
 */
export async function identify(ctx: RequestContext, source: ProfileSource): Promise<SignInAttempt> {
  const { provider, params, grant, upstream, startedBy, dpopKey } = source;
  const tokens = withExpiry(grant.tokens, ctx.config.runtime.now());
  const claims = await readClaims(ctx, source, tokens);
  if (!claims) throw new OAuthProviderError(`Cannot sign in with "${provider.id}": there is no verified id_token`);
  const unsigned = provider.formPost ? readUserField(params) : null;
  // Verified claims override the unsigned `user` field.
  const profile = { ...(unsigned && { user: unsigned }), ...claims } as Profile;
  const mapped = await mapProfile(ctx, provider, profile, tokens);
  const user = { ...mapped.user, id: randomUuid(ctx.config.runtime), ...emailOf(mapped.user) };
  const { storage, sealer } = ctx.config;
  const account = toAccount(provider, mapped.accountId, tokens);
  const key = dpopKey && { dpop_key: await (await dpop()).sealKey(sealer, account, dpopKey) };
  const given = storage ? await tokensToStore(ctx, provider, tokens) : {};
  const storedTokens = { ...given, ...(storage?.commit && key && keysToStore(key, given)) };
  const linking = {
    addToUserId: startedBy,
    ...vouchingFor(provider, claims, user.email),
    storedTokens,
    sealedTokens: await sealTokens(ctx.config, account, storedTokens),
  };
  const providerSession = providerSessionOf(provider, grant);
  const how = upstream && { upstream };
  return { method: "oauth", user, account: { ...account, ...key }, profile, linking, ...how, ...providerSession };
}

// The id_token is kept only for a provider that is to be told of the sign-out, and one that is encrypted tells it nothing.
function providerSessionOf(
  { logout }: ResolvedOAuthProvider,
  { claims, tokens: { id_token } }: ProfileSource["grant"],
): Pick<Extract<SignInAttempt, { method: "oauth" }>, "providerSession"> {
  const sid = typeof claims?.sid === "string" ? claims.sid : undefined;
  const isHint = logout !== false && claims !== null && id_token?.split(".").length === 3;
  if (sid === undefined && logout === false) return {};
  return { providerSession: { sid, ...(isHint && { idToken: id_token }) } };
}

async function tokensToStore(
  ctx: RequestContext,
  provider: ResolvedOAuthProvider,
  tokens: TokenSet,
): Promise<TokenSet> {
  const given: unknown = await callHandler(
    ctx.config,
    provider,
    "account",
    () => provider.account({ ...tokens }),
    parseError,
  );
  // Tokens cannot change whose account it is.
  const { userId: _, provider: __, providerAccountId: ___, type: ____, ...allowed } = isObject(given) ? given : {};
  const stored = withoutKeys(allowed);
  const { id_token, ...others } = stored;
  return String(id_token ?? "").length > LONGEST_STORED ? others : stored;
}

// The account may keep a refresh token of an earlier sign-in, which is bound to the key of that one.
function keysToStore(
  key: { readonly dpop_key: string },
  { refresh_token }: TokenSet,
): Readonly<Record<string, string>> {
  return refresh_token ? { ...key, refresh_dpop_key: key.dpop_key } : key;
}

function parseError(message: string, cause: unknown): Error {
  return new OAuthProfileParseError(message, { cause });
}

// Apple sends the name only here, and only at the first sign-in.
function readUserField(params: URLSearchParams): JsonObject | null {
  const text = params.get("user");
  return text ? readObject(new TextEncoder().encode(text), SENT_JSON) : null;
}

async function mapProfile(
  ctx: RequestContext,
  provider: ResolvedOAuthProvider,
  profile: Profile,
  tokens: TokenSet,
): Promise<{ user: User; accountId: string }> {
  const call = () => provider.profile(profile, tokens);
  const user: unknown = await callHandler(ctx.config, provider, "profile", call, parseError);
  const accountId = isObject(user) ? usableId(user.id) : null;
  if (isObject(user) && accountId !== null) return { user, accountId };
  const why = isObject(user) && isRounded(user.id) ? "a rounded number as `id`: read it as text" : "no usable `id`";
  throw new OAuthProfileParseError(`Cannot sign in: \`profile\` of provider "${provider.id}" gave ${why}`);
}

/** What `String()` makes of values that are not ids. */
const NO_IDS: ReadonlySet<string> = new Set(["undefined", "null", "NaN", "[object Object]"]);

function isRounded(id: unknown): boolean {
  return typeof id === "number" && Number.isFinite(id) && !isExact(id);
}

/**
 * Returns the id of a profile as text, or `null` if several people could have it: everybody without an id would share one
 * account, and so would everybody whose id was rounded to the same number.
 */
export function usableId(id: unknown): string | null {
  if (typeof id === "number") return isExact(id) ? String(id) : null;
  const isText = typeof id === "string" && id.trim() !== "" && !NO_IDS.has(id.trim());
  // UTF-8 has no lone surrogates: storage would write all of them the same.
  return isText && id.isWellFormed() ? id : null;
}

// Only a valid address is stored: applications send email to it.
function emailOf({ email }: { readonly email?: unknown }): Pick<User, "email"> {
  if (email === undefined || email === null) return {};
  return { email: typeof email === "string" ? parseProfileEmail(email) : null };
}

function withExpiry(tokens: TokenSet, now: number): TokenSet {
  const { expires_in } = tokens;
  return expires_in ? { ...tokens, expires_at: Math.floor(now / 1000) + Math.floor(expires_in) } : tokens;
}

// A token endpoint cannot choose the user of the account, or the key of its tokens.
function toAccount({ id, type }: ResolvedOAuthProvider, providerAccountId: string, tokens: TokenSet): Account {
  const { userId: _, ...others } = withoutKeys(tokens);
  return { ...others, provider: id, type, providerAccountId };
}

function withoutKeys(tokens: TokenSet): TokenSet {
  const { dpop_key: _, refresh_dpop_key: __, ...others } = tokens;
  return others;
}
