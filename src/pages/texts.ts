/**
 * What the pages say. The tables are maps, so that no name a visitor makes up finds an inherited member.
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

/** Chooses the title. One that begins with the error is how those who listen hear of it first. */
export function titleOf(page: Page): string {
  return page.name === "signin" && page.error !== null ? `Error: ${TITLES.signin}` : TITLES[page.name];
}

/** What the error page says for one kind of error. */
export interface ErrorText {
  /** The emblem. */
  readonly icon: IconName;
  /** The heading. */
  readonly heading: string;
  /** What happened, and what a visitor can do. */
  readonly message: string;
  /** The label of the link to the sign-in page, where trying again can help. */
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
  ["SessionRequired", "This page is for members. Please sign in to continue."],
]);

const FAILED: ErrorText = {
  icon: "notice",
  heading: "Something went wrong",
  message: "We could not finish what you asked for. Please go back and try again.",
};

const PAGE_ERRORS: ReadonlyMap<string, ErrorText> = new Map<ErrorPageKind, ErrorText>([
  ["Configuration", {
    icon: "notice",
    heading: "Sign-in is unavailable",
    message: "The problem is on our side, not yours. Those who run this site find the details in the server log.",
  }],
  ["AccessDenied", {
    icon: "padlock",
    heading: "No access",
    message: "This account may not sign in here.",
    signIn: "Use another account",
  }],
  ["Verification", {
    icon: "clock",
    heading: "Please sign in again",
    message: "The link or the sign-in was used before, or it took too long.",
    signIn: "Sign in",
  }],
  ["WebAuthnVerificationError", {
    icon: "padlock",
    heading: "This passkey cannot be used",
    // For every reason the same, so that nobody learns whether somebody has an account.
    message: "If you already have an account here, sign in the way you did before. You can add a passkey then.",
    signIn: "Sign in",
  }],
  ["Default", FAILED],
]);

/** Chooses the text of the sign-in page's error box. The value itself is never shown. */
export function signInError(error: string): string {
  return SIGN_IN_ERRORS.get(error) ?? GENERIC;
}

/** Chooses the text of the error page. */
export function pageError(kind: string): ErrorText {
  return PAGE_ERRORS.get(kind) ?? FAILED;
}
