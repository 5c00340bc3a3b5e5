/** @jsxImportSource preact */
/**
 * The document around every page: its head, its title, and the card with the content.
 *
 * @module
 */
import type { VNode } from "preact";
import { AccountContent, accountHeadingOf, accountNamed } from "./account.tsx";
import type { Brand } from "./brand.ts";
import { pageError } from "./errors.ts";
import { factorNamed, FactorsContent, factorsHeadingOf } from "./factors.tsx";
import { ConfirmEmailPage, ErrorPage, SignedOutPage, SignOutPage, VerifyRequestPage } from "./messages.tsx";
import { hasFields } from "./method_list.ts";
import { ThemeLink } from "./parts.tsx";
import { SignalsPart } from "./passkey_signals.tsx";
import { PasswordContent, passwordHeadingOf } from "./passwords.tsx";
import { SecondProofPage } from "./second_proof.tsx";
import { headingOf, SignInPage } from "./signin.tsx";
import type { Page, PageSection } from "../request/outcome.ts";
import { fill, type Wording } from "../texts/texts.ts";

/** What a document is made of. */
export interface DocumentParts {
  readonly page: Page;
  /** What features add below it. */
  readonly sections: readonly PageSection[];
  readonly words: Wording;
  readonly brand: Brand;
  /** How the buttons of providers look. */
  readonly buttons: "brand" | "neutral";
  /** The style sheets. They contain no `"`, `&` or `<`: these are escaped, and browsers do not unescape style blocks. */
  readonly styles: readonly string[];
  /** A style sheet for browsers that run no script. */
  readonly unscripted: string | undefined;
  /** The scripts, the same for every page. They are written as they are, so nothing of a page or a configuration is in them. */
  readonly scripts: readonly string[];
  /** URL of the script of another service, whose challenge the page shows. */
  readonly source: string | undefined;
}

/** The whole document. */
export function Document(parts: DocumentParts): VNode {
  const { page, sections, words, brand, buttons, styles, unscripted, scripts, source } = parts;
  const { scheme, logo } = brand;
  return (
    <html lang={words.tag} dir={words.dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={scheme === "auto" ? "light dark" : scheme} />
        <meta name="robots" content="noindex" />
        <title>{titleOf(page, words)}</title>
        {styles.map((css) => <style>{css}</style>)}
        {unscripted && (
          <noscript>
            <style>{unscripted}</style>
          </noscript>
        )}
      </head>
      <body class={`__next-auth-theme-${scheme}`}>
        <div class="page">
          <main class={`card ${cardClassOf(page, buttons)}`}>
            {logo && <img class="logo" src={logo.src} alt="" />}
            <Content page={page} words={words} brand={brand} />
            {sections.map(({ text, url }) => <ThemeLink url={url} text={words.texts[text]} />)}
          </main>
        </div>
        <SignalsPart page={page} />
        {scripts.map((script) => <script type="module" dangerouslySetInnerHTML={{ __html: script }} />)}
        {source && <script src={source} async defer></script>}
      </body>
    </html>
  );
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
    case "challenge":
      return page.problem === null ? texts.confirmTitle : fill(texts.errorTitle, { title: texts.confirmTitle });
    case "factors": {
      const title = fill(texts[factorsHeadingOf(page)], { factor: factorNamed(page, texts) });
      return page.problem === null ? title : fill(texts.errorTitle, { title });
    }
    case "account": {
      const title = fill(texts[accountHeadingOf(page)], { factor: accountNamed(page, texts) });
      return page.problem === null ? title : fill(texts.errorTitle, { title });
    }
    case "signup":
    case "reset":
    case "new-password": {
      const title = fill(texts[passwordHeadingOf(page)], { name });
      return page.problem === null ? title : fill(texts.errorTitle, { title });
    }
    default:
      return page satisfies never;
  }
}

/** The most buttons one below the other. With more, the page lists names. */
const MOST_STACKED = 6;

function cardClassOf(page: Page, buttons: DocumentParts["buttons"]): string {
  // On the sign-in page, a challenge is another thing.
  if (page.name === "challenge") return "second-proof";
  if (page.name === "account" && (page.step.kind !== "overview" || page.view === null)) return "account-step";
  if (page.name !== "signin") return page.name;
  const isMany = page.methods.filter((method) => !hasFields(method)).length > MOST_STACKED;
  return isMany ? `signin ${buttons} many` : `signin ${buttons}`;
}

function Content({ page, words, brand }: Pick<DocumentParts, "page" | "words" | "brand">): VNode {
  switch (page.name) {
    case "signin":
      return <SignInPage page={page} badges={brand.badges} links={brand.links} words={words} />;
    case "signout":
      return <SignOutPage page={page} words={words} />;
    case "signed-out":
      return <SignedOutPage page={page} words={words} />;
    case "error":
      return <ErrorPage page={page} words={words} help={brand.links.help} />;
    case "verify-request":
      return <VerifyRequestPage page={page} words={words} help={brand.links.help} />;
    case "confirm-email":
      return <ConfirmEmailPage page={page} words={words} />;
    case "challenge":
      return <SecondProofPage page={page} words={words} />;
    case "factors":
      return <FactorsContent page={page} words={words} />;
    case "account":
      return <AccountContent page={page} words={words} badges={brand.badges} />;
    case "signup":
    case "reset":
    case "new-password":
      return <PasswordContent page={page} words={words} />;
    default:
      return page satisfies never;
  }
}
