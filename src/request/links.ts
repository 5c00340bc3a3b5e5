/**
 * The URLs of the service's actions and pages, and of the pages that `pages` names instead.
 *
 * @module
 */
import type { PageName, PagesOptions } from "../contract/config.ts";
import { BadRequest } from "../kernel/errors.ts";
import { withParams } from "../http/query.ts";
import { asRedirectUrl, type RedirectUrl, sameOriginUrl } from "../http/redirect_url.ts";

/** What a URL of the service is made of. */
export interface LinkBase {
  /** The public URL of the request. */
  readonly url: URL;
  readonly config: { readonly basePath: string; readonly pages: Readonly<PagesOptions> };
}

/** Parameters of a query. Those without a value are left out. */
export type QueryParams = Readonly<Record<string, string | null | undefined>>;

/** Makes the URL of an action, such as `signin` or `callback/github`. */
export function actionUrl({ url, config }: LinkBase, action: string, query?: QueryParams): RedirectUrl {
  const link = sameOriginUrl(url.origin, `${config.basePath as `/${string}` | ""}/${action}`);
  return query ? withQuery(link, query, url.origin) : link;
}

/**
 * Makes the URL of a page: the one in `pages`, whose own parameters stay, or the built-in one.
 *
 * @throws {BadRequest} if the query makes the URL too long.
 */
export function pageUrl(base: LinkBase, page: PageName, query?: QueryParams): RedirectUrl {
  const custom = base.config.pages[page];
  return custom ? withQuery(custom, query ?? {}, base.url.origin) : actionUrl(base, BUILT_IN[page], query);
}

const BUILT_IN: Readonly<Record<PageName, string>> = {
  signIn: "signin",
  signOut: "signout",
  error: "error",
  verifyRequest: "verify-request",
  newUser: "signin",
  signUp: "signup",
  reset: "reset",
  password: "password",
};

/** Makes the URL of the front page of this site. */
export function homeUrl({ url }: Pick<LinkBase, "url">): RedirectUrl {
  return sameOriginUrl(url.origin, "/");
}

function withQuery(page: string, query: QueryParams, origin: string): RedirectUrl {
  const url = new URL(page, origin);
  const params = givenParams(query);
  if (params.length > 0) url.search = withParams(url.searchParams, params).toString();
  const linked = asRedirectUrl(url.href, origin);
  if (linked !== null) return linked;
  // Without the query the page could be linked to, so what the visitor wrote into it is too long.
  if (asRedirectUrl(page, origin)) throw new BadRequest("The query is too long");
  throw new TypeError(`Cannot link to "${page}": it is not an http(s) URL`);
}

function givenParams(query: QueryParams): [name: string, value: string][] {
  return Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === "string");
}

/** Whether a browser asks for a page, and no script of it for JSON. */
export function wantsPage({ headers }: Pick<Request, "headers">): boolean {
  return /\btext\/html\b/i.test(headers.get("accept") ?? "") && !headers.has("x-auth-return-redirect");
}
