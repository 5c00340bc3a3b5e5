/**
 * The built-in pages: plain HTML that works without a script (passkeys aside) and loads nothing from other sites but what
 * the configuration names (logos, and challenges of other services) and, on the account page, one's own picture.
 *
 * @module
 */
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { accountBrand } from "./account_brand.ts";
import { ACCOUNT_CSS } from "./account_styles.ts";
import { type Brand, brandOf } from "./brand.ts";
import { needsOf } from "./challenge.tsx";
import { hashSource, pageCsp } from "./csp.ts";
import { Document, type DocumentParts } from "./document.tsx";
import { hasSecret } from "./fields.tsx";
import { hasFields } from "./method_list.ts";
import { PASSKEY_SCRIPT } from "./passkey_script.ts";
import { signalsOf } from "./passkey_signals.tsx";
import { PASSWORD_SCRIPT } from "./password_script.ts";
import { SIGNALS_SCRIPT } from "./signals_script.ts";
import { BASE_CSS } from "./styles.ts";
import { type Logo, logoAt } from "./urls.ts";
import type { TextChanges } from "../texts/texts.ts";
import { type Visitor, wordingFor } from "../request/language.ts";
import type { Theme } from "../kernel/model.ts";
import type { ChallengeView } from "../kernel/challenge_view.ts";
import type { Page, PageSection } from "../request/outcome.ts";

export { formTargets } from "./form_targets.ts";

/** How a page looks, and what its Content-Security-Policy allows. */
export interface Look {
  readonly theme: Theme;
  /** Texts that replace those of the language. */
  readonly texts?: TextChanges | undefined;
  /** Who sees it, for the language and the name of the site. */
  readonly visitor?: Visitor | undefined;
  /** What features add below it. @default {[]} */
  readonly sections?: readonly PageSection[] | undefined;
  /** Where forms may lead besides the site itself, redirects included: `https:`, origins, or schemes of applications. */
  readonly formAction: readonly string[];
  readonly https: boolean;
}

/** A page, ready to send. */
export interface RenderedPage {
  readonly html: string;
  /** The value of its `Content-Security-Policy` header. */
  readonly csp: string;
}

/** Renders a page. */
export async function renderPage(
  page: Page,
  { theme, texts, visitor, sections = [], formAction, https }: Look,
): Promise<RenderedPage> {
  const words = await wordingFor(visitor, { theme, texts });
  const brand = brandFor(page, theme);
  const styles = [BASE_CSS, ...page.name === "account" ? [ACCOUNT_CSS] : [], ...brand.css ? [brand.css] : []];
  const { script, unscripted, source, origins } = needsOf(shownChallenge(page));
  const scripts = [
    ...usesPasskeys(page) ? [PASSKEY_SCRIPT] : [],
    ...signalsOf(page) ? [SIGNALS_SCRIPT] : [],
    ...asksForPassword(page) ? [PASSWORD_SCRIPT] : [],
    ...script ? [script] : [],
  ];
  const buttons = theme.buttons === "brand" ? "brand" : "neutral";
  const parts: DocumentParts = { page, sections, words, brand, buttons, styles, unscripted, scripts, source };
  const html = renderToString(h(Document, parts));
  return {
    html: `<!DOCTYPE html>${html}`,
    csp: pageCsp({
      scripts: await Promise.all(scripts.map(hashSource)),
      connects: usesPasskeys(page) || signalsOf(page) !== null || script !== undefined,
      styles: await Promise.all([...styles, ...unscripted ? [unscripted] : []].map(hashSource)),
      widget: source ? origins : null,
      images: [...logosOf(brand), pictureOn(page)].flatMap((logo) => logo?.origin ?? []),
      formAction,
      https,
    }),
  };
}

function usesPasskeys(page: Page): boolean {
  return page.name === "signin"
    ? page.methods.some(({ type }) => type === "webauthn")
    : page.name === "challenge" && page.method === "passkey";
}

function asksForPassword(page: Page): boolean {
  if (page.name === "signup" || page.name === "new-password") return true;
  return page.name === "signin" && page.methods.some((method) => "fields" in method && hasSecret(method.fields));
}

/** The challenge of a page, if one of its forms is the one that it is for. */
function shownChallenge(page: Page): ChallengeView | undefined {
  if (page.name === "signup" || page.name === "reset" || page.name === "new-password") return page.challenge;
  if (page.name !== "signin" || !page.challenge) return undefined;
  const { provider, view } = page.challenge;
  return page.methods.some(({ id }) => id === provider) ? view : undefined;
}

function brandFor(page: Page, theme: Theme): Brand {
  if (page.name === "account") return accountBrand(page, theme);
  const methods = page.name === "signin" ? page.methods : [];
  return brandOf(theme, methods.map((method) => ({ style: method.style, isFilled: hasFields(method) })));
}

/** The picture of whoever sees the page. */
function pictureOn(page: Page): Logo | undefined {
  return page.name === "account" ? logoAt(page.view?.user.image ?? undefined) : undefined;
}

function logosOf({ logo, badges }: Brand): readonly (Logo | undefined)[] {
  return [logo, ...badges.flatMap((badge) => badge && "logo" in badge ? [badge.logo.usual, badge.logo.dark] : [])];
}
