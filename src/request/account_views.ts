/**
 * The account page as plain data: pages render it, and JSON clients get it.
 *
 * @module
 */
import type { ProviderStyle } from "../contract/provider.ts";

/**
 * Whether something that lets a person in may be removed. `last`: they could not get in without it. `kept`: it is the
 * application's, or storage cannot remove it.
 */
export type Removal = "allowed" | "last" | "kept";

/** An account at a provider. */
export interface AccountWay {
  /** Stands for it in forms. It says nothing about the account. */
  readonly id: string;
  /** Id of the provider. */
  readonly provider: string;
  /** Name of the provider. */
  readonly name: string;
  /** Whether it works now: its provider is configured. */
  readonly works: boolean;
  /** Whether it may be removed. */
  readonly removal: Removal;
}

/** A passkey, as its owner sees it. */
export interface AccountPasskey {
  /** Stands for it in forms. */
  readonly id: string;
  /** The credential id in base64url, with which a browser is told what has become of it. */
  readonly credentialId: string;
  /** The name that its owner chose, or that of its authenticator; `null` if neither is known. */
  readonly name: string | null;
  /** When it was made, if that is known. */
  readonly createdAt: Date | null;
  /** When it was used last, if it was and that is known. */
  readonly usedAt: Date | null;
  /** Whether it is copied to other devices of its owner. */
  readonly isSynced: boolean;
  /** Whether it may be removed. */
  readonly removal: Removal;
}

/** A session, as its owner sees it. */
export interface AccountSession {
  /** Its id, as `auth.sessions` gives it. */
  readonly id: string;
  /** Whether it is the one that is used. */
  readonly isCurrent: boolean;
  /** When it began, if that is known. */
  readonly signedInAt: Date | null;
  /** When it ends. */
  readonly expires: Date;
  /** The name of the provider that it began with, if that is known. */
  readonly provider: string | null;
  /** Family of the browser, if it is known. */
  readonly browser: string | null;
  /** Family of the system, if it is known. */
  readonly system: string | null;
  /** Where it began, if the site asks for it. */
  readonly place: string | null;
}

/** Another address that waits. */
export interface WaitingEmail {
  /** The address. */
  readonly to: string;
  /** When it may be taken over without the former mailbox. */
  readonly at: Date;
  /** Whether that time has come. */
  readonly isDue: boolean;
}

/** What a browser is told of passkeys with. */
export interface PasskeySignals {
  /** Id of the relying party. */
  readonly rpId: string;
  /** The user handle in base64url. */
  readonly userHandle: string;
  /** Where a script asks for the list of passkeys. */
  readonly optionsUrl?: string | undefined;
  /** Where a script posts the passkey that the browser may make by itself; absent if it may not. */
  readonly upgradeUrl?: string | undefined;
}

/** Everything that somebody may see of their account. Sections whose data do not exist are `null`. */
export interface AccountView {
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
  /** Another address that waits, if one does. */
  readonly waitingEmail: WaitingEmail | null;
  /** Accounts at providers, with what the application keeps. */
  readonly ways: readonly AccountWay[] | null;
  /** Providers whose account can be linked. */
  readonly addable: readonly { readonly provider: string; readonly name: string; readonly url: string }[];
  /** Passkeys. */
  readonly passkeys: readonly AccountPasskey[] | null;
  /** Where a passkey is made; `null` if the site has none. */
  readonly passkeyUrl: string | null;
  /** What tells a browser which passkeys there are. */
  readonly passkeySignals: PasskeySignals | null;
  /** The password, when it was set if that is known, and its page. */
  readonly password: { readonly isSet: boolean; readonly setAt: Date | null; readonly url: string } | null;
  /** Whether a second proof is asked for, how many recovery codes are left, and the page of second factors. */
  readonly secondFactor: { readonly isOn: boolean; readonly recoveryCodes: number | null; readonly url: string } | null;
  /** Sessions. */
  readonly sessions: readonly AccountSession[] | null;
  /** Whether there is a file with all data. */
  readonly mayExport: boolean;
  /** Whether the account may be deleted. */
  readonly mayDelete: boolean;
  /** When the account is deleted, if its owner has asked for it. */
  readonly deletedAt: Date | null;
}

/** What can be done. Each has a row in the table of acts. */
export type AccountAct =
  | "rename"
  | "changeEmail"
  | "allowEmail"
  | "takeEmail"
  | "cancelEmail"
  | "unlink"
  | "renamePasskey"
  | "removePasskey"
  | "endSession"
  | "endOthers"
  | "export"
  | "delete"
  | "keep"
  | "undo"
  | "section";

/** What did not work. */
export type AccountProblem =
  | "name"
  | "email"
  | "same-email"
  | "last-way"
  | "not-found"
  | "typed"
  | "expired"
  | "too-many"
  | "not-sent"
  | "section";

/** What the page asks for. */
export type AccountStep =
  /** `done`: what was done just now. */
  | { readonly kind: "overview"; readonly done: AccountAct | null }
  | { readonly kind: "rename" }
  /** Its form sends `to`, and `lost=1` from somebody who cannot read emails to their former address. */
  | {
    readonly kind: "email";
    readonly to: string | null;
    /** Days that these people wait. @default they have no such way */
    readonly lostDays?: number;
  }
  | { readonly kind: "email-sent"; readonly to: string; readonly waitsFor: "new" | "former" }
  /** From the link of an email, to be posted back. `former`: its owner allows it, or it was not them. */
  | { readonly kind: "confirm-email"; readonly token: string; readonly to: string; readonly at: "new" | "former" }
  | { readonly kind: "unlink"; readonly way: AccountWay }
  | { readonly kind: "rename-passkey"; readonly passkey: AccountPasskey }
  | { readonly kind: "remove-passkey"; readonly passkey: AccountPasskey }
  /** `typed`: what has to be typed, in a field of that name: the address, or a word of the page (`accountDeleteWord`). */
  | { readonly kind: "delete"; readonly typed: string; readonly graceDays: number }
  /** From the link of an email: what was removed comes back, and all sessions end. */
  | { readonly kind: "undo"; readonly token: string; readonly isProven: boolean; readonly signInUrl: string }
  | { readonly kind: "undone"; readonly signInUrl: string };

/** A section of the application, drawn. */
export interface OwnSection {
  readonly id: string;
  readonly title: string;
  /** Only what `html` has made. */
  readonly html: string;
  /** Whether it takes what a form sends: then the page draws one form around it. */
  readonly hasForm: boolean;
  /** What was wrong with what its form has sent just now, as text. */
  readonly problem: string | null;
}

/** The account page. `view` is `null` for a link of an email that somebody opens who is not signed in. */
export interface AccountPage {
  readonly name: "account";
  readonly csrfToken: string | null;
  readonly action: string;
  readonly callbackUrl: string;
  readonly view: AccountView | null;
  readonly step: AccountStep;
  readonly sections: readonly OwnSection[];
  /** How providers look, by their ids. @default each with its initial */
  readonly styles?: Readonly<Record<string, ProviderStyle>>;
  readonly problem: AccountProblem | null;
  readonly retryAfter?: number | undefined;
  /** Sessions on other devices go on, because storage cannot end them. */
  readonly sessionsStay?: true;
  readonly signOutUrl: string;
  readonly siteUrl: string;
}
