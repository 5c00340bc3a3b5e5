/**
 * A decision as data: what is written, what it was decided on, and what has happened once it is written.
 *
 * @module
 */
import { withoutUndefined } from "../kernel/objects.ts";
import type { Expectation, Plan } from "../contract/adapter.ts";
import type { AdapterAccount, AdapterUser } from "../kernel/model.ts";
import type { CredentialsAttempt, OAuthAttempt, SignInAttempt, WebAuthnAttempt } from "./attempt.ts";
import { accountKeyOf, storedAddress } from "./facts.ts";
import { isSuperseded } from "./proof.ts";
import type { Decision, Facts } from "./linking.ts";

/** A decision that lets somebody in. */
export type Admission = Exclude<Decision, { act: "refuse" }>;

/** What is to be written. */
export interface Work {
  readonly plan: Plan;
  /** The user as they will be. */
  readonly user: AdapterUser;
  /** A user who was there before, as the plan changes them, if anybody is to hear of it. */
  readonly updated: AdapterUser | null;
  readonly isNewUser: boolean;
  /** Whether the session goes on, because only an account was added. */
  readonly keepsSession: boolean;
}

/** What a plan needs besides the decision. */
export interface PlanInput {
  readonly attempt: SignInAttempt;
  readonly facts: Facts;
  readonly decision: Admission;
  /** Id of a user who is made. */
  readonly newId: string;
  /** The security stamp of a user who gets a new one. */
  readonly newStamp: string;
  readonly now: Date;
  /** Whether storage keeps members of our own: if the provider vouched for the address, the handle of a passkey. */
  readonly keepsProof: boolean;
}

/** Writes a decision down as a plan. */
export function planOf(input: PlanInput): Work {
  const { attempt, decision } = input;
  const changes = changesOf(input);
  const user = decision.act === "create" || decision.act === "displace"
    ? newUser(input)
    : { ...decision.user, ...changes };
  const plan: Plan = {
    ...expectationOf(input),
    ...(changes && { updateUser: { id: user.id, ...changes } }),
    ...(decision.act === "displace" && { updateUser: { id: decision.from.id, ...WITHOUT_ADDRESS } }),
    ...((decision.act === "create" || decision.act === "displace") && { createUser: user }),
    ...(evicts(decision) && { evict: { userId: user.id, email: user.email ?? null } }),
    ...(attempt.method === "oauth" && accountPlan(attempt, user, input)),
    ...(attempt.method === "webauthn" && credentialPlan(attempt, user, input)),
    ...(attempt.method === "credentials" && checkedPlan(attempt, user, input)),
  };
  return {
    plan,
    user,
    updated: updatedBy(input, user, changes !== null),
    isNewUser: decision.act === "create" || decision.act === "displace" || decision.act === "resume",
    keepsSession: decision.act === "add",
  };
}

// The type demands an address, but storage keeps users without one: not every provider has one to give.
const WITHOUT_ADDRESS = { email: null } as unknown as { email: string };

function evicts(decision: Admission): boolean {
  return (decision.act === "verify" || decision.act === "adopt") && decision.evict;
}

function newUser({ attempt, newId, now, keepsProof }: PlanInput): AdapterUser {
  const email = storedAddress(attempt.user);
  const isProven = attempt.method === "email" || (attempt.method === "oauth" && vouchesFor(attempt, email));
  const { vouchedEmail: _, securityStamp: __, ...told } = attempt.user as AdapterUser;
  const given = {
    ...withoutUndefined(told),
    ...(email && { email }),
    emailVerified: attempt.method === "email" ? now : null,
    // The stamp of a user whom nobody could hold before the proof: no eviction ever gives it.
    ...(keepsProof && isProven && { securityStamp: newId }),
    ...(keepsProof && attempt.method === "oauth" && isProven && { vouchedEmail: email }),
    id: newId,
  };
  return given as AdapterUser; // an account may come without an address
}

type UserChanges = Partial<Omit<AdapterUser, "id">>;

/** What becomes different about the user who enters. */
function changesOf(input: PlanInput): UserChanges | null {
  const { attempt, decision, newStamp, now, keepsProof } = input;
  const stamp = evicts(decision) && keepsProof ? { securityStamp: newStamp } : {};
  switch (decision.act) {
    case "verify":
      return { emailVerified: now, ...stamp };
    case "adopt": {
      const { email } = decision.user;
      const vouches = attempt.method === "oauth" && vouchesFor(attempt, email);
      const changes = { ...stamp, ...(decision.evict && keepsProof && vouches && { vouchedEmail: email }) };
      return Object.keys(changes).length > 0 ? changes : null;
    }
    case "enter":
      return attempt.method === "credentials" ? rewrittenBy(attempt, decision.user, input) : null;
    default:
      return null;
  }
}

