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
  /** In the email after the address was changed, and after an account was deleted: what to do if it was not you. `{name}` */
  readonly mailTellSite: string;

  /** What somebody without an address types to delete their account. */
  readonly accountDeleteWord: string;

  /** Subject and heading of the email to a new address, with a button that confirms it. `{name}` */
  readonly mailEmailNew: string;
  /** Button in it. */
  readonly mailEmailNewButton: string;
  /** Below it. */
  readonly mailEmailNewIgnore: string;
  /** Subject and heading of the email to somebody whose address another account was to get. `{name}` */
  readonly mailEmailTaken: string;
  /** In it. */
  readonly mailEmailTakenLead: string;
  /** Subject and heading of the email to the former address, with a button to allow the change. `{name}` */
  readonly mailEmailFormer: string;
  /** In it, and in the email about a former address that is lost: which one is the new one. `{email}` */
  readonly mailEmailFormerLead: string;
  /** Button in it, to the page where it is allowed, or not. */
  readonly mailEmailFormerButton: string;
  /** Subject and heading of the email to both addresses if the former one is lost. `{name}` */
  readonly mailEmailWaits: string;
  /** In it. `{time}` */
  readonly mailEmailWaitsWhen: string;
  /** Button in it, to the page where it is ended. */
  readonly mailEmailWaitsButton: string;
  /** Subject and heading of the email after a change of the address was stopped. `{name}` */
  readonly mailEmailStopped: string;
  /** In it, if all sessions have ended. */
  readonly mailEmailStoppedLead: string;
  /** Subject and heading of the email to somebody whose account is deleted later. `{name}` */
  readonly mailDeletion: string;
  /** In it. `{time}` */
  readonly mailDeletionWhen: string;
  /** Button in it. */
  readonly mailDeletionButton: string;
  /** Subject and heading of the email after somebody has kept their account. `{name}` */
  readonly mailKept: string;
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
  mailTellSite: "If this was you, there is nothing to do. If not, tell {name} at once.",

  accountDeleteWord: "delete",

  mailEmailNew: "Confirm your new email address for {name}",
  mailEmailNewButton: "Confirm address",
  mailEmailNewIgnore: "If you did not ask for it, you can ignore this email: nothing changes.",
  mailEmailTaken: "Somebody wanted to use your email address at {name}",
  mailEmailTakenLead:
    "You have an account with this address, so no other account gets it. If it was you, sign in to that account. Nothing has changed.",
  mailEmailFormer: "Is the email address of your account at {name} to change?",
  mailEmailFormerLead: "The new address: {email}",
  mailEmailFormerButton: "Allow it, or stop it",
  mailEmailWaits: "The email address of your account at {name} is going to change",
  mailEmailWaitsWhen:
    "Somebody who has signed in with two proofs says that your former mailbox is lost. From {time} on they can take over the new address. If this was not you, stop it.",
  mailEmailWaitsButton: "Stop it",
  mailEmailStopped: "The email address of your account at {name} stays as it is",
  mailEmailStoppedLead: "The change was stopped, and you are signed out on all devices.",
  mailDeletion: "Your account at {name} is going to be deleted",
  mailDeletionWhen: "It is deleted after {time}. Until then you can sign in and keep it.",
  mailDeletionButton: "Keep the account",
  mailKept: "Your account at {name} is not deleted",
};
