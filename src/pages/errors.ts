/**
 * Which text an error has. The tables are maps, so that an error called `constructor` finds no inherited member.
 *
 * @module
 */
import type { ErrorPageKind, Failure, Page, SignInMethod } from "../request/outcome.ts";
import type { Texts } from "../texts/texts.ts";
import type { IconName } from "./parts.tsx";

/** The texts of the error page for one kind of error, by their names. */
export interface ErrorText {
  readonly icon: IconName;
  readonly heading: keyof Texts;
  /** What happened, and what the visitor can do. */
  readonly message: keyof Texts;
  /** The label of the link to the sign-in page, if another try can help. */
  readonly signIn?: keyof Texts;
}

const SIGN_IN_ERRORS: ReadonlyMap<string, keyof Texts> = new Map<string, keyof Texts>([
  ["Signin", "errorAnotherWay"],
  ["OAuthSignin", "errorAnotherWay"],
  ["OAuthCallbackError", "errorAnotherWay"],
  ["OAuthCreateAccount", "errorAnotherWay"],
  ["EmailCreateAccount", "errorAnotherWay"],
  ["Callback", "errorAnotherWay"],
  ["OAuthAccountNotLinked", "errorNotLinked"],
  ["AccountNotLinked", "errorNotLinked"],
  ["EmailSignin", "errorEmail"],
  ["CredentialsSignin", "errorCredentials"],
  ["TooManyAttempts", "errorTooMany"],
  ["SessionRequired", "errorSessionRequired"],
]);

const FAILED: ErrorText = { icon: "notice", heading: "failedTitle", message: "failedLead" };

const PAGE_ERRORS: ReadonlyMap<string, ErrorText> = new Map<ErrorPageKind, ErrorText>([
  ["Configuration", { icon: "notice", heading: "unavailableTitle", message: "unavailableLead" }],
  ["AccessDenied", { icon: "padlock", heading: "deniedTitle", message: "deniedLead", signIn: "anotherAccount" }],
  ["Verification", { icon: "clock", heading: "expiredTitle", message: "expiredLead", signIn: "signIn" }],
  ["WebAuthnVerificationError", {
    icon: "padlock",
    heading: "passkeyRefusedTitle",
    // The same text for every reason, so that nobody can find out who has an account.
    message: "passkeyRefusedLead",
    signIn: "signIn",
  }],
  ["NotFound", { icon: "notice", heading: "notFoundTitle", message: "notFoundLead", signIn: "signIn" }],
  ["Default", FAILED],
]);

/** Chooses the texts of the error page. */
export function pageError(kind: string): ErrorText {
  return PAGE_ERRORS.get(kind) ?? FAILED;
}

/** An error of the sign-in page, and where it stands. */
export interface ShownError {
  /** The name of its text. The value of the error is never shown: anybody can write it into a link. */
  readonly text: keyof Texts;
  /** The name of the provider that it is about. */
  readonly provider: string;
  /**
   * The name of the provider that this browser signed in with before, if that may be the one to sign in with. It does not
   * depend on the address: whose providers these are is nobody's business.
   */
  readonly lastUsed: string | undefined;
  /** Seconds until another attempt is judged, if there were too many. */
  readonly retryAfter: number | undefined;
  /** The method at whose form it stands; `null` for the top of the page. */
  readonly method: SignInMethod | null;
  /** What was typed there. */
  readonly values: Failure["values"];
}

type SignIn = Extract<Page, { name: "signin" }>;

/** Types of methods with a form, by the error that is theirs. */
const AT_FORMS: ReadonlyMap<string, SignInMethod["type"]> = new Map<string, SignInMethod["type"]>([
  ["CredentialsSignin", "credentials"],
  ["EmailSignin", "email"],
]);

/** Chooses what the sign-in page says of an error, and where; `null` if there is none. */
export function signInError(page: SignIn): ShownError | null {
  const { error, failure, methods, purpose } = page;
  // A visitor who is only asked to confirm has made no mistake.
  if (error === null || purpose === "confirm") return null;
  const type = AT_FORMS.get(error);
  const failed = methods.find(({ id }) => id === failure?.provider);
  const fitting = methods.filter((method) => method.type === type);
  const isAtAnyForm = error === "TooManyAttempts";
  const method = isAtAnyForm || failed?.type === type
    ? failed ?? null
    : fitting.length === 1
    ? fitting[0] ?? null
    : null;
  const isCancelled = failure?.cancelled && failed !== undefined;
  const hasCheck = isAtAnyForm && failed !== undefined && page.challenge?.provider === failed.id;
  return {
    text: isCancelled ? "errorCancelled" : hasCheck ? "errorTooManyCheck" : SIGN_IN_ERRORS.get(error) ?? "errorDefault",
    provider: failed?.name ?? "",
    lastUsed: error === "OAuthAccountNotLinked" ? otherWay(page) : undefined,
    // Who solves the challenge need not wait.
    retryAfter: hasCheck ? undefined : page.retryAfter,
    method: type || isAtAnyForm ? method : null,
    values: failed && failed === method ? failure?.values ?? {} : {},
  };
}

/** Names the provider of this browser's last sign-in, unless it is the one that has just failed. */
function otherWay({ failure, lastUsed, methods }: SignIn): string | undefined {
  // Without a failure the page was opened by a link.
  if (!failure || failure.provider === lastUsed) return undefined;
  return methods.find(({ id }) => id === lastUsed)?.name;
}
