/**
 * The document around every page, and the parts that several pages share.
 *
 * @module
 */
import { type Logo, webUrl } from "./urls.ts";
import { Filled } from "./words.tsx";
import type { ComponentChildren, VNode } from "preact";
import type { Wording } from "../texts/texts.ts";
import type { Scheme } from "./brand.ts";

interface LayoutProps {
  readonly words: Wording;
  readonly title: string;
  /** The classes of the card: the name of the page, and others. */
  readonly cardClass: string;
  readonly scheme: Scheme;
  readonly logo: Logo | undefined;
  readonly styles: readonly string[];
  /** The scripts, each the same for every page. */
  readonly scripts: readonly string[];
  readonly children: ComponentChildren;
}

/** Renders the document around the content of a page. */
export function Layout({ words, title, cardClass, scheme, logo, styles, scripts, children }: LayoutProps): VNode {
  return (
    <html lang={words.tag} dir={words.dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={scheme === "auto" ? "light dark" : scheme} />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        {styles.map((css) => <style key={css}>{css}</style>)}
      </head>
      <body class={`__next-auth-theme-${scheme}`}>
        <div class="page">
          <main class={`card ${cardClass}`}>
            {logo && <img class="logo" src={logo.src} alt="" />}
            {children}
          </main>
        </div>
        {/* Browsers do not unescape scripts. Nothing of a page or a configuration is ever in one. */}
        {scripts.map((text) => <script key={text} type="module" dangerouslySetInnerHTML={{ __html: text }} />)}
      </body>
    </html>
  );
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

/** Renders a form that posts its {@linkcode FormState} along with its fields. */
export function PostForm(
  { kind, action, state: { csrfToken, callbackUrl }, children, ...attributes }: {
    readonly kind: "fields" | "plain";
    readonly action: string;
    readonly id?: string;
    readonly noValidate?: boolean;
    readonly state: FormState;
    readonly children: ComponentChildren;
  },
): VNode {
  return (
    <form {...attributes} class={kind} method="post" action={webUrl(action)}>
      {csrfToken !== null && <input type="hidden" name="csrfToken" value={csrfToken} />}
      <input type="hidden" name="callbackUrl" value={callbackUrl} />
      {children}
    </form>
  );
}

/** Renders a link back to the site. */
export function SiteLink({ url, words }: { readonly url: string; readonly words: Wording }): VNode {
  return (
    <a class="site" href={webUrl(url)}>
      <Filled text={words.texts.backTo} values={{ name: words.name }} />
    </a>
  );
}
