/** @jsxImportSource preact */
/**
 * The pages of passwords: to register, to ask for an email, and to choose a password.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import { ChallengePart } from "./challenge.tsx";
import { filled, PostForm, SiteLink, SubmitButton, ThemeLink, unlessTheyStay } from "./parts.tsx";
import { AddressField, PasswordField, type PasswordParts, Problem } from "./password_fields.tsx";
import { linkAt } from "./urls.ts";
import type { NewPasswordPage, PasswordDone, PasswordPage, ResetPage, SignUpPage } from "../request/password_views.ts";
import type { Texts } from "../texts/texts.ts";

/** What the page to choose a password says, by what it is for. */
const CHOICES: Readonly<Record<NewPasswordPage["purpose"], Choice>> = {
  reset: { heading: "resetTitle", lead: "resetLead", label: "newPassword", button: "savePassword" },
  claim: { heading: "signUpTitle", lead: "claimLead", label: "password", button: "signUpButton" },
  set: { heading: "setPasswordTitle", lead: "setPasswordLead", label: "newPassword", button: "savePassword" },
  change: { heading: "changePasswordTitle", lead: "setPasswordLead", label: "newPassword", button: "savePassword" },
};

type Choice = Readonly<Record<"heading" | "lead" | "label" | "button", keyof Texts>>;

/** Chooses the heading of a page, by the name of its text. */
export function passwordHeadingOf(page: PasswordPage): keyof Texts {
  if (page.name === "new-password") return CHOICES[page.purpose].heading;
  return page.name === "signup" ? "signUpTitle" : "forgotPassword";
}

/** The content of a page. */
export function PasswordContent({ page, words }: PasswordParts): VNode {
  switch (page.name) {
    case "signup":
      return <SignUp page={page} words={words} />;
    case "reset":
      return <Forgotten page={page} words={words} />;
    case "new-password":
      return <NewPassword page={page} words={words} />;
    default:
      return page satisfies never;
  }
}

function SignUp({ page, words }: PasswordParts<SignUpPage>): VNode {
  const { texts } = words;
  return (
    <Frame page={page} words={words} lead={texts.signUpLead}>
      <PostForm kind="fields" action={page.action} state={page}>
        <Problem page={page} words={words} />
        <div class="field">
          <label for="name">{texts.yourName}</label>
          <input id="name" name="name" type="text" autocomplete="name" maxlength={256} value={page.typedName ?? ""} />
        </div>
        {/* Some managers take what stands before the password for the name of the account. */}
        <AddressField page={page} value={page.email ?? ""} texts={texts} />
        <PasswordField page={page} label="password" texts={texts} />
        <Button page={page} words={words} text={texts.signUpButton} />
      </PostForm>
    </Frame>
  );
}

function Forgotten({ page, words }: PasswordParts<ResetPage>): VNode {
  const { texts } = words;
  return (
    <Frame page={page} words={words} lead={texts.forgotPasswordLead}>
      <PostForm kind="fields" action={page.action} state={page}>
        <Problem page={page} words={words} />
        <AddressField page={page} value={page.email ?? ""} texts={texts} />
        <Button page={page} words={words} text={texts.forgotPasswordButton} />
      </PostForm>
    </Frame>
  );
}

function NewPassword({ page, words }: PasswordParts<NewPasswordPage>): VNode {
  const { texts } = words;
  const { email, token, purpose } = page;
  const { lead, label, button } = CHOICES[purpose];
  return (
    <Frame page={page} words={words} lead={[filled(texts[lead], { email }, "who"), whatEnds(page, texts)]}>
      {page.done && <p class="done" role="status">{texts[DONE[page.done]]}</p>}
      <PostForm kind="fields" action={page.action} state={page} values={token === null ? {} : { token }}>
        <Problem page={page} words={words} />
        <AddressField page={page} value={email} texts={texts} isFixed />
        <PasswordField page={page} label={label} texts={texts} />
        <Button page={page} words={words} text={texts[button]} />
      </PostForm>
      {page.canRemove && <Removal page={page} words={words} />}
    </Frame>
  );
}

function whatEnds(page: NewPasswordPage, { signsOutElsewhere }: Texts): string {
  return page.purpose === "claim" ? "" : unlessTheyStay(page, signsOutElsewhere);
}

const DONE: Readonly<Record<PasswordDone, keyof Texts>> = { saved: "passwordSaved", removed: "passwordRemoved" };

/** Away from the form, so that nobody removes a password who wants to save one. */
function Removal({ page, words: { texts } }: PasswordParts<NewPasswordPage>): VNode {
  return (
    <details class="removal">
      <summary>{texts.removePassword}</summary>
      <PostForm kind="plain" action={page.action} state={page} values={{ act: "remove" }}>
        <p class="hint" id="removal">
          {texts.removePasswordLead}
          {unlessTheyStay(page, texts.endsOthers)}
        </p>
        <button type="submit" class="button danger" aria-describedby="removal">
          <span class="name">{texts.removePassword}</span>
        </button>
      </PostForm>
    </details>
  );
}

interface FrameParts extends PasswordParts {
  readonly lead: ComponentChildren;
  readonly children: ComponentChildren;
}

function Frame({ page, words, lead, children }: FrameParts): VNode {
  const { texts, name } = words;
  // Somebody who is signed in needs no link to sign in.
  const isSignedIn = page.name === "new-password" && (page.purpose === "set" || page.purpose === "change");
  return (
    <>
      <h1>{filled(texts[passwordHeadingOf(page)], { name })}</h1>
      <p class="lead">{lead}</p>
      <div class="methods">{children}</div>
      <div class="actions">
        {!isSignedIn && <ThemeLink url={linkAt(page.signInUrl)} text={texts.signIn} />}
        <SiteLink url={page.siteUrl} words={words} />
      </div>
    </>
  );
}

interface ButtonParts extends PasswordParts {
  readonly text: string;
}

function Button({ page, words, text }: ButtonParts): VNode {
  const button = <SubmitButton text={text} />;
  return page.challenge ? <ChallengePart view={page.challenge} words={words}>{button}</ChallengePart> : button;
}
