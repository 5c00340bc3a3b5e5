/**
 * The texts of the account page and its emails, as a type that each language fills, and in English.
 *
 * @module
 */

/** The texts of the account page and its emails. */
export interface AccountTexts {
  /** Title and heading of the account page, and of the links to it. */
  readonly accountTitle: string;
  /** Link back to it. */
  readonly accountBack: string;
  /** Heading of the section with the name. */
  readonly accountProfile: string;
  /** Heading of the section with accounts at providers. */
  readonly accountWays: string;
  /** Heading of the section with passkeys. */
  readonly accountPasskeys: string;
  /** Heading of the section with sessions. */
  readonly accountDevices: string;
  /** Heading of the section with the file of one's data. */
  readonly accountData: string;

  /** Before the name, and label of its field. */
  readonly accountName: string;
  /** In place of a name, an address or a password. */
  readonly accountNotSet: string;
  /** Link to the page that changes a name, an address or a password. */
  readonly accountChange: string;
  /** Link to a page where more is set up. */
  readonly accountManage: string;
  /** Marks an address that is proven. */
  readonly accountProven: string;
  /** Marks one that is not. */
  readonly accountUnproven: string;
  /** Another address waits. `{email}` */
  readonly accountWaiting: string;
  /** After it: from when on it may be used. `{date}` */
  readonly accountWaitingUntil: string;
  /** Button that takes it over. */
  readonly accountTakeEmail: string;
  /** Button that drops it. */
  readonly accountCancelEmail: string;
  /** In place of accounts at providers. */
  readonly accountNoWays: string;
  /** Button that adds an account at a provider. `{provider}` */
  readonly accountAdd: string;
  /** Marks an account whose provider the site no longer has. */
  readonly accountOff: string;
  /** Marks what somebody cannot get in without. */
  readonly accountLast: string;
  /** Below it: why it cannot be removed. */
  readonly accountLastHint: string;
  /** In place of passkeys. */
  readonly accountNoPasskeys: string;
  /** Marks a passkey that is copied to other devices of its owner. */
  readonly accountSynced: string;
  /** When a password was set. `{date}` */
  readonly accountSetOn: string;
  /** Marks that two-step sign-in is on. */
  readonly accountIsOn: string;
  /** Marks that it is off. */
  readonly accountIsOff: string;
  /** Name of a device. `{browser}`, `{system}` */
  readonly accountDevice: string;
  /** Name of a device of which nothing is known. */
  readonly accountUnknownDevice: string;
  /** Marks the device that the page is shown on. */
  readonly accountThisDevice: string;
  /** When a session began. `{date}` */
  readonly accountSignedIn: string;
  /** What it began with. `{provider}` */
  readonly accountSignedInWith: string;
  /** Button that ends all other sessions. */
  readonly accountEndOthers: string;
  /** Above the button that saves a file with one's data. */
  readonly accountExportLead: string;
  /** That button. */
  readonly accountExport: string;
  /** Above the link to the page that deletes the account. */
  readonly accountDeleteHint: string;
  /** That link, heading of its section, and button of the page. */
  readonly accountDelete: string;
  /** The account will be deleted. `{date}` */
  readonly accountLeaving: string;
  /** Button that keeps it. */
  readonly accountKeep: string;

  /** After the address was changed. */
  readonly accountDoneEmail: string;
  /** After the change of the address was cancelled. */
  readonly accountDoneCancelEmail: string;
  /** After an account at a provider or a passkey was removed. */
  readonly accountDoneRemoved: string;
  /** After a session was ended. */
  readonly accountDoneEnded: string;
  /** After all other sessions were ended. */
  readonly accountDoneOthers: string;
  /** After the account was kept. */
  readonly accountDoneKept: string;

  /** Title and heading of the page that changes the name. */
  readonly accountRenameTitle: string;
  /** Title and heading of the page that changes the address. */
  readonly accountEmailTitle: string;
  /** Below it: what happens next. */
  readonly accountEmailLead: string;
  /** The same where the former address is asked, too. `{email}` is the former one. */
  readonly accountEmailLeadFormer: string;
  /** Label of the field for another address. */
  readonly accountNewEmail: string;
  /** Tick box for those who cannot read emails to their former address. `{email}` */
  readonly accountLost: string;
  /** Below it. `{duration}` is a number with a unit. */
  readonly accountLostHint: string;
  /** Button of that page. */
  readonly accountSendLink: string;
  /** After an email was sent to the new address. */
  readonly accountSentNew: string;
  /** After one was sent to the former address. */
  readonly accountSentFormer: string;
  /** Title and heading of the page behind the link to the new address. */
  readonly accountTakeTitle: string;
  /** Below it. `{email}` is the new address. */
  readonly accountTakeLead: string;
  /** Title and heading of the page behind the link to the former address. */
  readonly accountAllowTitle: string;
  /** Below it. `{email}` is the new address. */
  readonly accountAllowLead: string;
  /** Button that allows it. */
  readonly accountAllow: string;
  /** Button of somebody who has not asked for it. */
  readonly accountNotMe: string;
  /** Below it: what that does. */
  readonly accountNotMeHint: string;
  /** Below the heading of the page that removes an account at a provider. `{provider}` */
  readonly accountUnlinkLead: string;
  /** Title and heading of the page that renames a passkey. */
  readonly accountRenamePasskeyTitle: string;
  /** Below the heading of the page that removes a passkey. */
  readonly accountRemovePasskeyLead: string;
  /** Title and heading of the page that deletes the account. */
  readonly accountDeleteTitle: string;
  /** Below it, where it is deleted at once. `{name}` is the name of the site. */
  readonly accountDeleteLead: string;
  /** The same, where it is deleted later; `{duration}` is a number with a unit. `{name}` */
  readonly accountDeleteLater: string;
  /** Label of the field where somebody types `{typed}`. */
  readonly accountDeleteTyped: string;
  /** What somebody types who has no address. */
  readonly accountDeleteWord: string;
  /** Title and heading of the page that a link in an email leads to, after something was removed. */
  readonly accountUndoTitle: string;
  /** Below it. */
  readonly accountUndoLead: string;
  /** Below the heading after that. */
  readonly accountUndoneLead: string;

