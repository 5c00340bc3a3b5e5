/**
 * Somebody who proved who they are, whichever way.
 *
 * @module
 */
import type { Account, Profile, User } from "../model.ts";

/** Who it is, and how they proved it. */
export type SignInAttempt =
  | { readonly method: "oauth"; readonly user: User; readonly account: Account; readonly profile: Profile }
  | {
    readonly method: "credentials";
    readonly user: User;
    readonly account: Account;
    readonly credentials: Readonly<Record<string, unknown>>;
  };
