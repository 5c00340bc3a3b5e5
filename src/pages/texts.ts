/**
 * The texts of the pages. The tables are maps, so that an error called `constructor` finds no inherited member.
 *
 * @module
 */
import type { ErrorPageKind, Page } from "../request/outcome.ts";
import type { IconName } from "./icons.tsx";

const TITLES: Readonly<Record<Page["name"], string>> = {
  "signin": "Sign In",
  "signout": "Sign Out",
  "error": "Error",
  "verify-request": "Verify Request",
  "confirm-email": "Confirm Sign-In",
};

/** Chooses the title of the document. It says "Error" first, because that is what a screen reader reads first. */
export function titleOf(page: Page): string {
  return page.name === "signin" && page.error !== null ? `Error: ${TITLES.signin}` : TITLES[page.name];
}

/** The texts of the error page for one kind of error. */
export interface ErrorText {
  readonly icon: IconName;
  readonly heading: string;
  /** What happened, and what the visitor can do. */
  readonly message: string;
  /** The label of the link to the sign-in page, if another try can help. */
  readonly signIn?: string;
}

const ANOTHER_WAY = "That did not work. Please try a different account or another way to sign in.";
const GENERIC = "You could not be signed in. Please try again.";

const SIGN_IN_ERRORS: ReadonlyMap<string, string> = new Map([
  ["Signin", ANOTHER_WAY],
  ["OAuthSignin", ANOTHER_WAY],
  ["OAuthCallbackError", ANOTHER_WAY],
  ["OAuthCreateAccount", ANOTHER_WAY],
  ["EmailCreateAccount", ANOTHER_WAY],
  ["Callback", ANOTHER_WAY],
  ["OAuthAccountNotLinked", "You already have an account here. Please sign in the way you did the first time."],
  ["EmailSignin", "We could not send you an email. Please check the address and try again."],
  ["CredentialsSignin", "We could not sign you in with these details. Please check them and try again."],
  ["SessionRequired", "Please sign in to see this page."],
]);

const FAILED: ErrorText = {
  icon: "notice",
  heading: "Something went wrong",
  message: "That did not work. Please go back and try again.",
};

const PAGE_ERRORS: ReadonlyMap<string, ErrorText> = new Map<ErrorPageKind, ErrorText>([
  ["Configuration", {
    icon: "notice",
    heading: "Sign-in is unavailable",
    message: "The problem is on our side, not yours. If you run this site, look in the server log for details.",
  }],
  ["AccessDenied", {
    icon: "padlock",
    heading: "No access",
    message: "This account is not allowed to sign in here.",
    signIn: "Use another account",
  }],
  ["Verification", {
    icon: "clock",
    heading: "Please sign in again",
    message: "This link or sign-in has been used already, or it has expired.",
    signIn: "Sign in",
  }],
  ["WebAuthnVerificationError", {
    icon: "padlock",
    heading: "This passkey cannot be used",
    // The same text for every reason, so that nobody can find out who has an account.
    message: "If you have an account here, sign in the way you did before. Then you can add a passkey.",
    signIn: "Sign in",
  }],
  ["NotFound", {
    icon: "notice",
    heading: "Page not found",
    message: "There is nothing at this address.",
    signIn: "Sign in",
  }],
  ["Default", FAILED],
]);

/** Chooses the error text of the sign-in page. The value itself is never shown: anybody can write it into a link. */
export function signInError(error: string): string {
  return SIGN_IN_ERRORS.get(error) ?? GENERIC;
}

/** Chooses the texts of the error page. */
export function pageError(kind: string): ErrorText {
  return PAGE_ERRORS.get(kind) ?? FAILED;
}
