/**
 * A page as a document: all of it, rendered at once.
 *
 * The pages are plain HTML, work without script (passkeys aside), and load nothing from other sites but the logos of the
 * configuration.
 *
 * @module
 */
import { renderToString } from "preact-render-to-string";
import { brandCss, buttonLogo, type Scheme, schemeOf } from "./brand.ts";
import { ConfirmEmailPage } from "./confirm_email.tsx";
import { hashSource, pageCsp } from "./csp.ts";
import { ErrorPage } from "./error.tsx";
import { Layout } from "./layout.tsx";
import { PASSKEY_SCRIPT } from "./passkey_script.ts";
import { SignInPage } from "./signin.tsx";
import { SignOutPage } from "./signout.tsx";
import { BASE_CSS } from "./styles.ts";
import { titleOf } from "./texts.ts";
import { type Logo, logoAt } from "./urls.ts";
import { VerifyRequestPage } from "./verify_request.tsx";
import type { VNode } from "preact";
import type { Theme } from "../kernel/model.ts";
import type { Page } from "../request/outcome.ts";
import type { ProviderStyle } from "../contract/provider.ts";

/** How a page is to look, and what its policy needs to know. */
export interface Look {
  /** The theme of the configuration. */
  readonly theme: Theme;
  /** Where forms may lead, redirects included, beside the site itself: `https:` or origins. */
  readonly formAction: readonly string[];
  /** Whether the page is served over https. */
  readonly https: boolean;
}

/** A page, ready to be sent. */
export interface RenderedPage {
  /** The document. */
  readonly html: string;
  /** Its Content-Security-Policy. Without it the page looks the same, but is less protected. */
  readonly csp: string;
}

/** Renders a page. Whatever of theme and styles is no plain colour or no acceptable logo is left out. */
export async function renderDocument(page: Page, { theme, formAction, https }: Look): Promise<RenderedPage> {
  const scheme = schemeOf(theme);
  const buttons = page.name === "signin" ? page.methods.map(({ style }) => style) : [];
  const logo = logoAt(theme.logo);
  const styles = [BASE_CSS, brandCss(theme, buttons)].filter((css) => css !== "");
  const scripts = hasPasskeys(page) ? [PASSKEY_SCRIPT] : [];
  const document = (
    <Layout title={titleOf(page)} kind={cardOf(page)} scheme={scheme} logo={logo} styles={styles} scripts={scripts}>
      {content(page, scheme)}
    </Layout>
  );
  return {
    html: `<!DOCTYPE html>${renderToString(document)}`,
    csp: pageCsp({
      scripts: await Promise.all(scripts.map(hashSource)),
      styles: await Promise.all(styles.map(hashSource)),
      images: [logo, ...buttonLogos(buttons, scheme)].flatMap((shown) => shown?.origin ?? []),
      formAction,
      https,
    }),
  };
}

function hasPasskeys(page: Page): boolean {
  return page.name === "signin" && page.methods.some(({ type }) => type === "webauthn");
}

/** More buttons than this do not fit on a screen, one below the other. */
const FEW = 8;

function cardOf(page: Page): string {
  return page.name === "signin" && page.methods.length > FEW ? "signin many" : page.name;
}

function content(page: Page, scheme: Scheme): VNode {
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

function buttonLogos(styles: readonly ProviderStyle[], scheme: Scheme): readonly (Logo | undefined)[] {
  return styles.map((style) => buttonLogo(style, scheme)).flatMap((logo) => [logo?.usual, logo?.dark]);
}
