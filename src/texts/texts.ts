/**
 * The texts of the built-in pages and emails, as a type that each language fills.
 *
 * @module
 */

import type { AccountTexts } from "./account.ts";
import type { PasswordTexts } from "./passwords.ts";

/**
 * The texts of the built-in pages and emails. A word in braces, such as `{name}`, is replaced when the text is shown; a
 * text may use it anywhere, or not at all. `{name}` is the name of the site, `{provider}` that of a way of signing in.
 *
 * `pages.texts` of the configuration replaces single texts.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 *
 * createAuth({
 *   providers: [],
 *   theme: { name: "Acme" },
 *   pages: { texts: { "*": { signInTitle: "Welcome to {name}" }, de: { signInTitle: "Willkommen bei {name}" } } },
 * });
 * ```
 */
export interface Texts extends PasswordTexts, AccountTexts {
  /** Title and heading of the sign-in page. `{name}` */
  readonly signInTitle: string;
  /** Title of the document while the sign-in page shows an error; `{title}` is its usual title. */
  readonly errorTitle: string;
  /** Button of a provider. `{provider}` */
  readonly signInWith: string;
  /** Button of passkeys. */
  readonly signInWithPasskey: string;
  /** Button of a form with a name and a password; also of a link in an email, and of pages that lead to the sign-in page. */
  readonly signIn: string;
  /** Button of the form with an email address. */
  readonly continue: string;
  /** Between ways of signing in. */
  readonly or: string;
  /** Label of a field for an email address that has no label of its own. */
  readonly email: string;
  /** Example in an empty field for an email address. */
  readonly emailPlaceholder: string;
  /** Below the field for an email address: what happens next. */
  readonly emailHint: string;
  /** Label of a field that is called `username` and has no label of its own. */
  readonly username: string;
  /** Label of a field that is called `password` and has no label of its own. */
  readonly password: string;
  /** Marks the way of signing in that this browser used last. */
  readonly lastUsed: string;
  /** In place of the ways of signing in, if there are none. */
  readonly noMethods: string;
  /** Link to `theme.links.signUp`. */
  readonly signUp: string;
  /** Link to `theme.links.help`. */
  readonly help: string;
  /** Link to `theme.links.terms`. */
  readonly terms: string;
  /** Link to `theme.links.privacy`. */
  readonly privacy: string;

  /** Title and heading of the sign-in page for somebody who signed in too long ago to do what they want. */
  readonly confirmTitle: string;
  /** Below it. */
  readonly confirmLead: string;
  /** Title and heading of the page where somebody who is signed in adds a passkey. */
  readonly addPasskeyTitle: string;
  /** Below it. */
  readonly addPasskeyLead: string;
  /** Button that creates a passkey. */
  readonly createPasskey: string;
  /** Below it, where the address has to be proven first: what happens next. */
  readonly createPasskeyHint: string;
  /** In place of the passkey button, where passkeys do not work. */
  readonly passkeyUnavailable: string;
  /** The same, where passkeys do not work because the page was loaded over http. */
  readonly passkeyInsecure: string;
  /** While the browser asks for a passkey. */
  readonly passkeyFollow: string;
  /** The visitor cancelled, or has no passkey. */
  readonly passkeyCancelled: string;
  /** It took too long. */
  readonly passkeyTimeout: string;
  /** The address of the site does not fit. */
  readonly passkeyAddress: string;
  /** The device has a passkey already. */
  readonly passkeyExists: string;
  /** The site does not answer. */
  readonly passkeyOffline: string;
  /** Anything else went wrong with a passkey. */
  readonly passkeyFailed: string;

  /** The visitor pressed "Cancel" at a provider. `{provider}` */
  readonly errorCancelled: string;
  /** Signing in failed, and another account or another way may work. */
  readonly errorAnotherWay: string;
  /** The address belongs to somebody who signed in another way. */
  readonly errorNotLinked: string;
  /** After it, if this browser has signed in another way before. `{provider}` */
  readonly errorNotLinkedLast: string;
  /** An email could not be sent. */
  readonly errorEmail: string;
  /** The name or the password is wrong. */
  readonly errorCredentials: string;
  /** There were too many attempts. Another way to sign in may be open. */
  readonly errorTooMany: string;
  /** After it: when the next attempt is judged; `{duration}` is a number with a unit. */
  readonly errorTooManyWait: string;
  /** In place of both, at a form with a challenge. */
  readonly errorTooManyCheck: string;
  /** The page that the visitor asked for needs a session. */
  readonly errorSessionRequired: string;
  /** Any other error on the sign-in page. */
  readonly errorDefault: string;

  /** At a form with a challenge, while the browser works on it. */
  readonly challengeWorking: string;
  /** The same, once it is solved. */
  readonly challengeReady: string;
  /** The same, if the form was sent before it was solved. */
  readonly challengeSending: string;
  /** The same, in a browser that runs no script; `{duration}` is a number with a unit. */
  readonly challengeWait: string;
  /** In place of a challenge of another service, in a browser that runs no script. */
  readonly challengeNeedsScript: string;

