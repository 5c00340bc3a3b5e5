/**
 * Which ceremony is started: the rules, as a pure function.
 *
 * @module
 */

/** What is known about a request for options. */
export interface OptionsFacts {
  /** The requested action; `null` if there is none. */
  readonly action: string | null;
  /** Whether a user is signed in, and whether the sign-in was recent. */
  readonly session: "none" | "recent" | "old";
  /** Whether the form names a new user for whom a passkey can be made. */
  readonly hasNewUser: boolean;
  /** Whether the provider registers users who are not signed in. */
  readonly registersStrangers: boolean;
  /** Whether they have to prove their address by email before. */
  readonly confirms: boolean;
  /** Whether the signed-in user has as many passkeys as allowed. */
  readonly hasMaxCredentials: boolean;
  /** Whether browsers may make a passkey by themselves. */
  readonly upgrades: boolean;
}

/** Which ceremony is started, whether the passkeys of the signed-in user are listed, or why neither. */
export type OptionsDecision =
  | { readonly act: "authenticate" | "register" | "upgrade" | "list" }
  | {
    readonly act: "refuse";
    readonly error: "Invalid action" | "Invalid request" | "SessionRequired" | "EmailRequired" | "TooManyPasskeys";
  };

/** Decides which ceremony is started. The facts leave out whether a user has the address, so no answer reveals it. */
export function decideOptions(
  { action, session, hasNewUser, registersStrangers, confirms, hasMaxCredentials, upgrades }: OptionsFacts,
): OptionsDecision {
  switch (action) {
    case "authenticate":
      return { act: "authenticate" };
    case "register":
      // A passkey does not expire. A session that was left open in a browser must not be enough to add one.
      if (session === "old" || (session === "none" && !registersStrangers)) {
        return { act: "refuse", error: "SessionRequired" };
      }
      if (session === "none" && confirms) return { act: "refuse", error: "EmailRequired" };
      if (hasMaxCredentials) return { act: "refuse", error: "TooManyPasskeys" };
      return session === "recent" || hasNewUser ? { act: "register" } : { act: "refuse", error: "Invalid request" };
    case "upgrade":
      if (!upgrades) return { act: "refuse", error: "Invalid action" };
      // Nobody is asked, so nobody is sent to sign in again, either: the answer is the same, and the browser leaves it.
      if (session !== "recent") return { act: "refuse", error: "SessionRequired" };
      return hasMaxCredentials ? { act: "refuse", error: "TooManyPasskeys" } : { act: "upgrade" };
    case "list":
      return session === "none" ? { act: "refuse", error: "SessionRequired" } : { act: "list" };
    case null:
      return session === "none" ? { act: "authenticate" } : { act: "refuse", error: "Invalid request" };
    default:
      return { act: "refuse", error: "Invalid action" };
  }
}
