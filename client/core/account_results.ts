/**
 * What the functions for the account take, and what they give.
 *
 * @module
 */
import type { Failure } from "./results.ts";

/** Options of what asks the service for something of the account. */
export interface AccountOptions {
  /** Where the service is mounted on this origin. @default {"/auth"} */
  readonly basePath?: string | undefined;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
  /** Where somebody comes back to who has to prove first who they are. @default this page */
  readonly redirectTo?: string | undefined;
}

/** Options of an act. */
export interface AccountActOptions extends AccountOptions {
  /** What the widget of another service gives, such as `cf-turnstile-response`. */
  readonly [field: string]: unknown;
}

/** Options of `account.changeEmail()`. */
export interface ChangeEmailOptions extends AccountActOptions {
  /**
   * Whether the person cannot read emails to their former address any more. Who has a second factor then waits for 7 days.
   *
   * @default {false}
   */
  readonly lost?: boolean | undefined;
}

/** Options of `account.exportData()`. */
export interface ExportDataOptions extends AccountActOptions {
  /** Whether the browser saves it as the file `account.json`. @default {true} */
  readonly save?: boolean | undefined;
}

/**
 * Whether something that lets a person in may be removed. `last`: they could not get in without it. `kept`: it is the
 * application's, or storage cannot remove it.
 */
export type OwnRemoval = "allowed" | "last" | "kept";

/** An account of the person at a provider. */
export interface OwnWay {
  /** Stands for it in `unlink()`. */
  readonly id: string;
  /** Id of the provider. */
  readonly provider: string;
  /** Name of the provider. */
  readonly name: string;
  /** Whether it works now: its provider is configured. */
  readonly works: boolean;
  /** Whether it may be removed. */
  readonly removal: OwnRemoval;
}

/** A passkey of the person. */
export interface OwnPasskey {
  /** Stands for it in `renamePasskey()` and `removePasskey()`. */
  readonly id: string;
  /** The credential id in base64url. */
  readonly credentialId: string;
  /** The name that the person chose, or that of what keeps it; `null` if neither is known. */
  readonly name: string | null;
  /** When it was made, in ISO 8601, if that is known. */
  readonly createdAt: string | null;
  /** When it was used last, in ISO 8601, if it was and that is known. */
  readonly usedAt: string | null;
  /** Whether it is copied to other devices of the person. */
  readonly isSynced: boolean;
  /** Whether it may be removed. */
  readonly removal: OwnRemoval;
}

/** A session of the person. */
export interface OwnSession {
  /** Stands for it in `endSession()`. */
  readonly id: string;
  /** Whether it is that of this browser. */
  readonly isCurrent: boolean;
  /** When it began, in ISO 8601, if that is known. */
  readonly signedInAt: string | null;
  /** When it ends, in ISO 8601. */
  readonly expires: string;
  /** The name of the provider that it began with, if that is known. */
  readonly provider: string | null;
  /** Family of the browser, if it is known. */
  readonly browser: string | null;
  /** Family of the system, if it is known. */
  readonly system: string | null;
  /** Where it began, in the words of the site, if the site asks for it. */
  readonly place: string | null;
}

/** The account of the person who is signed in. Sections whose data do not exist are `null`. */
export interface OwnAccount {
  /** Who they are. */
  readonly user: {
    readonly id: string;
    readonly name: string | null;
    readonly email: string | null;
    readonly image: string | null;
    readonly isEmailProven: boolean;
  };
  /** Whether the name may be changed. */
  readonly mayRename: boolean;
  /** Whether the address may be changed. */
  readonly mayChangeEmail: boolean;
  /** Another address that waits, because the former mailbox is lost: `at` in ISO 8601, and whether that time has come. */
  readonly waitingEmail: { readonly to: string; readonly at: string; readonly isDue: boolean } | null;
  /** Accounts at providers. */
  readonly ways: readonly OwnWay[] | null;
  /** Providers at which another account can be linked: by `signIn(provider)`. */
  readonly addable: readonly { readonly provider: string; readonly name: string; readonly url: string }[];
  /** Passkeys. */
  readonly passkeys: readonly OwnPasskey[] | null;
  /** The page on which a passkey is made; `null` if the site has none. On your own, `registerPasskey()` does it. */
  readonly passkeyUrl: string | null;
  /** What tells a browser which passkeys there are. The functions of this module do it by themselves. */
  readonly passkeySignals: {
    readonly rpId: string;
    readonly userHandle: string;
    readonly optionsUrl?: string | undefined;
    readonly upgradeUrl?: string | undefined;
  } | null;
  /** The password, when it was set in ISO 8601, and its page. */
  readonly password: { readonly isSet: boolean; readonly setAt: string | null; readonly url: string } | null;
  /** Whether a second proof is asked for, how many recovery codes are left, and the page of second factors. */
  readonly secondFactor: { readonly isOn: boolean; readonly recoveryCodes: number | null; readonly url: string } | null;
  /** Sessions. */
  readonly sessions: readonly OwnSession[] | null;
  /** Whether there is a file with all data. */
  readonly mayExport: boolean;
  /** Whether the account may be deleted. */
  readonly mayDelete: boolean;
  /** When the account is deleted, in ISO 8601, if the person has asked for it. */
  readonly deletedAt: string | null;
}

