/**
 * The texts of the account page and its emails, in English.
 *
 * @module
 */

/** The texts of the account page and its emails. */
export interface AccountTexts {
  /** Title and heading of the account page, and of the links to it. */
  readonly accountTitle: string;

  /** Subject and heading of the email after an account at a provider was removed. `{provider}`, `{name}` */
  readonly mailAccountRemoved: string;
  /** The same after a passkey was removed. `{name}` */
  readonly mailPasskeyRemoved: string;
  /** The same after the address was changed. `{name}` */
  readonly mailEmailChanged: string;
  /** The same after somebody took the file with their data. `{name}` */
  readonly mailDataExported: string;
  /** The same after an account was deleted. `{name}` */
  readonly mailAccountDeleted: string;
  /** The same after what was removed came back by the link of an email. `{name}` */
  readonly mailRemovalUndone: string;
}

/** English. */
export const ACCOUNT_TEXTS: AccountTexts = {
  accountTitle: "Your account",

  mailAccountRemoved: "Sign-in with {provider} was removed from your account at {name}",
  mailPasskeyRemoved: "A passkey was removed from your account at {name}",
  mailEmailChanged: "The email address of your account at {name} was changed",
  mailDataExported: "The data of your account at {name} were downloaded",
  mailAccountDeleted: "Your account at {name} was deleted",
  mailRemovalUndone: "What was removed from your account at {name} is back",
};
