/**
 * The texts of the pages and emails about passwords, as a type that each language fills.
 *
 * @module
 */

/** The texts of the pages and emails about passwords. */
export interface PasswordTexts {
  /** Title and heading of the page to register with a password. `{name}` */
  readonly signUpTitle: string;
  /** Below it: what happens next. */
  readonly signUpLead: string;
  /** Button of that page. */
  readonly signUpButton: string;
  /** Label of the field for a name, which may stay empty. */
  readonly yourName: string;
  /** Label of the field for a password that somebody chooses. */
  readonly newPassword: string;
  /** Below it: the fewest characters. `{count}` */
  readonly newPasswordHint: string;
  /** Name of the button that shows what was typed into a field for a password. */
  readonly showPassword: string;
  /** Link to the page for those who have forgotten their password, and its title and heading. */
  readonly forgotPassword: string;
  /** Below it. */
  readonly forgotPasswordLead: string;
  /** Button of that page. */
  readonly forgotPasswordButton: string;
  /** Title and heading of the page to choose a password, from the link of an email. */
  readonly resetTitle: string;
  /** The same for somebody who is signed in, and has no password yet. */
  readonly setPasswordTitle: string;
  /** The same for somebody who is signed in, and has one. */
  readonly changePasswordTitle: string;
  /** Below it, from the link of a reset. `{email}` */
  readonly resetLead: string;
  /** Below it, from the link of a registration that began in another browser. `{email}` */
  readonly claimLead: string;
  /** Below it, for somebody who is signed in. `{email}` */
  readonly setPasswordLead: string;
  /** After it, where saving a password ends the sessions elsewhere. */
  readonly signsOutElsewhere: string;
  /** Button of that page. */
  readonly savePassword: string;
  /** Button that removes the password. */
  readonly removePassword: string;
  /** Before it: what that means. */
  readonly removePasswordLead: string;
  /** On the page to change a password, once it was saved. */
  readonly passwordSaved: string;
  /** On the page to set a password, once it was removed. */
  readonly passwordRemoved: string;
  /** On the page after an email was sent with a link that confirms an address. */
  readonly checkEmailConfirmLead: string;
  /** The same with a link to choose a new password. */
  readonly checkEmailResetLead: string;
  /** On the page to ask for an email, to somebody whose link no longer works. */
  readonly errorResetExpired: string;
  /** An address cannot be used. */
  readonly errorAddress: string;
  /** A password is too short. `{count}` */
  readonly errorPasswordShort: string;
  /** A password is too long. `{count}` */
  readonly errorPasswordLong: string;
  /** Many people use this password, or it is easy to guess. */
  readonly errorPasswordCommon: string;
  /** A password has leaked elsewhere. */
  readonly errorPasswordBreached: string;
  /** A password is the one that somebody has now. */
  readonly errorPasswordReused: string;
  /** Too many people are signing in at the same time. */
  readonly errorBusy: string;
  /** Subject and heading of the email to somebody who registers. `{name}` */
  readonly mailConfirm: string;
  /** Button in it. */
  readonly mailConfirmButton: string;
  /** The same to somebody who has an account. `{name}` */
  readonly mailHasAccount: string;
  /** In it. */
  readonly mailHasAccountLead: string;
  /** Subject and heading of the email with the link to choose a new password. `{name}` */
  readonly mailReset: string;
  /** Button in it. */
  readonly mailResetButton: string;
  /** In it: what to do with an email that nobody asked for. */
  readonly mailResetIgnore: string;
  /** Subject and heading of the email to somebody who has no account, or cannot have a password. `{name}` */
  readonly mailNoAccount: string;
  /** In it. */
  readonly mailNoAccountLead: string;
  /** Subject and heading of the email after a password was set. `{name}` */
  readonly mailPasswordSet: string;
  /** The same after it was changed. `{name}` */
  readonly mailPasswordChanged: string;
  /** The same after it was removed. `{name}` */
  readonly mailPasswordRemoved: string;
  /** In these emails: what to do if it was not you. `{name}` */
  readonly mailPasswordNotYou: string;
}