/** Why nothing was read or changed. */
export interface AccountFailure extends Failure {
  /**
   * What did not work.
   *
   * - `name`: that is no name, or it is too long.
   * - `email`, `same-email`: that is no address, or it is the address of the account.
   * - `last-way`: nobody could get in without it.
   * - `not-found`: there is no such thing, or it is not for the person to remove.
   * - `typed`: what was typed does not match `typed`.
   * - `expired`: it is too late for it.
   * - `too-many`: there were too many attempts, and the built-in challenge did not help.
   * - `not-sent`: the email could not be sent.
   */
  readonly problem?:
    | "name"
    | "email"
    | "same-email"
    | "last-way"
    | "not-found"
    | "typed"
    | "expired"
    | "too-many"
    | "not-sent"
    | undefined;
  /** What has to be typed, so that the account is deleted: the address, or a word in the language of the person. */
  readonly typed?: string | undefined;
  /** The account as it is now, where the service gives it. */
  readonly account?: OwnAccount | undefined;
  /** The page that helps, and then leads back: of `SessionRequired` and `StepUpRequired` where to prove who it is. */
  readonly url?: string | undefined;
}

/** What was done, with the account as it is now. */
export interface AccountDone {
  /** It worked. */
  readonly ok: true;
  /** The account. */
  readonly account: OwnAccount;
}

/** An email was sent to the new address. Nothing has changed yet: whoever opens its link is asked what comes next. */
export interface EmailAsked extends AccountDone {
  /** The address that it went to. */
  readonly sentTo: string;
}

/** The session is no more, and perhaps the account. */
export interface AccountLeft {
  /** It worked. */
  readonly ok: true;
  /** There is none that this browser may see. */
  readonly account: null;
  /** Where to go: the sign-in page, or what the application says. */
  readonly url?: string | undefined;
}

/** The data of the account. */
export interface AccountData {
  /** It worked. */
  readonly ok: true;
  /** What is in the file. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** What became of an act. */
export type AccountResult = AccountDone | AccountFailure;

/** What is known of the account, for all who watch it. */
export interface AccountState {
  /** The account; `null` if nobody is signed in, `undefined` while that is not known. */
  readonly account: OwnAccount | null | undefined;
  /** Why the last question or act failed; `null` if it did not. The rest is what was known before. */
  readonly error: AccountFailure | null;
  /** Whether an answer of the service is waited for. */
  readonly isLoading: boolean;
}

/**
 * What can be done with one's account. Nothing is thrown. But for `rename()`, `renamePasskey()`, `cancelEmail()` and `keep()`, an
 * act needs a sign-in of the last 10 minutes, with every proof that is asked of the person.
 */
export interface AccountActs {
  /** Changes the name. */
  rename(name: string, options?: AccountActOptions): Promise<AccountResult>;
  /** Sends an email to a new address. The address changes once both mailboxes have agreed. */
  changeEmail(to: string, options?: ChangeEmailOptions): Promise<EmailAsked | AccountFailure>;
  /** Takes over the address that has waited: `waitingEmail`, once it is due. */
  takeEmail(options?: AccountActOptions): Promise<AccountResult>;
  /** Stops the address that waits. */
  cancelEmail(options?: AccountActOptions): Promise<AccountResult>;
  /** Removes an account at a provider: `id` of one of `ways`. Other sessions end. */
  unlink(id: string, options?: AccountActOptions): Promise<AccountResult>;
  /** Names a passkey: `id` of one of `passkeys`. */
  renamePasskey(id: string, name: string, options?: AccountActOptions): Promise<AccountResult>;
  /** Removes a passkey, and tells the device, where the browser can. Other sessions end. */
  removePasskey(id: string, options?: AccountActOptions): Promise<AccountResult>;
  /** Ends a session: `id` of one of `sessions`. It may be that of this browser. */
  endSession(id: string, options?: AccountActOptions): Promise<AccountResult | AccountLeft>;
  /** Ends all sessions but that of this browser. */
  endOthers(options?: AccountActOptions): Promise<AccountResult>;
  /** Saves a file with all data of the account. */
  exportData(options?: ExportDataOptions): Promise<AccountData | AccountFailure>;
  /**
   * Deletes the account, or begins to if the site keeps accounts for some days.
   *
   * @param typed What the person has typed, to show that they mean it: their address. `typed` of the failure says what it is.
   */
  delete(typed: string, options?: AccountActOptions): Promise<AccountResult | AccountLeft>;
  /** Keeps an account that was to be deleted. */
  keep(options?: AccountActOptions): Promise<AccountResult>;
}

/** What a page of your own needs for the account. */
export interface AccountClient extends AccountActs {
  /** Reads the account. The error is `SessionRequired` if nobody is signed in. */
  get(options?: AccountOptions): Promise<AccountResult>;
}

/** What components get: what is known of the account, and what can be done with it. */
export interface AccountHook extends AccountState, AccountActs {
  /** Asks for the account again, for all who watch it. */
  refresh(): Promise<void>;
}
