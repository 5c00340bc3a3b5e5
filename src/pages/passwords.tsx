/** @jsxImportSource preact */
/**
 * The pages of passwords: to register, to ask for an email, and to choose a password.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import { ChallengePart } from "./challenge.tsx";
import { Secret } from "./fields.tsx";
import { Alert, filled, PostForm, SiteLink, SubmitButton, ThemeLink, Wait } from "./parts.tsx";
import { linkAt } from "./urls.ts";
import type {
  NewPasswordPage,
  PasswordDone,
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

function Forgotten({ page, words }: Parts<ResetPage>): VNode {
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

function NewPassword({ page, words }: Parts<NewPasswordPage>): VNode {
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

function whatEnds({ purpose, sessionsStay }: NewPasswordPage, { signsOutElsewhere }: Texts): string {
  return purpose === "claim" || sessionsStay ? "" : ` ${signsOutElsewhere}`;
}

const DONE: Readonly<Record<PasswordDone, keyof Texts>> = { saved: "passwordSaved", removed: "passwordRemoved" };

/** Away from the form, so that nobody removes a password who wants to save one. */
function Removal({ page, words: { texts } }: Parts<NewPasswordPage>): VNode {
  return (
    <details class="removal">
      <summary>{texts.removePassword}</summary>
      <PostForm kind="plain" action={page.action} state={page} values={{ act: "remove" }}>
        <p class="hint" id="removal">{texts.removePasswordLead}</p>
        <button type="submit" class="button danger" aria-describedby="removal">
          <span class="name">{texts.removePassword}</span>
        </button>
      </PostForm>
    </details>
  );
}

interface FrameParts extends Parts {
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

/** The id of what did not work. */
const ERROR = "error";

/** The field that each problem is about. The others are nobody's mistake. */
const AT_FIELDS: Readonly<Partial<Record<PasswordProblem, "email" | "password">>> = {
  email: "email",
  short: "password",
  long: "password",
  common: "password",
  breached: "password",
  reused: "password",
};

/** Says that a field is wrong, and takes the focus there. */
function errorAt({ problem }: PasswordPage, field: "email" | "password", hint?: string) {
  const isWrong = problem !== null && AT_FIELDS[problem] === field;
  const described = isWrong ? [ERROR, hint].filter(Boolean).join(" ") : hint;
  return {
    ...(described && { "aria-describedby": described }),
    ...(isWrong && { "aria-invalid": true, autofocus: true }),
  };
}

interface Address {
  readonly page: PasswordPage;
  readonly value: string;
  readonly texts: Texts;
  /** Whether it is shown only, and for password managers. @default {false} */
  readonly isFixed?: boolean;
}

function AddressField({ page, value, texts, isFixed = false }: Address): VNode {
  return (
    <div class="field">
      <label for="email">{texts.email}</label>
      <input
        {...{ id: "email", name: "email", type: "email", required: true, value }}
        {...!isFixed && errorAt(page, "email")}
        readonly={isFixed}
        autocomplete="username"
        placeholder={texts.emailPlaceholder}
      />
    </div>
  );
}

interface NewSecret {
  readonly page: SignUpPage | NewPasswordPage;
  readonly label: keyof Texts;
  readonly texts: Texts;
}

function PasswordField({ page, label, texts }: NewSecret): VNode {
  const { min, max } = page.length;
  // Browsers that know this attribute make passwords by it.
  const rules = { passwordrules: `minlength: ${min}; maxlength: ${max};` };
  return (
    <div class="field">
      <label for="password">{texts[label]}</label>
      <Secret texts={texts}>
        {/* No maxlength: browsers cut off what is longer without a word. */}
        <input
          {...{ id: "password", name: "password", type: "password", required: true, minlength: min, ...rules }}
          {...errorAt(page, "password", "password-hint")}
          autocomplete="new-password"
        />
      </Secret>
      <p class="hint" id="password-hint">{filled(texts.newPasswordHint, { count: String(min) })}</p>
    </div>
  );
}

function Button({ page, words, text }: Parts & { readonly text: string }): VNode {
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
  "expired": "errorResetExpired",
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
    <Alert id={ERROR}>
      {filled(words.texts[text], { count })}
      {problem === "too-many" && !challenge && retryAfter && <Wait seconds={retryAfter} words={words} />}
    </Alert>
  );
}