// What the application says of its users today replaces what it said before. Where storage may lack a column for a
// member, only what it has is written.
function rewrittenBy(
  { user }: CredentialsAttempt,
  stored: AdapterUser,
  { facts: { byEmail }, keepsProof }: PlanInput,
): UserChanges | null {
  const { id: _, email: given, emailVerified: __, vouchedEmail: ___, securityStamp: ____, ...rest } =
    user as AdapterUser;
  // An address that somebody else has stays theirs.
  const isTaken = byEmail !== null && byEmail.id !== stored.id;
  const email = storedAddress(user) ?? given;
  const told: Record<string, unknown> = {
    ...withoutUndefined(rest),
    ...(!isTaken && email !== undefined && { email }),
  };
  const before = stored as unknown as Record<string, unknown>;
  const changed = Object.entries(told).filter(([name, value]) => {
    return (keepsProof || name in before) && !isSame(value, before[name]);
  });
  if (changed.length === 0) return null;
  const changes = Object.fromEntries(changed) as UserChanges;
  // Nobody has proven the new address yet.
  return "email" in changes ? { ...changes, emailVerified: null } : changes;
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

function updatedBy({ attempt, decision }: PlanInput, user: AdapterUser, isChanged: boolean): AdapterUser | null {
  if (decision.act === "displace") return { ...decision.from, ...WITHOUT_ADDRESS };
  return decision.act === "verify" || (isChanged && attempt.method === "credentials") ? user : null;
}

/** What must still be true when the plan is carried out. */
function expectationOf({ attempt, decision, facts }: PlanInput): Pick<Plan, "expect"> {
  if (decision.act === "create") return {};
  if (decision.act === "displace") return { expect: { user: asRead(decision.from) } };
  const { user } = decision;
  const userId = user.id;
  const expect: Expectation = {
    user: asRead(user),
    ...(decision.act === "enter" && (attempt.method === "oauth" || attempt.method === "webauthn") && {
      account: { ...accountKeyOf(attempt.account), userId },
    }),
    ...(decision.act === "add" && facts.sessionToken && { session: { sessionToken: facts.sessionToken, userId } }),
    ...(attempt.method === "webauthn" && expectedCredentials(attempt, userId)),
  };
  return { expect };
}

function asRead({ id, email, emailVerified, securityStamp }: AdapterUser): NonNullable<Expectation["user"]> {
  return { id, email: email ?? null, emailVerified, securityStamp: securityStamp ?? null };
}

function expectedCredentials(
  { proof }: WebAuthnAttempt,
  userId: string,
): Pick<Expectation, "authenticator" | "authenticators"> {
  return proof.act === "authenticate"
    ? { authenticator: { credentialID: proof.credentialID, userId, counter: proof.from } }
    : { authenticators: { userId, fewerThan: proof.most } };
}

function accountPlan(
  attempt: OAuthAttempt,
  user: AdapterUser,
  { decision, keepsProof }: PlanInput,
): Pick<Plan, "linkAccount" | "updateAccount"> {
  const { account: { type }, linking } = attempt;
  const key = accountKeyOf(attempt.account);
  // What proves something is not for tokens to say.
  const { email_verified: _, email: __, security_stamp: ___, ...rest } = linking.kept;
  const kept = withoutUndefined(keepsProof ? rest : linking.kept);
  const proven = vouchesFor(attempt, user.email);
  const proof = keepsProof && proven ? { email_verified: true, email: user.email } : {};
  if (decision.act === "enter") {
    const changes = { ...kept, ...proof };
    return Object.keys(changes).length === 0 ? {} : { updateAccount: { ...changes, ...key } };
  }
  const unproven = keepsProof && !proven ? { email_verified: false } : {};
  const row: AdapterAccount = { ...kept, ...proof, ...unproven, ...key, type, userId: user.id };
  return { linkAccount: row };
}

function credentialPlan(
  { account, proof }: WebAuthnAttempt,
  { id: userId }: AdapterUser,
  { keepsProof }: PlanInput,
): Pick<Plan, "linkAccount" | "createAuthenticator" | "updateCounter"> {
  if (proof.act === "authenticate") {
    const { credentialID, from, to } = proof;
    return from === to ? {} : { updateCounter: { credentialID, counter: to } };
  }
  const { userHandle, ...authenticator } = proof.authenticator;
  return {
    linkAccount: { ...accountKeyOf(account), type: account.type, userId },
    createAuthenticator: { ...authenticator, ...(keepsProof && userHandle && { userHandle }), userId },
  };
}

// Kept so that, when the address is proven, it can be told that credentials had opened the user before.
function checkedPlan(
  { account }: CredentialsAttempt,
  user: AdapterUser,
  { facts, keepsProof }: PlanInput,
): Pick<Plan, "linkAccount" | "updateAccount"> {
  if (!keepsProof) return {};
  const key = accountKeyOf(account);
  const { securityStamp: security_stamp = null } = user;
  if (!facts.account) return { linkAccount: { ...key, type: account.type, userId: user.id, security_stamp } };
  // Whoever is here after another's proof has the application's word for it.
  return isSuperseded(facts.account, user) ? { updateAccount: { ...key, security_stamp } } : {};
}

// An account that vouches for some other address proves nothing about this user's.
function vouchesFor({ linking, user: told }: OAuthAttempt, email: string | null | undefined): boolean {
  const address = storedAddress(told);
  return linking.emailVerified === true && address !== null && address === email;
}
