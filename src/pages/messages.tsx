/**
 * The pages that show a message and at most two buttons.
 *
 * @module
 */
import { pageError } from "./errors.ts";
import { Emblem } from "./icons.tsx";
import { PostForm, SiteLink } from "./layout.tsx";
import { webUrl } from "./urls.ts";
import { Filled } from "./words.tsx";
import type { VNode } from "preact";
import type { Wording } from "../texts/texts.ts";
import type { Page } from "../request/outcome.ts";

interface Props<Name extends Page["name"]> {
  readonly page: Extract<Page, { readonly name: Name }>;
  readonly words: Wording;
}

/** Renders what went wrong, and what to do next. */
export function ErrorPage({ page, words }: Props<"error">): VNode {
  const { heading, message, signIn, icon } = pageError(page.error);
  return (
    <>
      <Emblem name={icon} />
      <h1>{words.texts[heading]}</h1>
      <p class="lead">{words.texts[message]}</p>
      <div class="actions">
        {signIn && <LinkButton url={page.signInUrl} kind="primary" text={words.texts[signIn]} />}
        <SiteLink url={page.siteUrl} words={words} />
      </div>
    </>
  );
}

/** Renders the question whether to sign out. */
export function SignOutPage({ page, words: { texts, name } }: Props<"signout">): VNode {
  return (
    <>
      <h1>
        <Filled text={texts.signOutTitle} values={{ name }} />
      </h1>
      <p class="lead">{texts.signOutLead}</p>
      <div class="actions pair">
        <PostForm kind="plain" action={page.action} state={page}>
          <SubmitButton text={texts.signOut} />
        </PostForm>
        <LinkButton url={page.callbackUrl} text={texts.cancel} />
      </div>
    </>
  );
}

/** Renders that there is nobody to sign out. */
export function SignedOutPage({ page, words }: Props<"signed-out">): VNode {
  const { texts, name } = words;
  return (
    <>
      <h1>{texts.signedOutTitle}</h1>
      <p class="lead">
        <Filled text={texts.signedOutLead} values={{ name }} />
      </p>
      <div class="actions">
        <LinkButton url={page.signInUrl} kind="primary" text={texts.signIn} />
        <SiteLink url={page.siteUrl} words={words} />
      </div>
    </>
  );
}

/** Renders the request to check the inbox. */
export function VerifyRequestPage({ page, words }: Props<"verify-request">): VNode {
  const { texts } = words;
  return (
    <>
      <Emblem name="envelope" />
      <h1>{texts.checkEmailTitle}</h1>
      <p class="lead">{texts.checkEmailLead}</p>
      <p class="lead">{texts.checkEmailHelp}</p>
      <div class="actions">
        <LinkButton url={page.signInUrl} text={texts.askAgain} />
        <SiteLink url={page.siteUrl} words={words} />
      </div>
    </>
  );
}

/** Renders the question whether to sign in, for a link that was opened in a browser that did not request it. */
export function ConfirmEmailPage({ page, words }: Props<"confirm-email">): VNode {
  const { texts, name } = words;
  return (
    <>
      <Emblem name="envelope" />
      <h1>
        <Filled text={texts.confirmEmailTitle} values={{ name }} />
      </h1>
      <p class="lead">
        <Filled text={texts.confirmEmailLead} values={{ email: page.email }} kind="who" />
      </p>
      <div class="actions">
        <PostForm kind="plain" action={page.action} state={page}>
          <SubmitButton text={texts.signIn} />
        </PostForm>
        <SiteLink url={page.siteUrl} words={words} />
      </div>
    </>
  );
}

function SubmitButton({ text }: { readonly text: string }): VNode {
  return (
    <button type="submit" class="button primary" id="submitButton">
      <span class="name">{text}</span>
    </button>
  );
}

function LinkButton({ url, text, kind }: {
  readonly url: string;
  readonly text: string;
  readonly kind?: "primary";
}): VNode {
  return (
    <a class={kind ? `button ${kind}` : "button"} href={webUrl(url)}>
      <span class="name">{text}</span>
    </a>
  );
}
