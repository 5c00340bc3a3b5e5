/**
 * Turns a decision into data: what to write, what it was decided on, and what to report once it is written.
 *
 * @module
 */
import { withoutUndefined } from "../kernel/objects.ts";
import { asRead, type Expectation, type Plan } from "../contract/adapter.ts";
import type { AdapterAccount, AdapterUser, TokenSet } from "../kernel/model.ts";
import type { Runtime } from "../kernel/runtime.ts";
import type { CredentialsAttempt, OAuthAttempt, SignInAttempt, WebAuthnAttempt } from "./attempt.ts";
import { accountKeyOf } from "./facts.ts";
import { newPasskeyInfo } from "./passkey_info.ts";
import { expectedPassword, newPassword } from "./password_plan.ts";
import { hasVerifiedEmail } from "./proven.ts";
import { confirmsEmail, isVerifiedElsewhere, storedEmail } from "./verification.ts";
import type { Decision, Facts } from "./linking.ts";

/** A decision that signs a user in. */
export type AcceptedDecision = Exclude<Decision, { act: "refuse" }>;

/** A sign-in, ready to be written. */
export interface PlannedSignIn {
  readonly plan: Plan;
  /** The user as they will be. */
  readonly user: AdapterUser;
  /** An existing user as changed, for the event `updateUser`; `null` if there is nothing to report. */
  readonly updated: AdapterUser | null;
  readonly isNewUser: boolean;
  /** Whether the session stays, because only an account is added. */
  readonly keepsSession: boolean;
  /** The address of the user, if it was proven before, or is by this sign-in. */
  readonly provenEmail: string | null;
}

/** What a plan is made from. */
export interface PlanInput {
  readonly attempt: SignInAttempt;
  readonly facts: Facts;
  readonly decision: AcceptedDecision;
  /** Id for a new user. */
  readonly newId: string;
  /** Security stamp for a user whose unverified accounts are revoked. */
  readonly newStamp: string;
  readonly now: Date;
  /** Whether storage has the fields that Auth.js does not have: `vouchedEmail`, `securityStamp`, `email_verified` … */
  readonly storesExtraFields: boolean;
  /** Whether passwords are records of storage. */
  readonly storesPasswords: boolean;
  /** Whether what names a passkey to its owner is stored beside it. */
  readonly labelsPasskeys: boolean;
  readonly runtime: Pick<Runtime, "now" | "random">;
}

/** Plans a sign-in. */
export function planSignIn(input: PlanInput): PlannedSignIn {
  const { attempt, decision } = input;
  const creates = decision.act === "create" || decision.act === "reassignEmail";
  const changes = changesOf(input);
  const user = creates ? newUser(input) : { ...decision.user, ...changes };
  const plan: Plan = {
    ...expectationOf(input),
    ...(changes && { updateUser: { id: user.id, ...changes } }),
    ...(decision.act === "reassignEmail" && { updateUser: { id: decision.from.id, ...WITHOUT_ADDRESS } }),
    ...(creates && { createUser: user }),
    ...(revokes(decision) && { evict: { userId: user.id, email: user.email ?? null } }),
    ...(attempt.method === "oauth" && accountPlan(attempt, user, input)),
    ...(attempt.method === "webauthn" && passkeyPlan(attempt, user, input)),
    ...(attempt.method === "credentials" && credentialsPlan(attempt, user, input)),
    ...(attempt.method === "email" && attempt.sets && input.storesPasswords && {
      records: newPassword(attempt.sets, user, { ...input, evicts: revokes(decision) }),
    }),
  };
  return {
    plan,
    user,
    updated: updatedUser(input, user, changes !== null),
    isNewUser: creates || decision.act === "resume",
    keepsSession: decision.act === "linkToCurrent",
    provenEmail: provenEmail(attempt, user),
  };
}

// The type demands an address, but storage keeps users without one: not every provider gives one.
const WITHOUT_ADDRESS = { email: null } as unknown as { email: string };

function revokes(decision: AcceptedDecision): boolean {
  return (decision.act === "verify" || decision.act === "link") && decision.revoke;
}

