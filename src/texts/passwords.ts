/**
 * The texts of the pages and emails about passwords, in English.
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
  /** Title and heading of the page to choose a password, from the link of an email or by somebody who is signed in. */
  readonly resetTitle: string;
  /** The same for somebody who is signed in, and has no password yet. */
  readonly setPasswordTitle: string;
  /** The same for somebody who is signed in, and has one. */
  readonly changePasswordTitle: string;
  /** Below it, from the link of a reset. `{email}` */
  readonly resetLead: string;
  /** Below it, from the link of a registration that began in another browser. `{email}` */
  readonly claimLead: string;
  /** Below it, for somebody who has no password yet. `{email}` */
  readonly setPasswordLead: string;
  /** Below it, for somebody who has one. */
  readonly changePasswordLead: string;
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
}

/** English. */
export const PASSWORD_TEXTS: PasswordTexts = {
  signUpTitle: "Create an account at {name}",
  signUpLead: "We will send you an email to confirm your address.",
  signUpButton: "Create account",
  yourName: "Name (optional)",
  newPassword: "New password",
  newPasswordHint: "At least {count} characters. Several words are easy to remember.",
  showPassword: "Show password",
  forgotPassword: "Forgot your password?",
  forgotPasswordLead: "We will send you an email with a link to choose a new one.",
  forgotPasswordButton: "Send the email",
  resetTitle: "Choose a new password",
  setPasswordTitle: "Set a password",
  changePasswordTitle: "Change your password",
  resetLead: "You are choosing a new password for {email}. You are signed out on all other devices.",
  claimLead:
    "An account for {email} was begun in another browser. Choose your own password to create it, or close this page.",
  setPasswordLead: "You can sign in with {email} and this password from now on.",
  changePasswordLead: "You are signed out on all other devices.",
  savePassword: "Save password",
  removePassword: "Remove password",
  removePasswordLead: "You can no longer sign in with it, but in another way. You are signed out on all other devices.",
  passwordSaved: "Your password is saved.",
  passwordRemoved: "Your password is removed.",
  checkEmailConfirmLead: "We sent you a link. Open it in this browser to confirm your address.",
  checkEmailResetLead: "We sent you a link. Open it to choose a new password.",
  errorResetExpired: "This link has been used already, or it has expired. Ask for a new one here.",
  errorAddress: "This is not an email address. Please check it.",
  errorPasswordShort: "This password is too short. It needs at least {count} characters.",
  errorPasswordLong: "This password is too long. It may have {count} characters at most.",
  errorPasswordCommon: "This password is easy to guess. Please choose another one.",
  errorPasswordBreached: "This password was found in stolen data of other sites. Please choose another one.",
  errorPasswordReused: "This is the password that you have now. Please choose another one.",
  errorBusy: "There are too many visitors just now. Please try again in a moment.",
  mailConfirm: "Confirm your email address for {name}",
  mailConfirmButton: "Confirm address",
  mailHasAccount: "You already have an account at {name}",
  mailHasAccountLead:
    "Somebody, probably you, wanted to create an account with this address. Sign in, or choose a new password if you have forgotten yours.",
  mailReset: "Choose a new password for {name}",
  mailResetButton: "Choose a password",
  mailResetIgnore: "If you did not ask for it, you can ignore this mail: your password stays as it is.",
  mailNoAccount: "No password can be chosen for this address at {name}",
  mailNoAccountLead:
    "Somebody, probably you, asked for a new password. There is no account with a password for this address. Perhaps you used another one.",
  mailPasswordSet: "A password was set for your account at {name}",
  mailPasswordChanged: "The password of your account at {name} was changed",
  mailPasswordRemoved: "The password of your account at {name} was removed",
};
