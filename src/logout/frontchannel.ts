/**
 * Logout by the provider, in the browser: a page of the provider frames a URL of this service.
 *
 * @module
 * @see {@link https://openid.net/specs/openid-connect-frontchannel-1_0.html | OpenID Connect Front-Channel Logout}
 */
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { authorizationServer } from "../oauth_client/discovery.ts";
import { isSource } from "../pages/csp.ts";
import type { RequestContext } from "../request/context.ts";
import type { Outcome } from "../request/outcome.ts";
import { OAuthProviderError } from "../kernel/errors.ts";
import { type EndedSessions, endSessions, tellEnded } from "../session/end.ts";
import { tellSignOut } from "../session/sign_out.ts";
import { keptProviderSession } from "../session_stores/provider_session.ts";
import { ownerOf } from "../session_stores/session_store.ts";
import { isId } from "./logout_token.ts";
import { endTokensOfLogout } from "./tokens.ts";

const NONE: EndedSessions = { ended: 0, userIds: [], endedOf: [] };

/**
 * Ends the sessions of a `sid`: those in storage, and that of this browser. Without the right `iss` and a `sid` nothing
 * ends: any page can frame the URL, and only the provider knows the `sid`.
 *
 * @throws {AdapterError} if storage fails. The sessions may still be valid then.
 */
export async function endFramedSession(
  ctx: RequestContext,
  { provider, query }: { readonly provider: ResolvedOAuthProvider; readonly query: URLSearchParams },
): Promise<Outcome> {
  const { config } = ctx;
  const [iss, sid] = [query.get("iss"), query.get("sid")];
  const issuer = await issuerOf(ctx, provider);
  const answer: Outcome = { kind: "frame", csp: policyOf(issuer) };
  if (!isIssuer(provider, issuer, iss) || !isId(sid)) {
    config.logger.debug(
      `A front-channel logout of provider "${provider.id}" has no \`sid\`, or not its \`iss\``,
      undefined,
      ctx,
    );
    return answer;
  }
  if (ctx.request.method !== "GET") return answer;
  const own = await endOwn(ctx, provider.id, sid);
  // An adapter of Auth.js cannot find them.
  const canFind = config.storage?.listSessionsByProviderSid;
  const found = canFind ? await endSessions(config, { provider: provider.id, sid }) : NONE;
  const { ended, userIds } = found;
  const users = new Set(own === undefined ? userIds : [...userIds, own]);
  await Promise.all([
    ...[...users].map((userId) => endTokensOfLogout(ctx, { provider, userId })),
    tellEnded(ctx, found, { provider: provider.id, reason: "frontchannel" }),
  ]);
  config.logger.debug(`Front-channel logout by provider "${provider.id}"`, { ended }, ctx);
  return answer;
}

// The provider cannot be asked for its metadata while it is in trouble. Sessions end all the same.
async function issuerOf({ config }: RequestContext, provider: ResolvedOAuthProvider): Promise<string | null> {
  try {
    const { metadata, hasIssuer } = await authorizationServer(config, provider);
    return hasIssuer ? metadata.issuer : null;
  } catch (error) {
    if (!(error instanceof OAuthProviderError)) throw error;
    return provider.issuer ?? null;
  }
}

// The only answer that another site may frame. It is empty and runs nothing.
function policyOf(issuer: string | null): string {
  const origin = originOf(issuer);
  const ancestor = origin !== null && isSource(origin) ? origin : "'none'";
  return `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestor}; sandbox`;
}

// An issuer for many tenants does not say which one this is.
function isIssuer({ expectedIssuer }: ResolvedOAuthProvider, issuer: string | null, iss: string | null): boolean {
  if (issuer === null || iss === null) return false;
  return iss === issuer || (expectedIssuer !== undefined && originOf(iss) === originOf(issuer));
}

function originOf(url: string | null): string | null {
  return url === null ? null : URL.parse(url)?.origin ?? null;
}

// A cookie is sent only if the provider is of the same site, or the configuration says `SameSite=None`.
async function endOwn(ctx: RequestContext, provider: string, sid: string): Promise<string | undefined> {
  const active = await ctx.sessions.find(ctx.cookies);
  const own = active && keptProviderSession(active);
  if (!active || own?.provider !== provider || own.sid !== sid) return undefined;
  const ended = await ctx.sessions.end(ctx.cookies);
  if (ended) await tellSignOut(ctx, ended);
  return ownerOf(active);
}
