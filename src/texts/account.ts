/**
 * The texts of the account page and its emails, as a type that each language fills.
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