  /** Another address is the one that somebody has. */
  readonly errorSameEmail: string;
  /** What somebody wants to remove is their last way in. */
  readonly errorLastWay: string;
  /** What somebody wants to change is not there. */
  readonly errorGone: string;
  /** What was typed is not what was asked for. `{typed}` */
  readonly errorTyped: string;
  /** There were too many attempts of somebody who is signed in. */
  readonly errorTooOften: string;
  /** An email could not be sent. */
  readonly errorNotSent: string;

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
  accountBack: "Back to your account",
  accountProfile: "Profile",
  accountWays: "Ways to sign in",
  accountPasskeys: "Passkeys",
  accountDevices: "Devices",
  accountData: "Your data",

  accountName: "Name",
  accountNotSet: "Not set",
  accountChange: "Change",
  accountManage: "Manage",
  accountProven: "Confirmed",
  accountUnproven: "Not confirmed",
  accountWaiting: "Your address is to become {email}.",
  accountWaitingUntil: "You can confirm it on {date} or later.",
  accountTakeEmail: "Use the new address",
  accountCancelEmail: "Keep the address as it is",
  accountNoWays: "You sign in with no other account yet.",
  accountAdd: "Add {provider}",
  accountOff: "Not in use",
  accountLast: "Your only way in",
  accountLastHint: "You cannot remove it before you add another way to sign in.",
  accountNoPasskeys: "You have no passkey yet.",
  accountSynced: "Synced",
  accountSetOn: "Set: {date}",
  accountIsOn: "On",
  accountIsOff: "Off",
  accountDevice: "{browser} on {system}",
  accountUnknownDevice: "Unknown device",
  accountThisDevice: "This device",
  accountSignedIn: "Signed in: {date}",
  accountSignedInWith: "With: {provider}",
  accountEndOthers: "Sign out on all other devices",
  accountExportLead: "Download a file with everything that your account holds.",
  accountExport: "Download your data",
  accountDeleteHint: "Your account and all its data will be gone.",
  accountDelete: "Delete account",
  accountLeaving: "Your account will be deleted on {date}.",
  accountKeep: "Keep my account",

  accountDoneEmail: "Your email address is changed.",
  accountDoneCancelEmail: "Your email address stays as it is.",
  accountDoneRemoved: "It was removed.",
  accountDoneEnded: "That device is signed out.",
  accountDoneOthers: "You are signed out on all other devices.",
  accountDoneKept: "Your account will not be deleted.",

  accountRenameTitle: "Change your name",
  accountEmailTitle: "Change your email address",
  accountEmailLead: "We will send a link to the new address. Your address changes once you open it.",
  accountEmailLeadFormer:
    "We will send a link to the new address, and then one to {email}. Your address changes once you have opened both.",
  accountNewEmail: "New email address",
  accountLost: "I can no longer read emails to {email}",
  accountLostHint: "Your address then changes after a wait: {duration}.",
  accountSendLink: "Send the link",
  accountSentNew: "We sent a link to the new address. Your address stays as it is until you open it.",
  accountSentFormer:
    "The new address is confirmed. Now open the link that we sent to your present address: until then, it stays as it is.",
  accountTakeTitle: "Is this your new address?",
  accountTakeLead: "{email} is to become the address of your account.",
  accountAllowTitle: "Allow another address?",
  accountAllowLead: "Somebody, probably you, wants to change the address of your account to {email}.",
  accountAllow: "Allow the change",
  accountNotMe: "This was not me",
  accountNotMeHint: "If it was not you, your address stays as it is, and you are signed out on all devices.",
  accountUnlinkLead: "You can no longer sign in with {provider}, and you are signed out on all other devices.",
  accountRenamePasskeyTitle: "Rename your passkey",
  accountRemovePasskeyLead: "You can no longer sign in with it, and you are signed out on all other devices.",
  accountDeleteTitle: "Delete your account?",
  accountDeleteLead: "Your account at {name} and all its data are deleted at once. Nobody can bring them back.",
  accountDeleteLater:
    "You are signed out on all devices, and your account at {name} is deleted after a wait: {duration}. If you change your mind until then, sign in and keep it.",
  accountDeleteTyped: "To confirm, type: {typed}",
  accountDeleteWord: "delete",
  accountUndoTitle: "Bring back what was removed?",
  accountUndoLead: "What was removed from your account comes back, and you are signed out on all devices.",
  accountUndoneLead: "What was removed is back, and you are signed out on all devices.",

  errorSameEmail: "This is the address that you have now.",
  errorLastWay: "This is your only way in. Add another way to sign in first.",
  errorGone: "This is not there any more. Look at what your account holds now.",
  errorTyped: "That is not what was asked for. Please type: {typed}",
  errorTooOften: "There were too many attempts. Please wait a little.",
  errorNotSent: "We could not send the email. Please check the address and try again.",

  mailAccountRemoved: "Sign-in with {provider} was removed from your account at {name}",
  mailPasskeyRemoved: "A passkey was removed from your account at {name}",
  mailEmailChanged: "The email address of your account at {name} was changed",
  mailDataExported: "The data of your account at {name} were downloaded",
  mailAccountDeleted: "Your account at {name} was deleted",
  mailRemovalUndone: "What was removed from your account at {name} is back",
  mailTellSite: "If this was you, there is nothing to do. If not, tell {name} at once.",

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
