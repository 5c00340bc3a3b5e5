/**
 * Logout at the provider after a sign-out here: the browser is sent there, and comes back.
 *
 * @module
 * @see {@link https://openid.net/specs/openid-connect-rpinitiated-1_0.html | OpenID Connect RP-Initiated Logout}
 */
import { sameText } from "../crypto/digest.ts";
import { randomText } from "../crypto/random.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { OAuthProviderError } from "../kernel/errors.ts";
import { FLOW_LIFETIME } from "../http/cookie_specs.ts";
import type { CookieJar } from "../http/cookies.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { homeUrl } from "../request/links.ts";
import type { RequestContext } from "../request/context.ts";
import { type Outcome, redirectTo } from "../request/outcome.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { keptRedirectUrl } from "../request/redirect.ts";
import { endSessionUrl } from "./end_session_url.ts";

/** What {@linkcode startLogout} needs. */
export interface LogoutInput {
  readonly provider: ResolvedOAuthProvider;
  /** The id_token of the session that has ended, if it was kept. */
  readonly idToken: string | null;
  /** Where the browser goes in the end. */
  readonly redirectUrl: RedirectUrl;
}

/** A logout that is under way at a provider. */
interface Logout {
  readonly provider: string;
  readonly state: string;
  /** Whether the provider was given the state. Some have no parameter for it. */
  readonly sent: boolean;
  readonly target: string;
}

/** The slot of the cookie. Those of sign-ins are ten characters long. */
const SLOT = "logout";

/** The share of `timeouts.total` that may be spent on the provider. */
const SHARE = 1 / 2;

/**
 * Sends the browser to the provider, where its session ends too. The session here has ended before: a failure now
 * goes to the log, and the browser goes where it should go in the end.
 */
export async function startLogout(ctx: RequestContext, input: LogoutInput): Promise<Outcome> {
  const { runtime, timeouts, logger } = ctx.config;
  const { id } = input.provider;
  try {
    const what = `the logout at provider "${id}"`;
    return redirectTo(await withDeadline(runtime, timeouts.total * SHARE, what, () => beginLogout(ctx, input)));
  } catch (error) {
    const why = error instanceof OAuthProviderError ? error.message : "it failed";
    logger.error(
      new OAuthProviderError(`Signed out here, and not at provider "${id}": ${why}`, { cause: { err: error } }),
      ctx,
    );
    return redirectTo(input.redirectUrl);
  }
}

async function beginLogout(ctx: RequestContext, { provider, idToken, redirectUrl }: LogoutInput): Promise<RedirectUrl> {
  const { cookies, config: { runtime, sealer } } = ctx;
  const state = randomText(runtime);
  const url = await endSessionUrl(ctx, provider, { state, idToken });
  const sent = new URL(url).searchParams.get("state") === state;
  const logout: Logout = { provider: provider.id, state, sent, target: redirectUrl };
  const sealed = await sealer.seal({ ...logout }, { salt: saltOf(cookies), maxAge: FLOW_LIFETIME });
  // One for each browser: it has one session.
  cookies.write("state", sealed, { slot: SLOT, maxAge: FLOW_LIFETIME });
  return url;
}

/**
 * Answers the browser that comes back from the provider: it goes where the sign-out should lead, or to the home page if
 * this browser did not start the logout.
 */
export async function finishLogout(
  ctx: RequestContext,
  { provider, query }: { readonly provider: ResolvedOAuthProvider; readonly query: URLSearchParams },
): Promise<Outcome> {
  const { cookies, config } = ctx;
  const logout = await openLogout(ctx);
  const state = query.get("state");
  const isIts = logout !== null && logout.provider === provider.id &&
    (state === null ? !logout.sent : sameText(logout.state, state));
  if (!isIts) {
    config.logger.debug(`A return from a logout at "${provider.id}" belongs to none of this browser`, undefined, ctx);
    return redirectTo(homeUrl(ctx));
  }
  cookies.clear("state", SLOT);
  return redirectTo(keptRedirectUrl(ctx, logout.target));
}

async function openLogout({ cookies, config }: RequestContext): Promise<Logout | null> {
  const sealed = cookies.read("state", SLOT);
  const claims = sealed ? await config.sealer.open(sealed, saltOf(cookies)) : null;
  const { provider, state, sent, target } = claims ?? {};
  const isWhole = typeof provider === "string" && typeof state === "string" && typeof target === "string";
  return isWhole ? { provider, state, sent: sent !== false, target } : null;
}

// Other than that of sign-ins: neither cookie passes for the other.
function saltOf(cookies: CookieJar): string {
  return `${cookies.nameOf("state")}.${SLOT}`;
}
