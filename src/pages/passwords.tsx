/** @jsxImportSource preact */
/**
 * The pages of passwords: to register, to ask for an email, and to choose a password.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import { ChallengePart } from "./challenge.tsx";
import { Alert, filled, PostForm, SiteLink, SubmitButton, ThemeLink, Wait } from "./parts.tsx";
import { linkAt } from "./urls.ts";
import type {
  NewPasswordPage,
  PasswordLength,
  PasswordPage,
  PasswordProblem,
  ResetPage,
  SignUpPage,
} from "../request/password_views.ts";
import type { Texts, Wording } from "../texts/texts.ts";

interface Parts<Page extends PasswordPage = PasswordPage> {
  readonly page: Page;
  readonly words: Wording;
}

/** Chooses the heading of a page, by the name of its text. */
export function passwordHeadingOf({ name }: PasswordPage): keyof Texts {
  return name === "signup" ? "signUpTitle" : name === "reset" ? "forgotPassword" : "resetTitle";
}

/** The content of a page. */
export function PasswordContent({ page, words }: Parts): VNode {
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

function SignUp({ page, words }: Parts<SignUpPage>): VNode {
  const { texts } = words;
  return (
    <Frame page={page} words={words} lead={texts.signUpLead}>
      <PostForm kind="fields" action={page.action} state={page}>
        <Problem page={page} words={words} />
        <AddressField value={page.email ?? ""} texts={texts} />
        <div class="field">
          <label for="name">{texts.yourName}</label>
          <input id="name" name="name" type="text" autocomplete="name" maxlength={256} value={page.typedName ?? ""} />
        </div>
        <PasswordField length={page.length} texts={texts} />
        <Button page={page} words={words} text={texts.signUpButton} />
      </PostForm>
    </Frame>
  );
}

function Forgotten({ page, words }: Parts<ResetPage>): VNode {
  const { texts } = words;
  return (
    <Frame page={page} words={words} lead={texts.forgotPasswordLead}>
      <PostForm kind="fields" action={page.action} state={page}>
        <Problem page={page} words={words} />
        <AddressField value={page.email ?? ""} texts={texts} />
        <Button page={page} words={words} text={texts.forgotPasswordButton} />
      </PostForm>
    </Frame>
  );
}

const LEADS: Readonly<Record<NewPasswordPage["purpose"], keyof Texts>> = {
  reset: "resetLead",
  claim: "claimLead",
  set: "setPasswordLead",
  change: "changePasswordLead",
};

function NewPassword({ page, words }: Parts<NewPasswordPage>): VNode {
  const { texts } = words;
  const { email, token, purpose, sessionsStay } = page;
  const lead = sessionsStay && purpose !== "claim" ? "setPasswordLead" : LEADS[purpose];
  return (
    <Frame page={page} words={words} lead={filled(texts[lead], { email }, "who")}>
      <PostForm kind="fields" action={page.action} state={page} values={token === null ? {} : { token }}>
        <Problem page={page} words={words} />
        <AddressField value={email} texts={texts} isFixed />
        <PasswordField length={page.length} texts={texts} />
        <Button page={page} words={words} text={texts.savePassword} />
      </PostForm>
      {page.canRemove && (
        <PostForm kind="plain" action={page.action} state={page} values={{ act: "remove" }}>
          <button type="submit" class="button quiet">
            <span class="name">{texts.removePassword}</span>
          </button>
        </PostForm>
      )}
    </Frame>
  );
}

interface FrameParts extends Parts {
  readonly lead: ComponentChildren;
  readonly children: ComponentChildren;
}

function Frame({ page, words, lead, children }: FrameParts): VNode {
  const { texts, name } = words;
  return (
    <>
      <h1>{filled(texts[passwordHeadingOf(page)], { name })}</h1>
      <p class="lead">{lead}</p>
      <div class="methods">{children}</div>
      <div class="actions">
        <ThemeLink url={linkAt(page.signInUrl)} text={texts.signIn} />
        <SiteLink url={page.siteUrl} words={words} />
      </div>
    </>
  );
}

interface Address {
  readonly value: string;
  readonly texts: Texts;
  /** Whether it is shown only, and for password managers. @default {false} */
  readonly isFixed?: boolean;
}

function AddressField({ value, texts, isFixed = false }: Address): VNode {
  return (
    <div class="field">
      <label for="email">{texts.email}</label>
      <input
        {...{ id: "email", name: "email", type: "email", required: true, value }}
        readonly={isFixed}
        autocomplete="username"
        placeholder={texts.emailPlaceholder}
      />
    </div>
  );
}

function PasswordField({ length, texts }: { readonly length: PasswordLength; readonly texts: Texts }): VNode {
  // Browsers that know this attribute make passwords by it.
  const rules = { passwordrules: `minlength: ${length.min}; maxlength: ${length.max};` };
  return (
    <div class="field">
      <label for="password">{texts.newPassword}</label>
      <input
        {...{ id: "password", name: "password", type: "password", required: true, ...rules }}
        autocomplete="new-password"
        aria-describedby="password-hint"
      />
      <p class="hint" id="password-hint">{filled(texts.newPasswordHint, { count: String(length.min) })}</p>
    </div>
  );
}

interface ButtonParts extends Parts {
  readonly text: string;
}

function Button({ page, words, text }: ButtonParts): VNode {
  const button = <SubmitButton text={text} />;
  return page.challenge ? <ChallengePart view={page.challenge} words={words}>{button}</ChallengePart> : button;
}

const PROBLEMS: Readonly<Record<PasswordProblem, keyof Texts>> = {
  "email": "errorAddress",
  "short": "errorPasswordShort",
  "long": "errorPasswordLong",
  "common": "errorPasswordCommon",
  "breached": "errorPasswordBreached",
  "reused": "errorPasswordReused",
  "expired": "expiredLead",
  "too-many": "errorTooMany",
  "busy": "errorBusy",
};

function Problem({ page, words }: Parts): VNode | null {
  const { problem, retryAfter, challenge } = page;
  if (problem === null) return null;
  const length = "length" in page ? page.length : { min: 0, max: 0 };
  const count = String(problem === "long" ? length.max : length.min);
  const text = problem === "too-many" && challenge ? "errorTooManyCheck" : PROBLEMS[problem];
  return (
    <Alert id="error">
      {filled(words.texts[text], { count })}
      {problem === "too-many" && !challenge && retryAfter && <Wait seconds={retryAfter} words={words} />}
    </Alert>
  );
}