function newUser({ attempt, newId, now, storesExtraFields }: PlanInput): AdapterUser {
  // The address as the provider normalized it: the link was sent there.
  const email = attempt.method === "email" ? attempt.token.identifier : storedEmail(attempt.user);
  const isConfirmed = attempt.method === "oauth" && confirmsEmail(attempt, email);
  const isVerified = attempt.method === "email" || isConfirmed;
  // `profile` and `authorize` do not decide what is verified.
  const { vouchedEmail: _, securityStamp: __, ...claims } = attempt.user as AdapterUser;
  const user = {
    ...withoutUndefined(claims),
    ...(email && { email }),
    emailVerified: attempt.method === "email" ? now : null,
    // The own id marks a user who was verified from the start: revoking always sets another stamp.
    ...(storesExtraFields && isVerified && { securityStamp: newId }),
    ...(storesExtraFields && isConfirmed && { vouchedEmail: email }),
    id: newId,
  };
  return user as AdapterUser; // an account may come without an address
}

type UserChanges = Partial<Omit<AdapterUser, "id">>;

/** What changes about an existing user who signs in. */
function changesOf(input: PlanInput): UserChanges | null {
  const { attempt, decision, newStamp, now, storesExtraFields } = input;
  const stamp = revokes(decision) && storesExtraFields ? { securityStamp: newStamp } : {};
  switch (decision.act) {
    case "verify":
      return { emailVerified: now, ...stamp };
    case "link": {
      const { email } = decision.user;
      const confirms = attempt.method === "oauth" && confirmsEmail(attempt, email);
      // Without a field for it, only the time of the proof can end the older sessions.
      const proof = storesExtraFields ? { vouchedEmail: email } : { emailVerified: now };
      const changes = { ...stamp, ...(decision.revoke && confirms && proof) };
      return Object.keys(changes).length > 0 ? changes : null;
    }
    case "enter":
      if (attempt.method === "credentials") return changesFromAuthorize(attempt, decision.user, input);
      return attempt.method === "oauth" ? changesOfMark(attempt, decision.user, input) : null;
    default:
      return null;
  }
}

function changesOfMark(attempt: OAuthAttempt, { email }: AdapterUser, { facts }: PlanInput): UserChanges | null {
  return facts.isMarkedByAccount && confirmsEmail(attempt, email) ? { vouchedEmail: email } : null;
}

