/**
 * The link to the account page, on pages that somebody sees who is signed in.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import type { Page, PageSection } from "../request/outcome.ts";
import { openSession } from "../sign_in/current.ts";
import { accountUrl } from "./urls.ts";

/** Gives the link. Not where somebody has to sign in again: they are on their way. */
export async function linkTo(ctx: RequestContext, page: Page): Promise<readonly PageSection[]> {
  const isSeen = page.name === "signout" || (page.name === "signin" && page.purpose === undefined);
  return isSeen && await openSession(ctx) ? [{ text: "accountTitle", url: accountUrl(ctx) }] : [];
}