  /** Heading of the error page: the service does not work. */
  readonly unavailableTitle: string;
  /** Below it. */
  readonly unavailableLead: string;
  /** Heading of the error page: this account may not sign in. */
  readonly deniedTitle: string;
  /** Below it. */
  readonly deniedLead: string;
  /** Button that leads from there to the sign-in page. */
  readonly anotherAccount: string;
  /** Heading of the error page: the link or the sign-in has expired. */
  readonly expiredTitle: string;
  /** Below it. */
  readonly expiredLead: string;
  /** Heading of the error page: the passkey was not accepted. */
  readonly passkeyRefusedTitle: string;
  /** Below it. */
  readonly passkeyRefusedLead: string;
  /** Heading of the error page: anything else. */
  readonly failedTitle: string;
  /** Below it. */
  readonly failedLead: string;
  /** Heading of the page for an address that does not exist. */
  readonly notFoundTitle: string;
  /** Below it. */
  readonly notFoundLead: string;

  /** Below the heading of the page that asks for a second proof, where that is a passkey. Its heading is `confirmTitle`. */
  readonly proofPasskeyLead: string;
  /** The same for an application that shows codes. */
  readonly proofTotpLead: string;
  /** The same for a code by email, before it is sent. */
  readonly proofEmailLead: string;
  /** The same after it was sent. */
  readonly proofEmailSent: string;
  /** The same for a recovery code. */
  readonly proofRecoveryLead: string;
  /** Label of the field for a code. */
  readonly code: string;
  /** Label of the field for a recovery code. */
  readonly recoveryCode: string;
  /** Button, and link to this way of proving it. */
  readonly usePasskey: string;
  /** Link to this way. */
  readonly useTotp: string;
  /** Button that sends a code, and link to this way. */
  readonly useEmailCode: string;
  /** Link to this way. */
  readonly useRecoveryCode: string;
  /** Button that sends one more code. */
  readonly sendAgain: string;
  /** Above the links to other ways. */
  readonly otherWays: string;
  /** Tick box: this browser is trusted; `{duration}` is a number with a unit. */
  readonly trustDevice: string;
  /** Above the button of somebody who has lost every way. `{duration}` is how long they wait. */
  readonly lostLead: string;
  /** That button. */
  readonly lostButton: string;
  /** After it was pressed. `{duration}` */
  readonly lostAsked: string;
  /** A code is wrong, or was used before. */
  readonly errorCode: string;
  /** A code could not be sent. */
  readonly errorCodeNotSent: string;

  /** Title and heading of the page with what somebody can prove that it is them. */
  readonly factorsTitle: string;
  /** Below it, where it is on. */
  readonly factorsOn: string;
  /** Below it, where it is off. */
  readonly factorsOff: string;
  /** Below it, for somebody who cannot go on without. */
  readonly factorsRequired: string;
  /** Name of a factor. */
  readonly totp: string;
  /** Name of a factor. */
  readonly passkey: string;
  /** Name of a factor. */
  readonly recoveryCodes: string;
  /** How many of them are left. `{count}` */
  readonly recoveryCodesLeft: string;
  /** When a factor was added. `{date}` */
  readonly addedOn: string;
  /** When a factor was used last. `{date}` */
  readonly usedOn: string;
  /** Button that adds an application, and heading of the page for it. */
  readonly addTotp: string;
  /** Button that makes recovery codes. */
  readonly makeRecoveryCodes: string;
  /** The same, where there are some. */
  readonly newRecoveryCodes: string;
  /** Below it. */
  readonly newRecoveryCodesHint: string;
  /** Button that removes a factor, and link to the page with it. */
  readonly remove: string;
  /** Opens the form with the name of a factor. */
  readonly rename: string;
  /** Label of its field. */
  readonly factorName: string;
  /** Its button. */
  readonly save: string;
  /** After a change. */
  readonly saved: string;
  /** A name cannot be used. */
  readonly errorName: string;
  /** Below the heading `addTotp`. */
  readonly totpLead: string;
  /** What a screen reader says in place of the QR code. */
  readonly totpPicture: string;
  /** Before the key. */
  readonly totpKey: string;
  /** Link that hands the key to an application of this device. */
  readonly totpOpen: string;
  /** Label of the field for the first code. */
  readonly totpCode: string;
  /** Tick box: other sessions go on. */
  readonly keepSessions: string;
  /** Title and heading of the page with recovery codes. */
  readonly recoveryTitle: string;
  /** Below it. */
  readonly recoveryLead: string;
  /** Below the heading, where they are not shown again. */
  readonly recoveryAgainLead: string;
  /** Link that saves them. */
  readonly recoverySave: string;
  /** Label of the field that asks for one. `{number}` */
  readonly recoveryAsk: string;
  /** Title and heading of the page that asks whether to remove a factor. `{factor}` is its name. */
  readonly removeTitle: string;
  /** Below it. */
  readonly removeLead: string;
  /** After what is removed lets somebody in: all other sessions end. */
  readonly endsOthers: string;
  /** After what ends all sessions. */
  readonly endsAll: string;
  /** After what has ended all sessions. */
  readonly endedAll: string;
  /** Title and heading of the page that a link in an email leads to. */
  readonly undoTitle: string;
  /** Below it. */
  readonly undoLead: string;
  /** Below it, for somebody who has to sign in first. */
  readonly undoSignIn: string;
  /** Button that undoes it, in an email, too. */
  readonly undo: string;
  /** Title and heading after that. */
  readonly undoneTitle: string;
  /** Below it. */
  readonly undoneLead: string;

