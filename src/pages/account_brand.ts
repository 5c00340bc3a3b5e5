/**
 * How providers look on the account page.
 *
 * @module
 */
import { type Badge, type Brand, brandOf } from "./brand.ts";
import type { AccountPage } from "../request/account_views.ts";
import type { Theme } from "../kernel/model.ts";

/** Makes the brand of the page. No provider fills a button here, so all have the colours of neutral ones. */
export function accountBrand({ styles = {} }: Pick<AccountPage, "styles">, theme: Theme): Brand {
  const buttons = Object.values(styles).map((style) => ({ style: { ...style, fixed: false }, isFilled: false }));
  return brandOf({ ...theme, buttons: "neutral" }, buttons);
}

/** What stands before the name of a provider, and the class with its colours. */
export interface Look {
  readonly badge: Badge;
  readonly className: string;
}

/** Finds it. `null`: its initial does. */
export function lookOf({ styles = {} }: Pick<AccountPage, "styles">, badges: Brand["badges"], id: string): Look | null {
  const index = Object.keys(styles).indexOf(id);
  const badge = badges[index];
  return badge ? { badge, className: `provider-${index}` } : null;
}
