/**
 * What can be done on the account page: what each act is given, and what it is judged as.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import type { AccountAct, AccountProblem, AccountStep } from "../request/account_views.ts";
import type { Actor } from "../sign_in/actor.ts";
import type { DangerousAct } from "../sign_in/dangerous.ts";
import type { AccountSettings } from "./settings.ts";

/** What an act is given. */
export interface ActInput {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly settings: AccountSettings;
}

/** What has come of an act. */
export type ActResult =
  /** It is done. `step`: what the page shows now. @default the overview, which says what was done */
  | { readonly kind: "done"; readonly step?: AccountStep; readonly value?: unknown }
  | {
    readonly kind: "problem";
    readonly problem: AccountProblem;
    readonly step?: AccountStep;
    readonly retryAfter?: number | undefined;
  }
  /** A file, or what the application answers. */
  | { readonly kind: "file"; readonly name: string; readonly body: string }
  | { readonly kind: "response"; readonly response: Response }
  /** The account, and so the session, is no more. */
  | { readonly kind: "gone" }
  /** Something has changed meanwhile: decide again. */
  | { readonly kind: "again" };

/** An act. */
export interface AccountActRow {
  /** What it is judged as. `null`: the link of an email is the proof, so nobody need be signed in. */
  readonly judged: DangerousAct | null;
  /** What the page asks for before it. `null`: a button on the overview is enough. */
  readonly open: ((ctx: RequestContext, actor: Actor, input: ActInput) => Promise<AccountStep | null>) | null;
  readonly run: (ctx: RequestContext, actor: Actor, input: ActInput) => Promise<ActResult>;
}

/** The acts that there are so far. */
export const ACCOUNT_ACTS: Partial<Readonly<Record<AccountAct, AccountActRow>>> = {};