  /** Title and heading of the page that asks whether to sign out. `{name}` */
  readonly signOutTitle: string;
  /** Below it. */
  readonly signOutLead: string;
  /** Button that signs out. */
  readonly signOut: string;
  /** Button that leads back without signing out. */
  readonly cancel: string;
  /** Title and heading of that page for somebody who is not signed in. */
  readonly signedOutTitle: string;
  /** Below it. `{name}` */
  readonly signedOutLead: string;

  /** Title and heading of the page after an email was sent. */
  readonly checkEmailTitle: string;
  /** Below it. */
  readonly checkEmailLead: string;
  /** Below that, in the browser that asked for the email. `{email}` */
  readonly checkEmailTo: string;
  /** Below that: what to do if nothing comes. */
  readonly checkEmailHelp: string;
  /** Button that leads back to the sign-in page. */
  readonly askAgain: string;
  /** Title and heading for a link that was opened in another browser. `{name}` */
  readonly confirmEmailTitle: string;
  /** Below it. `{email}` is the address that is about to be signed in. */
  readonly confirmEmailLead: string;
  /** Link to the front page. `{name}` */
  readonly backTo: string;

  /** Subject of the email with the link, and its heading. `{name}` */
  readonly mailSubject: string;
  /** Button in the email. */
  readonly mailButton: string;
  /** Before the link as text. */
  readonly mailLink: string;
  /** How long the link works; `{time}` is a date with a time. */
  readonly mailExpires: string;
  /** How long the link works, in the email and on the page after it was sent; `{duration}` is a number with a unit. */
  readonly validFor: string;
  /** What to do with an email that nobody asked for. */
  readonly mailIgnore: string;
  /** Subject and heading of the email after a passkey was added. `{name}` */
  readonly mailPasskeyAdded: string;
  /** The same after an account at a provider was added. `{provider}`, `{name}` */
  readonly mailAccountAdded: string;
  /** In such an email: when it was. `{time}` */
  readonly mailTime: string;
  /** In such an email: what to do if it was not you. `{name}` */
  readonly mailNotYou: string;
  /** Subject and heading of the email after two-step sign-in was switched on. `{name}` */
  readonly mailFactorsOn: string;
  /** The same after an application that shows codes was added. `{name}` */
  readonly mailTotpAdded: string;
  /** The same after a factor was removed. `{name}` */
  readonly mailFactorRemoved: string;
  /** The same after new recovery codes were made. `{name}` */
  readonly mailRecoveryReplaced: string;
  /** The same after a recovery code was used. `{name}` */
  readonly mailRecoveryUsed: string;
  /** The same after somebody said that they have lost every way. `{name}` */
  readonly mailRecoveryAsked: string;
  /** In it: from when on the link works. `{time}` */
  readonly mailRecoveryWhen: string;
  /** Button in it. */
  readonly mailRecoveryStop: string;
  /** Before the button `undo`; `{duration}` is a number with a unit. */
  readonly mailUndo: string;
  /** Subject and heading of the email with a code of a second factor. `{code}`, `{name}` */
  readonly mailFactorCode: string;
  /** In that email: what to do with the code. */
  readonly mailFactorCodeUse: string;
  /** In that email: what to do if it was not you. `{name}` */
  readonly mailFactorCodeNotYou: string;
}

/** Texts in a language, and the name of the site that they are about. */
export interface Wording {
  /** The texts. */
  readonly texts: Texts;
  /** The language that they are in, as BCP 47 writes it. */
  readonly tag: string;
  /** Which way it is written. */
  readonly dir: "ltr" | "rtl";
  /** The name of the site: `theme.name`, or the host. */
  readonly name: string;
}

/** Texts that replace others, by language as BCP 47 writes it (`de`, `pt-BR`); `*` is for every language. */
export type TextChanges = Readonly<Record<string, Partial<Texts> | undefined>>;

/** The values for the words in braces. */
export type TextValues = Readonly<Record<string, string>>;

/** Replaces the words in braces. A word without a value stays as it is. */
export function fill(text: string, values: TextValues): string {
  return splitText(text).map((part) => partOf(part, values) ?? part).join("");
}

/** Splits a text into what stays, and words in braces. */
export function splitText(text: string): string[] {
  return text.split(/(\{\w{1,32}\})/);
}

/** Gives the value for a word in braces; `undefined` for anything else. */
export function partOf(part: string, values: TextValues): string | undefined {
  const name = part.startsWith("{") ? part.slice(1, -1) : "";
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
