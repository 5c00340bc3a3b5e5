/**
 * Which ceremony is offered: the rules, as one pure table.
 *
 * @module
 */

/** What is known of somebody who asks for a ceremony. */
export interface OptionsFacts {
  /** What was asked for; `null` if nothing was. */
  readonly action: string | null;
  /** Whether somebody is signed in, and since a short while only. */
  readonly session: "none" | "recent" | "old";
  /** Whether what was typed names somebody for whom a passkey could be made. */
  readonly hasNewUser: boolean;
  /** Whether strangers may make passkeys. */
  readonly registersStrangers: boolean;
  /** Whether the user has as many passkeys as a user may have. */
  readonly hasMaxCredentials: boolean;
}

/** What is answered. */
export type OptionsDecision =
  | { readonly act: "authenticate" }
  | { readonly act: "register" }
  | {
    readonly act: "refuse";
    readonly error: "Invalid action" | "Invalid request" | "SessionRequired" | "TooManyPasskeys";
  };

/** Decides which ceremony is offered. Whether somebody has the address is no fact here, so that no answer tells. */
export function decideOptions(
  { action, session, hasNewUser: isNamed, registersStrangers: isOpen, hasMaxCredentials: isFull }: OptionsFacts,
): OptionsDecision {
  switch (action) {
    case "authenticate":
      return { act: "authenticate" };
    case "register":
      // A passkey is a way in for good: who leaves a browser signed in must not lose the account by it.
      if (session === "old" || (session === "none" && !isOpen)) return { act: "refuse", error: "SessionRequired" };
      if (isFull) return { act: "refuse", error: "TooManyPasskeys" };
      return session === "recent" || isNamed ? { act: "register" } : { act: "refuse", error: "Invalid request" };
    case null:
      return session === "none" ? { act: "authenticate" } : { act: "refuse", error: "Invalid request" };
    default:
      return { act: "refuse", error: "Invalid action" };
  }
}