// What `authorize` returns replaces what it returned before. Where storage may lack a column, only fields that the stored
// user has are written.
function changesFromAuthorize(
  { user }: CredentialsAttempt,
  stored: AdapterUser,
  { facts: { byEmail }, storesExtraFields }: PlanInput,
): UserChanges | null {
  const { id: _, email: given, emailVerified: __, vouchedEmail: ___, securityStamp: ____, ...rest } =
    user as AdapterUser;
  // An address that another user has stays theirs.
  const isTaken = byEmail !== null && byEmail.id !== stored.id;
  const email = storedEmail(user) ?? given;
  const claims: Record<string, unknown> = {
    ...withoutUndefined(rest),
    ...(!isTaken && email !== undefined && { email }),
  };
  const before = stored as unknown as Record<string, unknown>;
  const changed = Object.entries(claims).filter(([name, value]) => {
    return (storesExtraFields || name in before) && !isSame(value, before[name]);
  });
  if (changed.length === 0) return null;
  const changes = Object.fromEntries(changed) as UserChanges;
  // The new address is not verified.
  return "email" in changes ? { ...changes, emailVerified: null } : changes;
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

function updatedUser({ attempt, decision }: PlanInput, user: AdapterUser, isChanged: boolean): AdapterUser | null {
  if (decision.act === "reassignEmail") return { ...decision.from, ...WITHOUT_ADDRESS };
  const isVerified = decision.act === "verify" ||
    (decision.act === "link" && !decision.user.emailVerified && user.emailVerified);
  return isVerified || (isChanged && attempt.method === "credentials") ? user : null;
}

/** What must still be true when the plan is committed. */
function expectationOf({ attempt, decision, facts }: PlanInput): Pick<Plan, "expect"> {
  if (decision.act === "create") return {};
  if (decision.act === "reassignEmail") return { expect: { user: asRead(decision.from) } };
  const { user } = decision;
  const userId = user.id;
  const sessionToken = facts.current?.sessionToken;
  const expect: Expectation = {
    user: asRead(user),
    ...(decision.act === "enter" && (attempt.method === "oauth" || attempt.method === "webauthn") && {
      account: { ...accountKeyOf(attempt.account), userId },
    }),
    ...(decision.act === "linkToCurrent" && sessionToken && { session: { sessionToken, userId } }),
    ...(attempt.method === "webauthn" && expectedCredentials(attempt, userId)),
    ...(attempt.method === "password" && expectedPassword(facts, userId)),
  };
  return { expect };
}

function expectedCredentials(
  { proof }: WebAuthnAttempt,
  userId: string,
): Pick<Expectation, "authenticator" | "authenticators"> {
  return proof.act === "authenticate"
    ? { authenticator: { credentialID: proof.credentialID, userId, counter: proof.storedCounter } }
    : { authenticators: { userId, fewerThan: proof.maxCredentials } };
}

function accountPlan(
  attempt: OAuthAttempt,
  user: AdapterUser,
  { decision, storesExtraFields }: PlanInput,
): Pick<Plan, "linkAccount" | "updateAccount"> {
  const { account: { type }, linking } = attempt;
  const key = accountKeyOf(attempt.account);
  const given = { ...linking.storedTokens, ...linking.sealedTokens };
  // A token response does not decide what is verified.
  const { email_verified: _, email: __, security_stamp: ___, ...rest } = given;
  const tokens = withoutUndefined(storesExtraFields ? rest : given);
  const confirms = confirmsEmail(attempt, user.email);
  const confirmed = storesExtraFields && confirms ? { email_verified: true, email: user.email } : {};
  if (decision.act === "enter") {
    // The old `expires_at` does not apply to the new token.
    const endless = tokens.access_token && tokens.expires_at === undefined ? NO_EXPIRY : {};
    const changes = { ...tokens, ...endless, ...confirmed };
    return Object.keys(changes).length === 0 ? {} : { updateAccount: { ...changes, ...key } };
  }
  const unconfirmed = storesExtraFields && !confirms ? { email_verified: false } : {};
  const row: AdapterAccount = { ...tokens, ...confirmed, ...unconfirmed, ...key, type, userId: user.id };
  return { linkAccount: row };
}

// The type has no `null`, by which storage empties what it holds.
const NO_EXPIRY = { expires_at: null } as unknown as TokenSet;

function passkeyPlan(
  { account, proof }: WebAuthnAttempt,
  { id: userId }: AdapterUser,
  { storesExtraFields, labelsPasskeys, now }: PlanInput,
): Pick<Plan, "linkAccount" | "createAuthenticator" | "updateCounter" | "records"> {
  if (proof.act === "authenticate") {
    const { credentialID, storedCounter, newCounter } = proof;
    return storedCounter === newCounter ? {} : { updateCounter: { credentialID, counter: newCounter } };
  }
  const { userHandle, ...authenticator } = proof.authenticator;
  return {
    linkAccount: { ...accountKeyOf(account), type: account.type, userId },
    createAuthenticator: { ...authenticator, ...(storesExtraFields && userHandle && { userHandle }), userId },
    ...(labelsPasskeys && { records: newPasskeyInfo(proof.label, userId, now) }),
  };
}

// Records that these credentials were used, and with which stamp: so a later sign-in shows whether they were last used
// before the address was verified.
function credentialsPlan(
  { account }: CredentialsAttempt,
  user: AdapterUser,
  { facts, storesExtraFields }: PlanInput,
): Pick<Plan, "linkAccount" | "updateAccount"> {
  const key = accountKeyOf(account);
  const stamp = storesExtraFields ? { security_stamp: user.securityStamp ?? null } : {};
  if (!facts.credentialsAccount) return { linkAccount: { ...key, type: account.type, userId: user.id, ...stamp } };
  // The application was asked and accepted, so it is not asked again.
  const isAnswered = storesExtraFields && isVerifiedElsewhere(facts.credentialsAccount, user);
  return isAnswered ? { updateAccount: { ...key, ...stamp } } : {};
}

function provenEmail(attempt: SignInAttempt, user: AdapterUser): string | null {
  const { email } = user;
  const isProven = hasVerifiedEmail(user) || (attempt.method === "oauth" && confirmsEmail(attempt, email));
  return isProven ? email ?? null : null;
}
