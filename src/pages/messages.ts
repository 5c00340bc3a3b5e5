/**
 * The pages that show a message and at most two buttons.
 *
 * @module
 */
import { pageError } from "./errors.ts";
import { emblem } from "./icons.ts";
import { postForm, siteLink, stateFields } from "./layout.ts";
import { type Markup, markup } from "./markup.ts";
import { webUrl } from "./urls.ts";
import { filled } from "./words.ts";
import type { Wording } from "../texts/texts.ts";
import type { Page } from "../request/outcome.ts";

type PageOf<Name extends Page["name"]> = Extract<Page, { readonly name: Name }>;

/** Writes what went wrong, and what to do next. */
export function errorPage(page: PageOf<"error">, words: Wording): Markup {
  const { heading, message, signIn, icon } = pageError(page.error);
  return markup`
    ${emblem(icon)}
    <h1>${words.texts[heading]}</h1>
    <p class="lead">${words.texts[message]}</p>
    <div class="actions">
      ${signIn && linkButton(page.signInUrl, words.texts[signIn], "button primary")}
      ${siteLink(page.siteUrl, words)}
    </div>
  `;
}

/** Writes the question whether to sign out. */
export function signOutPage(page: PageOf<"signout">, { texts, name }: Wording): Markup {
  return markup`
    <h1>${filled(texts.signOutTitle, { name })}</h1>
    <p class="lead">${texts.signOutLead}</p>
    <div class="actions pair">
      ${postForm({ kind: "plain", action: page.action, state: stateFields(page) }, submitButton(texts.signOut))}
      ${linkButton(page.callbackUrl, texts.cancel)}
    </div>
  `;
}

/** Writes that there is nobody to sign out. */
export function signedOutPage(page: PageOf<"signed-out">, words: Wording): Markup {
  const { texts, name } = words;
  return markup`
    <h1>${texts.signedOutTitle}</h1>
    <p class="lead">${filled(texts.signedOutLead, { name })}</p>
    <div class="actions">
      ${linkButton(page.signInUrl, texts.signIn, "button primary")}
      ${siteLink(page.siteUrl, words)}
    </div>
  `;
}

/** Writes the request to check the inbox. */
export function verifyRequestPage(page: PageOf<"verify-request">, words: Wording): Markup {
  const { texts } = words;
  return markup`
    ${emblem("envelope")}
    <h1>${texts.checkEmailTitle}</h1>
    <p class="lead">${texts.checkEmailLead}</p>
    <p class="lead">${texts.checkEmailHelp}</p>
    <div class="actions">
      ${linkButton(page.signInUrl, texts.askAgain)}
      ${siteLink(page.siteUrl, words)}
    </div>
  `;
}

/** Writes the question whether to sign in, for a link that was opened in a browser that did not request it. */
export function confirmEmailPage(page: PageOf<"confirm-email">, words: Wording): Markup {
  const { texts, name } = words;
  return markup`
    ${emblem("envelope")}
    <h1>${filled(texts.confirmEmailTitle, { name })}</h1>
    <p class="lead">${filled(texts.confirmEmailLead, { email: page.email }, "who")}</p>
    <div class="actions">
      ${postForm({ kind: "plain", action: page.action, state: stateFields(page) }, submitButton(texts.signIn))}
      ${siteLink(page.siteUrl, words)}
    </div>
  `;
}

function submitButton(text: string): Markup {
  return markup`
    <button type="submit" class="button primary" id="submitButton">
      <span class="name">${text}</span>
    </button>
  `;
}

function linkButton(url: string, text: string, kind: "button" | "button primary" = "button"): Markup {
  return markup`<a class="${kind}" href="${webUrl(url)}"><span class="name">${text}</span></a>`;
}
