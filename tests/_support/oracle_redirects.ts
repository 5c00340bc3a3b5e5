/**
 * Where a text may lead a browser, by the rules alone: parsed once against the site, http or https, no user in it, of
 * this site, none of the service's own actions, and written anew. Anything else is the front page.
 */
export interface RedirectRules {
  readonly origin: string;
  /** Whether only this site is allowed. @default {true} */
  readonly ownSite?: boolean;
  /** Whether the service's own actions are allowed. @default {false} */
  readonly ownActions?: boolean;
}

const ACTIONS = [
  "callback",
  "csrf",
  "error",
  "providers",
  "session",
  "signin",
  "signout",
  "verify-request",
  "webauthn-options",
];

/** The paths below `/auth` that do something. */
const OWN_ACTION = new RegExp(`^/auth/(?:${ACTIONS.join("|")})(?:/[^/]+)?/?$`);

/** A target travels in cookies: longer ones may be given up for the front page. */
const LONGEST = 1024;

/** The targets a text may have: mostly one. */
export function redirectsOf(text: string, { origin, ownSite = true, ownActions = false }: RedirectRules): string[] {
  const home = `${origin}/`;
  if (!URL.canParse(text, origin)) return [home];
  const { href, protocol, username, password, pathname, origin: at } = new URL(text, origin);
  if (!["http:", "https:"].includes(protocol) || username !== "" || password !== "") return [home];
  if (ownSite && at !== origin) return [home];
  if (!ownActions && at === origin && OWN_ACTION.test(pathname)) return [home];
  return href.length > LONGEST ? [href, home] : [href];
}

/** Whether a header leads to this site, by its text alone: no parser decides what another parser will see. */
export function staysOn(location: string, origin: string): boolean {
  return location.startsWith(`${origin}/`) && isHeaderText(location);
}

/** Whether a header is an absolute http(s) URL without a user, by its text alone. */
export function isPlainUrl(location: string): boolean {
  return /^https?:\/\/[^/@\\?#]+\//.test(location) && isHeaderText(location);
}

function isHeaderText(text: string): boolean {
  // A backslash counts as a slash before the query alone.
  return /^[!-~]+$/.test(text) && !/["<>]/.test(text.split("#")[0] ?? "") && !/^[^?#]*\\/.test(text);
}
