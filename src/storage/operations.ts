/**
 * Which operations of an adapter each use needs.
 *
 * @module
 */
import type { Adapter } from "../contract/adapter.ts";
import type { ProviderType } from "../kernel/model.ts";

/**
 * What an adapter is used for: stored sessions, sealed sessions that can be ended, records of features, passwords, or a kind
 * of provider.
 */
export type Need = "sessions" | "endings" | "records" | "passwords" | ProviderType;

/** Lists the operations that an adapter lacks for a use. */
export function missingOperations(adapter: Adapter, need: Need): string[] {
  return OPERATIONS[need].filter((operation) => typeof adapter[operation] !== "function");
}

const ACCOUNT_OPERATIONS = ["createUser", "getUser", "getUserByEmail", "getUserByAccount", "linkAccount"] as const;

const EMAIL_OPERATIONS = [
  "createVerificationToken",
  "useVerificationToken",
  "createUser",
  "getUserByEmail",
  "updateUser",
] as const;

const WEBAUTHN_OPERATIONS = [
  ...ACCOUNT_OPERATIONS,
  "getAuthenticator",
  "createAuthenticator",
  "listAuthenticatorsByUserId",
  "updateAuthenticatorCounter",
] as const;

const SESSION_OPERATIONS = [
  ...ACCOUNT_OPERATIONS,
  "updateUser",
  "createSession",
  "getSessionAndUser",
  "updateSession",
  "deleteSession",
] as const;

// Sealed sessions that can be ended: adapters for Auth.js do not suffice.
const ENDING_OPERATIONS = [...SESSION_OPERATIONS, "commit", "listSessionsByUserId", "deleteSessionsByUserId"] as const;

const OPERATIONS: Readonly<Record<Need, readonly (keyof Adapter)[]>> = {
  sessions: SESSION_OPERATIONS,
  endings: ENDING_OPERATIONS,
  records: ["getRecord", "putRecord", "removeRecord", "listRecords"],
  passwords: [...EMAIL_OPERATIONS, "getUser"],
  oauth: ACCOUNT_OPERATIONS,
  oidc: ACCOUNT_OPERATIONS,
  email: EMAIL_OPERATIONS,
  credentials: [],
  webauthn: WEBAUTHN_OPERATIONS,
};
