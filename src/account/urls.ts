/**
 * URLs of the account page.
 *
 * @module
 */
import type { RedirectUrl } from "../http/redirect_url.ts";
import { actionUrl, type LinkBase, type QueryParams } from "../request/links.ts";

/** Gives the URL of the account page. */
export function accountUrl(base: LinkBase, query?: QueryParams): RedirectUrl {
  return actionUrl(base, "account", query);
}
