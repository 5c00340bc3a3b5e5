/** @jsxImportSource preact */
/**
 * The fields of the pages of passwords, and what was wrong in them.
 *
 * @module
 */
import type { VNode } from "preact";
import { Secret } from "./fields.tsx";
import { Alert, filled, Wait } from "./parts.tsx";
import type { NewPasswordPage, PasswordPage, PasswordProblem, SignUpPage } from "../request/password_views.ts";
import type { Texts, Wording } from "../texts/texts.ts";

/** What the parts of a page of passwords are drawn from. */
export interface PasswordParts<Page extends PasswordPage = PasswordPage> {
  readonly page: Page;
  readonly words: Wording;
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

/** The field for an address. */
export function AddressField({ page, value, texts, isFixed = false }: Address): VNode {
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

/** The field for a password that somebody chooses. */
export function PasswordField({ page, label, texts }: NewSecret): VNode {
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

/** What did not work just now. */
export function Problem({ page, words }: PasswordParts): VNode | null {
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
