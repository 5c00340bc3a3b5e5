/**
 * Signing out: here, and then at the provider if it should end its session, too.
 *
 * @module
 */
import type { RedirectUrl } from "../http/redirect_url.ts";
import type { RequestContext } from "../request/context.ts";
import type { Outcome } from "../request/outcome.ts";
import { signOut } from "../session/sign_out.ts";
import { keptProviderSession, openLogoutHint } from "../stores/provider_session.ts";
import type { EndedSession } from "../stores/session_store.ts";
import { logout } from "./lazy.ts";

/**
 * Ends the session of this browser and redirects it, over the provider that the session began with if that one has the
 * option `logout`.
 *
 * @throws {SignOutError} if the session could not be ended in storage; the cookie is removed all the same.
 */
export async function signOutAt(ctx: RequestContext, redirectUrl: RedirectUrl): Promise<Outcome> {
  return await signOut(ctx, redirectUrl, (ended) => goOnAtProvider(ctx, ended, redirectUrl));
}

async function goOnAtProvider(
  ctx: RequestContext,
  ended: EndedSession,
  redirectUrl: RedirectUrl,
): Promise<Outcome | null> {
  const session = keptProviderSession(ended);
  const provider = session && ctx.config.providers.get(session.provider);
  if (!provider || !("logout" in provider) || !provider.logout) return null;
  const idToken = await openLogoutHint(ctx.config.sealer, session);
  return await (await logout()).startLogout(ctx, { provider, idToken, redirectUrl });
}
