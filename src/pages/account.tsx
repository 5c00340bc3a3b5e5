/** @jsxImportSource preact */
/**
 * The account page.
 *
 * @module
 */
import type { VNode } from "preact";
import type { AccountPage } from "../request/account_views.ts";
import type { Texts, Wording } from "../texts/texts.ts";

/** Chooses the heading of the page. */
export function accountHeadingOf(_page: Pick<AccountPage, "step">): keyof Texts {
  return "accountTitle";
}

/** The content of the page. */
export function AccountContent(
  { page, words: { texts } }: { readonly page: AccountPage; readonly words: Wording },
): VNode {
  return <h1>{texts[accountHeadingOf(page)]}</h1>;
}
