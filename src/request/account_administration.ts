/**
 * The account page as others use it: the application, and what removes a passkey elsewhere.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { StoredRecord } from "../contract/adapter.ts";
import type { LogSubject } from "../kernel/log_subject.ts";
import type { AdapterAccount, AdapterAuthenticator } from "../kernel/model.ts";
import type { UndoLink } from "../mail/notice.ts";
import type { AccountAct, AccountProblem, AccountView } from "./account_views.ts";
import type { RequestContext } from "./context.ts";

/** What came of an act of `auth.account`. */
export type AccountAnswer =
  | { readonly kind: "sign-in" }
  | { readonly kind: "prove-more" }
  | { readonly kind: "done" }
  | { readonly kind: "problem"; readonly problem: AccountProblem; readonly retryAfter?: number | undefined }
  | { readonly kind: "file"; readonly name: string; readonly body: string }
  | { readonly kind: "response"; readonly response: Response }
  | { readonly kind: "gone" };

/** What the application does about the account of the person who is signed in. */
export interface AccountAdministration {
  /** Gives the account; what they have to do first if it may not be seen. */
  view(ctx: RequestContext): Promise<AccountView | "sign-in" | "prove-more">;
  /** Does what a form of the page would do. Who calls it has asked whether the person means it. */
  run(ctx: RequestContext, act: AccountAct, fields: Readonly<Record<string, unknown>>): Promise<AccountAnswer>;
  /** Deletes the accounts whose time has come. @returns How many. */
  deleteDue(config: ResolvedConfig, subject: LogSubject): Promise<number>;
  /** Keeps what is removed, so that the link of an email brings it back; `null` if nothing may. */
  keepRemoved(ctx: RequestContext, userId: string, removed: RemovedWay): KeptRemoval | null;
}

/** What lets somebody in and is removed. A passkey goes with its account. */
export interface RemovedWay {
  readonly account?: AdapterAccount | undefined;
  readonly passkey?: AdapterAuthenticator | undefined;
  /** What was known of the passkey. */
  readonly info?: StoredRecord | null | undefined;
}

/** What is kept of it. */
export interface KeptRemoval {
  /** To be stored with the removal. */
  readonly record: StoredRecord;
  /** Makes the link that brings it back. */
  readonly makeUndo: () => Promise<UndoLink>;
}
