/**
 * Where a visitor goes after a sign-in or a sign-out.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { asRedirectUrl, asSameOriginUrl, type RedirectUrl } from "../http/redirect_url.ts";
import { homeUrl } from "../request/links.ts";
import { parseRoute } from "../kernel/route_path.ts";

type RedirectContext = Pick<RequestContext, "config" | "cookies" | "url">;

/**
 * Chooses the target: what was asked for, else what an earlier page of this flow remembered, else the front page.
 *
 * @param ctx The request.
 * @param asked The `callbackUrl` of the body or the query. Anything unusable counts as the front page.
 */
export async function chooseRedirectUrl(ctx: RedirectContext, asked: unknown): Promise<RedirectUrl> {
  const wanted = asked ?? ctx.cookies.read("callbackUrl");
  if (typeof wanted !== "string") return homeOf(ctx);
  const target = await applyRedirectCallback(ctx, wanted);
  return target.length > MAX_REDIRECT_URL_LENGTH || isOwnAction(ctx, target) ? homeOf(ctx) : target;
}

/** The longest target: it travels in cookies, sealed and encoded, and browsers drop those of more than 4096 bytes. */
export const MAX_REDIRECT_URL_LENGTH = 1024;

/** Asks the `redirect` callback where a URL may lead. Without one, only to this site. */
export async function applyRedirectCallback(
  { url, config }: Pick<RedirectContext, "config" | "url">,
  wanted: string,
): Promise<RedirectUrl> {
  const { origin } = url;
  const home = homeOf({ url });
  const { redirect } = config.callbacks;
  if (!redirect) return asSameOriginUrl(wanted, origin) ?? home;
  try {
    return asRedirectUrl(await redirect({ url: wanted, baseUrl: origin }), origin) ?? home;
  } catch (error) {
    config.logger.error(error instanceof Error ? error : new Error("callbacks.redirect failed", { cause: error }));
    return home;
  }
}

/** Remembers a target for the forms that do not carry it. */
export function rememberRedirectUrl({ cookies, url }: RedirectContext, target: RedirectUrl): void {
  if (target !== (cookies.read("callbackUrl") ?? homeOf({ url }))) cookies.write("callbackUrl", target);
}

function homeOf({ url }: Pick<RedirectContext, "url">): RedirectUrl {
  return homeUrl({ url });
}

// A target among our own actions would sign out, or start over, whoever just signed in.
function isOwnAction({ url, config }: RedirectContext, target: RedirectUrl): boolean {
  const { origin, pathname } = new URL(target);
  return origin === url.origin && parseRoute(pathname, config.basePath) !== null;
}
