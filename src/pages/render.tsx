/**
 * The built-in pages: plain HTML that works without a script (passkeys aside) and loads nothing from other sites but the
 * logos of the configuration.
 *
 * @module
 */
import { renderToString } from "preact-render-to-string";
import { badgeOf, brandCss, type Scheme, schemeOf } from "./brand.ts";
import { hashSource, pageCsp } from "./csp.ts";
import { Layout } from "./layout.tsx";
import { ConfirmEmailPage, ErrorPage, SignOutPage, VerifyRequestPage } from "./messages.tsx";
import { PASSKEY_SCRIPT } from "./passkey_script.ts";
import { hasFields, SignInPage } from "./signin.tsx";
import { BASE_CSS } from "./styles.ts";
import { titleOf } from "./texts.ts";
import { type Logo, logoAt } from "./urls.ts";
import type { VNode } from "preact";
import type { Theme } from "../kernel/model.ts";
import type { Page } from "../request/outcome.ts";
import type { ProviderStyle } from "../contract/provider.ts";

export { formTargets } from "./form_targets.ts";

/** How a page looks, and what its Content-Security-Policy allows. */
export interface Look {
  readonly theme: Theme;
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

/** Renders a page. Colours and logos that fail the checks of brand.ts and urls.ts are left out. */
export async function renderPage(page: Page, { theme, formAction, https }: Look): Promise<RenderedPage> {
  const scheme = schemeOf(theme);
  const buttons = page.name === "signin" ? page.methods.map(({ style }) => style) : [];
  const logo = logoAt(theme.logo);
  const styles = [BASE_CSS, brandCss(theme, buttons)].filter((css) => css !== "");
  const scripts = hasPasskeys(page) ? [PASSKEY_SCRIPT] : [];
  const document = (
    <Layout
      title={titleOf(page)}
      cardClass={cardClassOf(page)}
      scheme={scheme}
      logo={logo}
      styles={styles}
      scripts={scripts}
    >
      {contentOf(page, scheme)}
    </Layout>
  );
  return {
    html: `<!DOCTYPE html>${renderToString(document)}`,
    csp: pageCsp({
      scripts: await Promise.all(scripts.map(hashSource)),
      styles: await Promise.all(styles.map(hashSource)),
      images: [logo, ...buttonLogosOf(buttons, scheme)].flatMap((shown) => shown?.origin ?? []),
      formAction,
      https,
    }),
  };
}

function hasPasskeys(page: Page): boolean {
  return page.name === "signin" && page.methods.some(({ type }) => type === "webauthn");
}

/** The most buttons in full colours, one below the other. With more, the page lists names. */
const MOST_STACKED = 6;

function cardClassOf(page: Page): string {
  const isMany = page.name === "signin" && page.methods.filter((method) => !hasFields(method)).length > MOST_STACKED;
  return isMany ? "signin many" : page.name;
}

function contentOf(page: Page, scheme: Scheme): VNode {
  switch (page.name) {
    case "signin":
      return <SignInPage page={page} scheme={scheme} />;
    case "signout":
      return <SignOutPage page={page} />;
    case "error":
      return <ErrorPage page={page} />;
    case "verify-request":
      return <VerifyRequestPage page={page} />;
    case "confirm-email":
      return <ConfirmEmailPage page={page} />;
    default:
      return page satisfies never;
  }
}

function buttonLogosOf(styles: readonly ProviderStyle[], scheme: Scheme): readonly (Logo | undefined)[] {
  const badges = styles.map((style) => badgeOf(style, scheme));
  return badges.flatMap((badge) => badge && "logo" in badge ? [badge.logo.usual, badge.logo.dark] : []);
}
