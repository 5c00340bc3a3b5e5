/**
 * Signing out: here, and then at the provider if it should end its session, too.
 *
 * @module
 */
import type { ResolvedOAuthProvider, ResolvedProvider } from "../config/resolved_provider.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { SignOutError } from "../kernel/errors.ts";
import type { RequestContext } from "../request/context.ts";
import type { Outcome } from "../request/outcome.ts";
import { signOut } from "../session/sign_out.ts";
import { rowKeyOf } from "../session_stores/auth_session.ts";
import { keptProviderSession, openLogoutHint } from "../session_stores/provider_session.ts";
import type { ActiveSession, EndedSession } from "../session_stores/session_store.ts";
import { logout } from "./late_modules.ts";

/**
 * Ends the session of this browser and redirects it, over the provider that the session began with if that one has the
 * option `logout`. With its option `revokeTokens`, it is asked to revoke the tokens of the user.
 *
 * @throws {SignOutError} if the session could not be ended in storage; the cookie is removed all the same.
 */
export async function signOutAt(ctx: RequestContext, redirectUrl: RedirectUrl): Promise<Outcome> {
  if (![...ctx.config.providers.values()].some(isTold)) return await signOut(ctx, redirectUrl);
  // Before it ends: afterwards a sealed session has no row any more.
  const before = await findProviderSession(ctx);
  return await signOut(ctx, redirectUrl, (ended) => goOnAtProvider(ctx, before ?? ended, redirectUrl));
}

/** Whether the provider is told of a sign-out: by the browser, or by the service itself. */
function isTold(provider: ResolvedProvider): provider is ResolvedOAuthProvider {
  return "logout" in provider && (provider.logout !== false || provider.revokeTokens !== false);
}

// Only a sealed session needs it: the row of a stored one is there when it has ended.
async function findProviderSession(ctx: RequestContext): Promise<ActiveSession | null> {
  const { config: { storage, session: { strategy }, logger }, cookies, sessions } = ctx;
  if (!storage || strategy !== "jwt") return null;
  try {
    const active = await sessions.find(cookies, { kept: true });
    const key = active && rowKeyOf(active);
    const found = key ? await storage.getSessionAndUser(key) : null;
    return found && { strategy: "database", ...found, signedIn: null, isSinceProof: false };
  } catch (error) {
    logger.error(new SignOutError("Cannot read where the session began", { cause: error }), ctx);
    return null;
  }
}

async function goOnAtProvider(
  ctx: RequestContext,
  session: ActiveSession | EndedSession,
  redirectUrl: RedirectUrl,
): Promise<Outcome | null> {
  const kept = keptProviderSession(session);
  const { providers, storage, logger } = ctx.config;
  if (!kept && "session" in session && !storage?.commit) {
    logger.warn(
      "logout-provider-unknown",
      "signed out here only: `adapter` has no `commit`, so it does not keep which provider a session began with",
      ctx,
    );
  }
  const provider = kept && providers.get(kept.provider);
  if (!provider || !isTold(provider)) return null;
  const { endTokens, startLogout } = await logout();
  const userId = userIn(session);
  const [outcome] = await Promise.all([
    provider.logout === false
      ? null
      : openLogoutHint(ctx.config.sealer, kept).then((idToken) => startLogout(ctx, { provider, idToken, redirectUrl })),
    provider.revokeTokens !== false && userId !== undefined ? endTokens(ctx, { provider, userId }) : undefined,
  ]);
  return outcome;
}

function userIn(session: ActiveSession | EndedSession): string | undefined {
  if ("session" in session) return session.session?.userId;
  return ("token" in session ? session.token : session.claims).sub;
}
