/**
 * The document around every page, and the parts that several pages share.
 *
 * @module
 */
import { asMarkup, attributes, type Content, type Markup, markup } from "./markup.ts";
import { webUrl } from "./urls.ts";
import { filled } from "./words.ts";
import type { Wording } from "../texts/texts.ts";
import type { Appearance } from "./appearance.ts";

interface LayoutParts {
  readonly words: Wording;
  readonly title: string;
  /** The classes of the card: the name of the page, and others. */
  readonly cardClass: string;
  readonly appearance: Appearance;
  /** The scripts, each the same for every page. */
  readonly scripts: readonly string[];
  readonly content: Content;
}

/** Writes the document around the content of a page. */
export function layout({ words, title, cardClass, appearance, scripts, content }: LayoutParts): Markup {
  const { scheme, logo, styles } = appearance;
  return markup`
    <!DOCTYPE html>
    <html lang="${words.tag}" dir="${words.dir}">
      <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="color-scheme" content="${scheme === "auto" ? "light dark" : scheme}"/>
        <meta name="robots" content="noindex"/>
        <title>${title}</title>
        ${styles}
      </head>
      <body class="__next-auth-theme-${scheme}">
        <div class="page">
          <main class="card ${cardClass}">
            ${logo && markup`<img class="logo" src="${logo.src}" alt/>`}
            ${content}
          </main>
        </div>
        ${scripts.map(script)}
      </body>
    </html>
  `;
}

// Browsers do not unescape scripts. Nothing of a page or a configuration is ever in one.
function script(text: string): Markup {
  // Compilers rewrite a tagged template that holds the end of a script, and load code of their own for it.
  return asMarkup(`<script type="module">${text}</script>`);
}

/** What every form sends along. */
export interface FormState {
  /** Proves that the form is ours. `null` where CSRF tokens are switched off. */
  readonly csrfToken: string | null;
  /** Where the browser goes afterwards. */
  readonly callbackUrl: string;
}

/** The names of these fields. A form must not send one of them twice. */
export const FORM_STATE: ReadonlySet<string> = new Set<keyof FormState>(["csrfToken", "callbackUrl"]);

/** Writes the hidden fields of every form of a page. */
export function stateFields({ csrfToken, callbackUrl }: FormState): Content {
  return [csrfToken !== null && hidden("csrfToken", csrfToken), hidden("callbackUrl", callbackUrl)];
}

function hidden(name: keyof FormState, value: string): Markup {
  return markup`<input type="hidden" name="${name}"${attributes({ value })}/>`;
}

/** A form that posts its {@linkcode FormState} along with its fields. */
export interface Form {
  readonly kind: "fields" | "plain";
  readonly action: string;
  /** What {@linkcode stateFields} returns. */
  readonly state: Content;
  readonly id?: string;
  /** Whether the browser sends it without checking the fields. */
  readonly novalidate?: boolean;
}

/** Writes a form around its content. */
export function postForm({ kind, action, state, id, novalidate }: Form, content: Content): Markup {
  return markup`
    <form${attributes({ id, novalidate })} class="${kind}" method="post" action="${webUrl(action)}">
      ${state}
      ${content}
    </form>
  `;
}

/** Writes a link back to the site. */
export function siteLink(url: string, { texts, name }: Wording): Markup {
  return markup`<a class="site" href="${webUrl(url)}">${filled(texts.backTo, { name })}</a>`;
}
