/**
 * The texts in English.
 *
 * @module
 */
import { MAIL_TEXTS } from "./mail.ts";
import type { Texts } from "./texts.ts";

/** English. */
export const TEXTS: Texts = {
  signInTitle: "Sign in to {name}",
  errorTitle: "Error: {title}",
  signInWith: "Sign in with {provider}",
  signInWithPasskey: "Sign in with a passkey",
  signIn: "Sign in",
  continue: "Continue",
  or: "or",
  email: "Email",
  emailPlaceholder: "you@example.com",
  emailHint: "We will send you an email to sign in with.",
  username: "Username",
  password: "Password",
  lastUsed: "Last used",
  noMethods: "This site has no way to sign in yet.",
  signUp: "Create an account",
  help: "Trouble signing in?",
  terms: "Terms of service",
  privacy: "Privacy policy",

  confirmTitle: "Confirm it’s you",
  confirmLead: "It has been a while since you signed in. Sign in again to go on.",
  addPasskeyTitle: "Add a passkey",
  addPasskeyLead: "Next time you can sign in with your fingerprint, your face or the PIN of your device.",
  createPasskey: "Create a passkey",
  createPasskeyHint: "To create a passkey, you first get an email with a link.",
  passkeyUnavailable: "Passkeys need JavaScript and a browser that supports them.",
  passkeyInsecure: "Passkeys need a secure connection.",
  passkeyFollow: "Follow the steps on your device.",
  passkeyCancelled: "It was cancelled, or this device has no passkey for this site.",
  passkeyTimeout: "That took too long. Try again.",
  passkeyAddress: "Passkeys do not work at this address.",
  passkeyExists: "This device already has a passkey here. Sign in with it.",
  passkeyOffline: "The site cannot be reached. Check your connection.",
  passkeyFailed: "That did not work. Try another way.",

  errorCancelled: "You cancelled signing in with {provider}. Try again, or choose another way.",
  errorAnotherWay: "That did not work. Please try a different account or another way to sign in.",
  errorNotLinked: "You already have an account here. Please sign in the way you did the first time.",
  errorNotLinkedLast: "The last sign-in in this browser was with {provider}.",
  errorEmail: "We could not send you an email. Please check the address and try again.",
  errorCredentials: "We could not sign you in with these details. Please check them and try again.",
  errorTooMany: "There were too many attempts. Wait a little, or sign in another way.",
  errorTooManyWait: "Try again in {duration}.",
  errorTooManyCheck: "There were too many attempts. You can go on after the check below.",
  errorSessionRequired: "Please sign in to see this page.",
  errorDefault: "You could not be signed in. Please try again.",

  challengeWorking: "Your browser is solving a small puzzle that keeps out abuse. You can go on typing.",
  challengeReady: "The puzzle is solved. You can go on.",
  challengeSending: "One moment. The form will be sent by itself.",
  challengeWait: "Without JavaScript, the button appears after a wait: {duration}.",
  challengeNeedsScript: "This check needs JavaScript.",

  unavailableTitle: "Sign-in is unavailable",
  unavailableLead: "The problem is on our side, not yours. If you run this site, look in the server log for details.",
  deniedTitle: "No access",
  deniedLead: "This account is not allowed to sign in here.",
  anotherAccount: "Use another account",
  expiredTitle: "Please sign in again",
  expiredLead: "This link or sign-in has been used already, or it has expired.",
  passkeyRefusedTitle: "This passkey cannot be used",
  passkeyRefusedLead: "If you have an account here, sign in the way you did before. Then you can add a passkey.",
  failedTitle: "Something went wrong",
  failedLead: "That did not work. Please go back and try again.",
  notFoundTitle: "Page not found",
  notFoundLead: "There is nothing at this address.",

  signOutTitle: "Sign out of {name}",
  signOutLead: "Do you want to end your session in this browser?",
  signOut: "Sign out",
  cancel: "Cancel",
  signedOutTitle: "You are signed out",
  signedOutLead: "Nobody is signed in to {name} in this browser.",

  checkEmailTitle: "Check your email",
  checkEmailLead: "We sent you a link. Open it in this browser to sign in.",
  checkEmailTo: "Sent to: {email}",
  checkEmailHelp: "No email after a minute? Look in your spam folder, or check your address and ask for another link.",
  askAgain: "Ask for another link",
  confirmEmailTitle: "Sign in to {name}?",
  confirmEmailLead: "You are about to sign in as {email}. Continue only if you asked for this link.",
  backTo: "Back to {name}",

  ...MAIL_TEXTS,
  mailPasskeyAdded: "A passkey was added to your account at {name}",
  mailAccountAdded: "Sign-in with {provider} was added to your account at {name}",
  mailTime: "Time: {time}",
  mailNotYou:
    "If this was you, there is nothing to do. If not, somebody else may be using your account: sign in, remove what was added, end your other sessions, and tell {name}.",
  mailFactorCode: "{code} is your code for {name}",
  mailFactorCodeUse: "Type it on the page that asked for it. It works once, for 10 minutes.",
  mailFactorCodeNotYou:
    "If you are not signing in just now, somebody else may know how: give this code to nobody, and tell {name}.",
};
