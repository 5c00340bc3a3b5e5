/**
 * Acts that change who can get in, and what a session has to say about its sign-in before it may do one.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { RefreshRequired } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import { authenticationOf, isFresh } from "../session_stores/authentication.ts";
import type { ActiveSession } from "../session_stores/session_store.ts";
import { mayAddAccount } from "./verification.ts";

/**
 * What is asked of the sign-in of a session: that it was within 10 minutes; the same, unless the claims do not say when it
 * was; or nothing.
 */
export type Demand = "fresh" | "fresh where known" | "nothing";

/** What an act demands where `account.freshSignIn` is off. Where it is on, every act demands a fresh sign-in. */
interface Act {
  /** When it begins: an answer that the browser can act on. */
  readonly begun: Demand;
  /** When it is written. */
  readonly done: Demand;
  /** The text of the email that its user gets. */
  readonly told: "mailAccountAdded" | "mailPasskeyAdded";
}

/** The acts. A new one demands a fresh sign-in both times. */
export const ACTS = {
  /** An account at a provider is linked to the signed-in user. What begins as one may be a sign-in with a known account. */
  addAccount: { begun: "nothing", done: "nothing", told: "mailAccountAdded" },
  /** A passkey is added to the signed-in user. */
  addPasskey: { begun: "fresh where known", done: "nothing", told: "mailPasskeyAdded" },
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
}

/**
 * Judges whether a session may do an act: `stale` if its user has to sign in again first, `not-theirs` if it is older than
 * the proof of the address, so that it may be another person's.
 */
export function judgeAct(
  { freshSignIn, runtime }: Pick<ResolvedConfig, "freshSignIn" | "runtime">,
  { act, moment, active, user }: ActFacts,
): "allowed" | "stale" | "not-theirs" {
  if (!mayAddAccount(active, user)) return "not-theirs";
  const demand: Demand = freshSignIn ? "fresh" : ACTS[act][moment];
  if (demand === "nothing") return "allowed";
  const signIn = authenticationOf(active);
  // Claims that another library sealed, or that `jwt.encode` leaves out. A row of other software counts as old.
  if (demand === "fresh where known" && signIn.time === undefined && active.strategy === "jwt") return "allowed";
  return isFresh(signIn, runtime.now(), FRESH) ? "allowed" : "stale";
}

/** The error that leads to the sign-in page, and back from there. */
export function signInAgain(): RefreshRequired {
  const message = "Cannot add it: the sign-in was more than 10 minutes ago, so the person has to sign in again";
  const error = new RefreshRequired(message, { logCode: "sign-in-not-fresh" });
  error.reason = "stale";
  return error;
}
