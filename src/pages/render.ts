/**
 * The built-in pages: plain HTML that works without a script (passkeys aside) and loads nothing from other sites but the
 * logos of the configuration.
 *
 * @module
 */
import { appearanceOf } from "./appearance.ts";
import { hashSource, pageCsp } from "./csp.ts";
import { pageError } from "./errors.ts";
import { layout } from "./layout.ts";
import { confirmEmailPage, errorPage, signedOutPage, signOutPage, verifyRequestPage } from "./messages.ts";
import { PASSKEY_SCRIPT } from "./passkey_script.ts";
import { hasFields, headingOf, signInPage } from "./signin.ts";
import { fill, type TextChanges, type Wording } from "../texts/texts.ts";
import { type Visitor, wordingFor } from "../request/language.ts";
import type { Scheme } from "./brand.ts";
import type { Markup } from "./markup.ts";
import type { Theme } from "../kernel/model.ts";
import type { Page } from "../request/outcome.ts";

export { formTargets } from "./form_targets.ts";

/** How a page looks, and what its Content-Security-Policy allows. */
export interface Look {
  readonly theme: Theme;
  /** Texts that replace those of the language. */
  readonly texts?: TextChanges | undefined;
  /** Who sees it, for the language and the name of the site. */
  readonly visitor?: Visitor | undefined;
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
  { theme, texts, visitor, formAction, https }: Look,
): Promise<RenderedPage> {
  const words = await wordingFor(visitor, { theme, texts });
  const appearance = await appearanceOf(theme, page.name === "signin" ? page.methods : []);
  const scripts = hasPasskeys(page) ? [PASSKEY_SCRIPT] : [];
  const html = layout({
    ...{ words, appearance, scripts },
    title: titleOf(page, words),
    cardClass: cardClassOf(page, theme),
    content: contentOf(page, appearance.scheme, words),
  });
  const { styleHashes, images } = appearance;
  return {
    html: String(html),
    csp: pageCsp({
      scripts: await Promise.all(scripts.map(hashSource)),
      styles: styleHashes,
      images,
      formAction,
      https,
    }),
  };
}

function hasPasskeys(page: Page): boolean {
  return page.name === "signin" && page.methods.some(({ type }) => type === "webauthn");
}

/** Chooses the title of the document. An error goes first, because that is what a screen reader reads first. */
function titleOf(page: Page, { texts, name }: Wording): string {
  switch (page.name) {
    case "signin": {
      const title = fill(texts[headingOf(page)], { name });
      return page.error === null || page.purpose ? title : fill(texts.errorTitle, { title });
    }
    case "signout":
      return fill(texts.signOutTitle, { name });
    case "signed-out":
      return texts.signedOutTitle;
    case "error":
      return fill(texts.errorTitle, { title: texts[pageError(page.error).heading] });
    case "verify-request":
      return texts.checkEmailTitle;
    case "confirm-email":
      return fill(texts.confirmEmailTitle, { name });
    default:
      return page satisfies never;
  }
}

/** The most buttons one below the other. With more, the page lists names. */
const MOST_STACKED = 6;

function cardClassOf(page: Page, { buttons }: Theme): string {
  if (page.name !== "signin") return page.name;
  const isMany = page.methods.filter((method) => !hasFields(method)).length > MOST_STACKED;
  return ["signin", buttons === "brand" ? "brand" : "neutral", ...(isMany ? ["many"] : [])].join(" ");
}

function contentOf(page: Page, scheme: Scheme, words: Wording): Markup {
  switch (page.name) {
    case "signin":
      return signInPage(page, scheme, words);
    case "signout":
      return signOutPage(page, words);
    case "signed-out":
      return signedOutPage(page, words);
    case "error":
      return errorPage(page, words);
    case "verify-request":
      return verifyRequestPage(page, words);
    case "confirm-email":
      return confirmEmailPage(page, words);
    default:
      return page satisfies never;
  }
}
