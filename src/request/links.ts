/**
 * The URLs of this service and of the pages that replace its own.
 *
 * @module
 */
import type { PagesOptions } from "../contract/config.ts";
import { BadRequest } from "../kernel/errors.ts";
import { withParams } from "../http/query.ts";
import { asRedirectUrl, type RedirectUrl, sameOriginUrl } from "../http/redirect_url.ts";

/** Where the service is, as the visitor sees it. */
export interface Site {
  /** The public URL of the request. */
  readonly url: URL;
  readonly config: { readonly basePath: string; readonly pages: Readonly<PagesOptions> };
}

/** Members of a query; absent ones are left out. */
export type Query = Readonly<Record<string, string | null | undefined>>;

/** The URL of one of our own actions, such as `signin` or `callback/github`. */
export function actionUrl({ url, config }: Site, action: string, query?: Query): RedirectUrl {
  const target = sameOriginUrl(url.origin, `${config.basePath as `/${string}` | ""}/${action}`);
  return query ? withQuery(target, query, url.origin) : target;
}

/** The URL of a page: the configured one, with what its query already says, or the built-in one. */
export function pageUrl(site: Site, page: keyof PagesOptions, query?: Query): RedirectUrl {
  const custom = site.config.pages[page];
  return custom ? withQuery(custom, query ?? {}, site.url.origin) : actionUrl(site, BUILT_IN[page], query);
}

const BUILT_IN: Readonly<Record<keyof PagesOptions, string>> = {
  signIn: "signin",
  signOut: "signout",
  error: "error",
  verifyRequest: "verify-request",
  newUser: "signin",
};

/** The front page of this site. */
export function homeUrl({ url }: Pick<Site, "url">): RedirectUrl {
  return sameOriginUrl(url.origin, "/");
}

function withQuery(address: string, query: Query, origin: string): RedirectUrl {
  const url = new URL(address, origin);
  const said = saidIn(query);
  if (said.length > 0) url.search = withParams(url.searchParams, said).toString();
  const target = asRedirectUrl(url.href, origin);
  if (target !== null) return target;
  // A page that can be reached without the query cannot be reached with all that a visitor wrote into it.
  if (asRedirectUrl(address, origin)) throw new BadRequest("The query is too long");
  throw new TypeError("Cannot link to a page: its address is not an http(s) URL");
}

function saidIn(query: Query): [name: string, value: string][] {
  return Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === "string");
}
