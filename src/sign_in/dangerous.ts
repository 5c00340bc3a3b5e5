/**
 * Acts that change who can get in, and what a session has to say about its sign-in before it may do one.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { RefreshRequired } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { NoticeText } from "../mail/notice.ts";
import { authenticationOf, isFresh } from "../session_stores/authentication.ts";
import type { ActiveSession } from "../session_stores/session_store.ts";
import { mayAddAccount } from "./verification.ts";

/**
 * What is asked of the sign-in of a session: that it was within 10 minutes; the same, unless the claims do not say when it
 * was; nothing, unless `account.freshSignIn` is on; or nothing in any case.
 */
export type Demand = "fresh" | "fresh where known" | "nothing" | "a session";

/** What an act demands where `account.freshSignIn` is off. Where it is on, an act demands a fresh sign-in. */
interface Act {
  /** When it begins: an answer that the browser can act on. */
  readonly begun: Demand;
  /** When it is written. */
  readonly done: Demand;
  /** Whether somebody who is asked for a second proof has to have given it. */
  readonly level: "highest" | "any";
  /** The text of the email that its user gets. */
  readonly told: NoticeText | null;
}

const FRESHLY = { begun: "fresh", done: "fresh", level: "highest" } as const;

/** What changes nothing about who gets in. */
const SIGNED_IN = { begun: "a session", done: "a session", level: "any" } as const;

/** The acts. A new one demands a fresh sign-in both times, and the highest level. */
export const ACTS = {
  /**
   * An account at a provider is linked to the signed-in user. What begins as one may be a sign-in with a known account. A
   * provider may vouch for a second proof of its own, so who is asked for one has to give it first.
   */
  addAccount: { begun: "nothing", done: "nothing", level: "highest", told: "mailAccountAdded" },
  /** A passkey is added to the signed-in user. It is both proofs, so who is asked for a second one has to give it first. */
  addPasskey: { begun: "fresh where known", done: "nothing", level: "highest", told: "mailPasskeyAdded" },
  /** A password is set where there was none. */
  setPassword: { ...FRESHLY, told: "mailPasswordSet" },
  /** Another password replaces the one that there was. */
  changePassword: { ...FRESHLY, told: "mailPasswordChanged" },
  /** The password is removed, and there is another way in. */
  removePassword: { ...FRESHLY, told: "mailPasswordRemoved" },
  /** Somebody looks at their second factors. */
  seeFactors: { ...FRESHLY, told: null },
  /** A secret or a set of codes is made that counts for nothing yet, or one is named. */
  prepareFactor: { ...FRESHLY, told: null },
  /** A second proof is asked for from now on. */
  turnOnFactors: { ...FRESHLY, told: "mailFactorsOn" },
  /** Another application that shows codes is added. */
  addTotp: { ...FRESHLY, told: "mailTotpAdded" },
  /** Recovery codes replace others. */
  replaceRecoveryCodes: { ...FRESHLY, told: "mailRecoveryReplaced" },
  /** A recovery code is used up. It is a proof by itself, so no session is asked for. */
  useRecoveryCode: { begun: "nothing", done: "nothing", level: "any", told: "mailRecoveryUsed" },
  /** A factor is removed. Without the last one, no second proof is asked for any more. */
  removeFactor: { ...FRESHLY, told: "mailFactorRemoved" },
  /**
   * What was added is removed with a link from an email. The factor that it removes may be a thief's, so its proof is not
   * asked for.
   */
  undoFactor: { ...FRESHLY, level: "any", told: "mailFactorRemoved" },
  /** Somebody looks at their account. */
  seeAccount: { ...SIGNED_IN, told: null },
  /** Something of it gets another name, or a section of the application takes a form. */
  renameAccount: { ...SIGNED_IN, told: null },
  /** An account at a provider is removed, and there is another way in. */
  unlinkAccount: { ...FRESHLY, told: "mailAccountRemoved" },
  /** A passkey is removed, and there is another way in. */
  removePasskey: { ...FRESHLY, told: "mailPasskeyRemoved" },
  /** Other sessions are ended: a thief must not lock out the owner. */
  endSessions: { ...FRESHLY, told: null },
  /** Another address is asked for, or taken over. */
  changeEmail: { ...FRESHLY, told: "mailEmailChanged" },
  /** Everything that is stored of somebody leaves as a file. */
  exportData: { ...FRESHLY, told: "mailDataExported" },
  /** The account is deleted. */
  deleteAccount: { ...FRESHLY, told: "mailAccountDeleted" },
  /** A deletion is taken back. */
  keepAccount: { ...SIGNED_IN, told: "mailKept" },
  /** What was removed comes back with a link from an email. It may prove more, and may be in the hands of others. */
  undoRemoval: { ...FRESHLY, told: "mailRemovalUndone" },
} as const satisfies Readonly<Record<string, Act>>;

/** The name of an act. */
export type DangerousAct = keyof typeof ACTS;

/** Seconds after a sign-in in which it is fresh: long enough to find the page, too short to be forgotten. */
export const FRESH = 10 * 60;

/** What {@linkcode judgeAct} looks at. */
export interface ActFacts {
  readonly act: DangerousAct;
  readonly moment: "begun" | "done";
  /** The session that does it. */
  readonly active: ActiveSession;
  /** Its user. */
  readonly user: AdapterUser;
  /** The level that is demanded of the user, see `demandedLevel`. */
  readonly level: 1 | 2;
}

/** Whether a session may do an act, or why not. */
export type Judgement = "allowed" | "stale" | "too-low" | "not-theirs";

/**
 * Judges whether a session may do an act: `stale` if its user has to sign in again first, `too-low` if they have to give
 * their second proof first, `not-theirs` if it is older than the proof of the address, so that it may be another person's.
 */
export function judgeAct(
  { freshSignIn, runtime }: Pick<ResolvedConfig, "freshSignIn" | "runtime">,
  { act, moment, active, user, level }: ActFacts,
): Judgement {
  if (!mayAddAccount(active, user)) return "not-theirs";
  const usual: Demand = ACTS[act][moment];
  const demand = freshSignIn && usual !== "a session" ? "fresh" : usual;
  const signIn = authenticationOf(active);
  if (!isMet(demand, { isSealed: active.strategy === "jwt", time: signIn.time, now: runtime.now() })) return "stale";
  return ACTS[act].level === "highest" && signIn.level < level ? "too-low" : "allowed";
}

interface SignInTime {
  readonly isSealed: boolean;
  readonly time: number | undefined;
  readonly now: number;
}

function isMet(demand: Demand, { isSealed, time, now }: SignInTime): boolean {
  if (demand === "nothing" || demand === "a session") return true;
  // Claims that another library sealed, or that `jwt.encode` leaves out. A row of other software counts as old.
  if (demand === "fresh where known" && time === undefined && isSealed) return true;
  return isFresh({ time }, now, FRESH);
}

/** The error that leads to the sign-in page, and back from there. */
export function signInAgain(): RefreshRequired {
  const message = "Cannot add it: the sign-in was more than 10 minutes ago, so the person has to sign in again";
  const error = new RefreshRequired(message, { logCode: "sign-in-not-fresh" });
  error.reason = "stale";
  return error;
}
