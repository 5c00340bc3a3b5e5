/**
 * Where the browser goes after a sign-in or a sign-out.
 *
 * @module
 */
import { passwordProviderOf } from "../config/password_provider.ts";
import type { RequestContext } from "./context.ts";
import { asAppUrl, asSameOriginUrl, type RedirectUrl } from "../http/redirect_url.ts";
import { CallbackRouteError } from "../kernel/errors.ts";
import { once } from "../kernel/load.ts";
import { kindOf } from "../kernel/objects.ts";
import { homeUrl } from "./links.ts";
import { parseRoute } from "../kernel/route_path.ts";

const lost = once(() => import("./lost_redirect.ts"));

type RedirectContext = Pick<RequestContext, "config" | "cookies" | "request" | "url" | "warn">;

/**
 * Chooses where the browser goes: the requested URL, else the one that an earlier page of this sign-in remembered, else
 * the home page.
 *
 * @param ctx The request.
 * @param requested The `callbackUrl` of the body or the query. An unusable one counts as the home page.
 */
export async function chooseRedirectUrl(ctx: RedirectContext, requested: unknown): Promise<RedirectUrl> {
  const wanted = requested ?? ctx.cookies.read("callbackUrl");
  if (typeof wanted !== "string") return homeUrl(ctx);
  const redirectUrl = await applyRedirectCallback(ctx, wanted);
  return redirectUrl.length > MAX_REDIRECT_URL_LENGTH || isOwnAction(ctx, redirectUrl) ? homeUrl(ctx) : redirectUrl;
}

/** The longest redirect URL: it travels in sealed cookies, and browsers drop cookies of more than 4096 bytes. */
export const MAX_REDIRECT_URL_LENGTH = 1024;

const REDIRECT = "`callbacks.redirect`";
const NO_URL = ", so the browser goes to the home page: it must return a URL, such as `baseUrl`";

/** Asks `callbacks.redirect` where a URL may lead. Without the callback, only to this origin. */
export async function applyRedirectCallback(
  ctx: Pick<RedirectContext, "config" | "request" | "url" | "warn">,
  wanted: string,
): Promise<RedirectUrl> {
  const { url, config, warn } = ctx;
  const { origin } = url;
  const home = homeUrl({ url });
  const { redirect } = config.callbacks;
  if (!redirect) {
    const own = asSameOriginUrl(wanted, origin);
    if (!own) (await lost()).warnOfDropped(ctx, wanted);
    return own ?? home;
  }
  try {
    const chosen: unknown = await redirect({ url: wanted, baseUrl: origin });
    if (typeof chosen !== "string") warn?.(["callback-result", `${REDIRECT} returned ${kindOf(chosen)}${NO_URL}`]);
    const usable = asAppUrl(chosen, origin, config.redirectSchemes);
    if (!usable && typeof chosen === "string") (await lost()).warnOfUnusable(ctx, chosen);
    return usable ?? home;
  } catch (error) {
    const what = { cause: error, logCode: "callback-threw" } as const;
    config.logger.error(new CallbackRouteError("Cannot redirect: `callbacks.redirect` failed", what), ctx);
    return home;
  }
}

/** Gives the redirect URL that a sealed cookie has kept, or the home page if the browser may no longer go there. */
export function keptRedirectUrl(ctx: Pick<RedirectContext, "config" | "url">, kept: string): RedirectUrl {
  return asAppUrl(kept, ctx.url.origin, ctx.config.redirectSchemes) ?? homeUrl(ctx);
}

/** Remembers a redirect URL in a cookie, for the forms that do not carry it. */
export function rememberRedirectUrl(
  { cookies, url }: Pick<RedirectContext, "cookies" | "url">,
  redirectUrl: RedirectUrl,
): void {
  if (redirectUrl !== (cookies.read("callbackUrl") ?? homeUrl({ url }))) cookies.write("callbackUrl", redirectUrl);
}

// An own action would sign the user out again, or start another sign-in. The pages of the account, of second factors and of
// the password do neither, and who opens one may have to sign in first.
function isOwnAction({ url, config }: RedirectContext, redirectUrl: RedirectUrl): boolean {
  const { origin, pathname } = new URL(redirectUrl);
  const route = origin === url.origin ? parseRoute(pathname, config.basePath) : null;
  if (route?.action === "password") return passwordProviderOf(config) === null;
  const isOfFeature = route?.action === "factors" || route?.action === "account";
  return route !== null && !(isOfFeature && config.actsAt.has("routes"));
}
