/**
 * The texts of the built-in pages and emails, as a type that each language fills.
 *
 * @module
 */

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
export interface Texts {
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
