/**
 * What an act of the account page is: what it is given, what it is judged as, and what comes of it. The acts stand in table.ts.
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
  /** Whether the application asks for it, which has asked before whether it is meant. No form can say so. */
  readonly byApplication: boolean;
}

/** What did not work. `step`: what the page shows. @default the overview */
export interface ActProblem {
  readonly kind: "problem";
  readonly problem: AccountProblem;
  readonly step?: AccountStep;
  readonly retryAfter?: number | undefined;
  readonly said?: Said;
}

/** What a section of the application says of what was sent to it. */
export interface Said {
  /** Id of the section. */
  readonly section: string;
  readonly text: string;
}

/** What has come of an act. */
export type ActResult =
  /** It is done. `step`: what the page shows now. @default the overview, which says what was done */
  | { readonly kind: "done"; readonly step?: AccountStep }
  | ActProblem
  /** A file, or what the application answers. */
  | { readonly kind: "file"; readonly name: string; readonly body: string }
  | { readonly kind: "response"; readonly response: Response }
  /** The account, and so the session, is no more. */
  | { readonly kind: "gone" }
  /** Something has changed meanwhile: decide again. */
  | { readonly kind: "again" };

/** An act. */
export type AccountActRow = OwnerRow | LinkRow;

interface OwnerRow {
  /** What it is judged as. */
  readonly judged: DangerousAct;
  /** What the page asks for before it. `null`: a button on the overview is enough. */
  readonly open: ((ctx: RequestContext, actor: Actor, input: ActInput) => Promise<AccountStep | null>) | null;
  readonly run: (ctx: RequestContext, actor: Actor, input: ActInput) => Promise<ActResult>;
}

/** The link of an email is the proof, so nobody need be signed in. */
interface LinkRow {
  readonly judged: null;
  readonly open: (ctx: RequestContext, actor: null, input: ActInput) => Promise<AccountStep>;
  readonly run: (ctx: RequestContext, actor: null, input: ActInput) => Promise<ActResult>;
}

/** Rows of the table. */
export type AccountActRows = Partial<Readonly<Record<AccountAct, AccountActRow>>>;
