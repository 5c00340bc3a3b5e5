/**
 * The claims about a person: of the id_token, of the userinfo endpoint, or of both.
 *
 * @module
 * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#ScopeClaims | OpenID Connect Core, section 5.4}
 */
import type { RequestContext } from "../request/context.ts";
import { OAuthProviderError } from "../kernel/errors.ts";
import type { TokenSet } from "../kernel/model.ts";
import { configuredParam } from "../oauth_client/request_params.ts";
import type { JsonObject } from "../oauth_client/json.ts";
import { readUserinfo, type UserinfoSource } from "./userinfo.ts";

/** The claim of each scope that decides whether the id_token is enough. */
const CLAIM_OF: Readonly<Record<string, string>> = {
  profile: "name",
  email: "email",
  phone: "phone_number",
  address: "address",
};

/** Claims that say something about another claim. Both come from the same place. */
const ABOUT: Readonly<Record<string, string>> = { email_verified: "email", phone_number_verified: "phone_number" };

/** What {@linkcode readClaims} needs. */
export interface ClaimsSource extends UserinfoSource {
  /** The scopes that the caller chose in place of the configured ones. */
  readonly scopes: string | undefined;
}

/** Returns those of a list of scopes that say which claims a person should have. */
export function knownScopes(scope: string): string {
  return scope.split(" ").filter((name) => Object.hasOwn(CLAIM_OF, name)).join(" ");
}

/**
 * Reads the claims. Many servers put those of `profile` and `email` into the id_token only if there is no access token to
 * get them with, so the userinfo endpoint is asked for what is absent.
 *
 * @returns `null` if they should be those of an id_token, and there is none that was verified.
 * @throws {OAuthProviderError} if the answer of the userinfo endpoint is not valid, or is about somebody else.
 */
export async function readClaims(
  ctx: RequestContext,
  source: ClaimsSource,
  tokens: TokenSet,
): Promise<Readonly<JsonObject> | null> {
  const { provider, server, grant: { claims }, scopes = configuredParam(provider, "scope") ?? "" } = source;
  if (provider.profileFrom === "userinfo") return await readUserinfo(ctx, source, tokens);
  if (provider.profileFrom === "id_token" || !claims) return claims;
  const canAsk = provider.userinfo.handler !== undefined ||
    (server.metadata.userinfo_endpoint !== undefined && fitsHeader(tokens.access_token));
  const isComplete = scopes.split(" ").every((scope) => {
    return !Object.hasOwn(CLAIM_OF, scope) || isPresent(claims[CLAIM_OF[scope] ?? ""]);
  });
  if (isComplete || !canAsk) return claims;
  const userinfo = await askUserinfo(ctx, source, tokens);
  return userinfo ? mergeClaims(claims, userinfo) : claims;
}

function fitsHeader(token: unknown): boolean {
  return typeof token === "string" && /^[\x21-\x7e]+$/.test(token);
}

function isPresent(claim: unknown): boolean {
  return claim !== undefined && claim !== null && claim !== "";
}

// An access token for another API is refused there for good. The id_token alone is enough to sign in.
async function askUserinfo(ctx: RequestContext, source: ClaimsSource, tokens: TokenSet): Promise<JsonObject | null> {
  try {
    return await readUserinfo(ctx, source, tokens);
  } catch (error) {
    const status = error instanceof OAuthProviderError ? error.cause?.status : undefined;
    if (typeof status !== "number" || !REFUSALS.has(status)) throw error;
    ctx.config.logger.warn(
      "userinfo-refused",
      `The id_token of provider "${source.provider.id}" lacks claims of the requested scopes, and its userinfo endpoint ` +
        `answered with ${status}; set \`idToken\` to true if it should not be asked`,
      ctx,
    );
    return null;
  }
}

/** Statuses that the next request gets, too. After any other, the person can try again. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 406, 410]);

function mergeClaims(claims: Readonly<JsonObject>, userinfo: JsonObject): JsonObject {
  const own = Object.fromEntries(Object.entries(claims).filter(([, claim]) => isPresent(claim)));
  const merged: JsonObject = { ...userinfo, ...own };
  // An address that one of them has is not verified because the other one has verified some address.
  for (const [about, claim] of Object.entries(ABOUT)) {
    const from = claim in own ? own : userinfo;
    delete merged[about];
    if (from[about] !== undefined) merged[about] = from[about];
  }
  return merged;
}
