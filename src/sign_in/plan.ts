/**
 * A decision as data: what is written, and what has happened once it is.
 *
 * @module
 */
import type { Plan } from "../adapter.ts";
import type { AccountKey, AdapterAccount, AdapterUser } from "../model.ts";
import type { OAuthAttempt, SignInAttempt, WebAuthnAttempt } from "./attempt.ts";
import { keyOf, storedAddress } from "./facts.ts";
import type { Decision } from "./recognize.ts";

/** A decision that lets somebody in. */
export type Admission = Exclude<Decision, { act: "refuse" }>;

/** What a user loses who was never proven to be who they say. */
export interface Unproven {
  readonly accounts: readonly AccountKey[];
  readonly authenticators: readonly string[];
}

/** What is to be written. */
export interface Work {
  readonly plan: Plan;
  /** The user as they will be. */
  readonly user: AdapterUser;
  readonly isNewUser: boolean;
  /** Whether the session goes on, because only an account was added. */
  readonly keepsSession: boolean;
}

/** What a plan needs besides the decision. */
export interface PlanInput {
  readonly attempt: SignInAttempt;
  readonly decision: Admission;
  /** Id of a user who is made. */
  readonly newId: string;
  readonly now: Date;
  readonly unproven: Unproven | null;
  /** Whether storage keeps members of our own: if the provider vouched for the address, the handle of a passkey. */
  readonly keepsProof: boolean;
}

/** Writes a decision down as a plan. */
export function planOf(input: PlanInput): Work {
  const { attempt, decision, now, unproven } = input;
  const user = userOf(input);
  const evict = unproven && { userId: user.id, ...unproven };
  const plan: Plan = {
    ...(decision.act === "create" && { createUser: user }),
    ...(decision.act === "verify" && { verifyUser: { id: user.id, emailVerified: now } }),
    ...(evict && { evict }),
    ...(attempt.method === "oauth" && accountPlan(attempt, user, input)),
    ...(attempt.method === "webauthn" && credentialPlan(attempt, user, input)),
  };
  return {
    plan,
    user,
    isNewUser: decision.act === "create" || decision.act === "resume",
    keepsSession: decision.act === "add",
  };
}

function userOf({ attempt, decision, newId, now }: PlanInput): AdapterUser {
  if (decision.act === "verify") return { ...decision.user, emailVerified: now };
  if (decision.act !== "create") return decision.user;
  const email = storedAddress(attempt.user);
  const given = {
    ...withoutUndefined(attempt.user),
    ...(email && { email }),
    emailVerified: attempt.method === "email" ? now : null,
    id: newId,
  };
  return given as AdapterUser; // an account may come without an address
}

function accountPlan(
  attempt: OAuthAttempt,
  user: AdapterUser,
  { decision, keepsProof }: PlanInput,
): Pick<Plan, "linkAccount" | "updateAccount"> {
  const { account: { type }, linking } = attempt;
  const key = keyOf(attempt.account);
  const kept = withoutUndefined(linking.kept);
  const proven = vouchesFor(attempt, user);
  if (decision.act === "enter") {
    const changes = { ...kept, ...(keepsProof && proven && { email_verified: true }) };
    return Object.keys(changes).length === 0 ? {} : { updateAccount: { ...changes, ...key } };
  }
  const row: AdapterAccount = { ...kept, ...(keepsProof && { email_verified: proven }), ...key, type, userId: user.id };
  return { linkAccount: row };
}

function credentialPlan(
  { account, proof }: WebAuthnAttempt,
  { id: userId }: AdapterUser,
  { keepsProof }: PlanInput,
): Pick<Plan, "linkAccount" | "createAuthenticator" | "updateCounter"> {
  if (proof.act === "authenticate") {
    const { credentialID, from, to } = proof;
    return from === to ? {} : { updateCounter: { credentialID, from, to } };
  }
  const { userHandle, ...authenticator } = proof.authenticator;
  return {
    linkAccount: { ...keyOf(account), type: account.type, userId },
    createAuthenticator: { ...authenticator, ...(keepsProof && userHandle && { userHandle }), userId },
  };
}

// An account that vouches for some other address proves nothing about this user's.
function vouchesFor({ linking, user: told }: OAuthAttempt, { email }: AdapterUser): boolean {
  const address = storedAddress(told);
  return linking.emailVerified === true && address !== null && address === email;
}

function withoutUndefined<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}
