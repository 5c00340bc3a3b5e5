/** @jsxImportSource preact */
/**
 * The pages that show a message and at most two buttons.
 *
 * @module
 */
import type { VNode } from "preact";
import { pageError } from "./errors.ts";
import { Emblem, filled, LinkButton, PostForm, SiteLink, SubmitButton, ThemeLink } from "./parts.tsx";
import { durationIn } from "../texts/duration.ts";
import type { Texts, Wording } from "../texts/texts.ts";
import type { Page, SentEmail } from "../request/outcome.ts";

interface Message<Name extends Page["name"]> {
  readonly page: Extract<Page, { readonly name: Name }>;
  readonly words: Wording;
}

/** A message that some cannot go on from by themselves. */
interface Helpful {
  /** Where they find help, if the theme says so. */
  readonly help: string | undefined;
}

/** What went wrong, and what to do next. */
export function ErrorPage({ page, words, help }: Message<"error"> & Helpful): VNode {
  const { heading, message, signIn, icon } = pageError(page.error);
  return (
    <>
      <Emblem name={icon} />
      <h1>{words.texts[heading]}</h1>
      <p class="lead">{words.texts[message]}</p>
      <div class="actions">
        {signIn && <LinkButton url={page.signInUrl} text={words.texts[signIn]} primary />}
        <ThemeLink url={help} text={words.texts.help} />
        <SiteLink url={page.siteUrl} words={words} />
      </div>
    </>
  );
}

/** The question whether to sign out. */
export function SignOutPage({ page, words: { texts, name } }: Message<"signout">): VNode {
  return (
    <>
      <h1>{filled(texts.signOutTitle, { name })}</h1>
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

/** The answer to a sign-out where nobody is signed in. */
export function SignedOutPage({ page, words }: Message<"signed-out">): VNode {
  const { texts, name } = words;
  return (
    <>
      <h1>{texts.signedOutTitle}</h1>
      <p class="lead">{filled(texts.signedOutLead, { name })}</p>
      <div class="actions">
        <LinkButton url={page.signInUrl} text={texts.signIn} primary />
        <SiteLink url={page.siteUrl} words={words} />
      </div>
    </>
  );
}

const EMAIL_LEADS = {
  "sign-in": "checkEmailLead",
  "confirm": "checkEmailConfirmLead",
  "reset": "checkEmailResetLead",
} as const satisfies Readonly<Record<string, keyof Texts>>;

/** The request to check the inbox. */
export function VerifyRequestPage({ page, words, help }: Message<"verify-request"> & Helpful): VNode {
  const { texts } = words;
  return (
    <>
      <Emblem name="envelope" />
      <h1>{texts.checkEmailTitle}</h1>
      <p class="lead">{texts[EMAIL_LEADS[page.sent?.purpose ?? "sign-in"]]}</p>
      {page.sent && <Sent sent={page.sent} words={words} />}
      <p class="lead">{texts.checkEmailHelp}</p>
      <div class="actions">
        <LinkButton url={page.againUrl ?? page.signInUrl} text={texts.askAgain} />
        <ThemeLink url={help} text={texts.help} />
        <SiteLink url={page.siteUrl} words={words} />
      </div>
    </>
  );
}

function Sent({ sent, words: { texts, tag } }: { readonly sent: SentEmail; readonly words: Wording }): VNode {
  return (
    <>
      <p class="lead">{filled(texts.checkEmailTo, { email: sent.to }, "who")}</p>
      <p class="lead">{filled(texts.validFor, { duration: durationIn(tag, sent.seconds) })}</p>
    </>
  );
}

/** The question whether to sign in, for a link that was opened in a browser that did not request it. */
export function ConfirmEmailPage({ page, words }: Message<"confirm-email">): VNode {
  const { texts, name } = words;
  return (
    <>
      <Emblem name="envelope" />
      <h1>{filled(texts.confirmEmailTitle, { name })}</h1>
      <p class="lead">{filled(texts.confirmEmailLead, { email: page.email }, "who")}</p>
      <div class="actions">
        <PostForm kind="plain" action={page.action} state={page}>
          <SubmitButton text={texts.signIn} />
        </PostForm>
        <SiteLink url={page.siteUrl} words={words} />
      </div>
    </>
  );
}
