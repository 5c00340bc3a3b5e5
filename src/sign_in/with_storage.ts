/**
 * Letting somebody in whom storage knows or is to know.
 *
 * @module
 */
import type { Plan } from "../contract/adapter.ts";
import type { RequestContext } from "../request/context.ts";
import { randomUuid } from "../crypto/random.ts";
import {
  AdapterError,
  type AuthError,
  OAuthAccountNotLinked,
  Timeout,
  Verification,
  WebAuthnVerificationError,
} from "../kernel/errors.ts";
import { emit } from "../request/events.ts";
import type { Account, AdapterUser, User } from "../kernel/model.ts";
import { type PreparedSession, signedInAtOf } from "../stores/session_store.ts";
import type { Storage } from "../config/storage.ts";
import { accountFor, type SignInAttempt } from "./attempt.ts";
import { applyInSteps } from "./steps.ts";
import { openSession } from "./current.ts";
import { gatherFacts, deriveUserId, knownUser } from "./facts.ts";
import type { Permission } from "./permission.ts";
import { type PlanInput, planSignIn, type PlannedSignIn } from "./plan.ts";
import { isVerifiedElsewhere } from "./verification.ts";
import { decide } from "./linking.ts";
import { checkToken } from "./token.ts";

/** Somebody who is in, or where they are sent instead. */
export type SignInResult =
  | Extract<Permission, { act: "redirect" }>
  | { readonly act: "enter"; readonly user: User; readonly account: Account; readonly isNewUser: boolean | undefined };

/** Asks the application about a user; `isSuperseded` if the address was proven by somebody else since. */
export type AskPermission = (user: User, isSuperseded: boolean) => Promise<Permission>;

/** Times that a sign-in is decided anew because what it was decided on has changed meanwhile. */
const MOST_TRIES = 5;

/**
 * Looks somebody up, asks permission, decides, and writes user, account and session: all of it or nothing.
 *
 * @param ask Asks the application about a user.
 */
export async function signInWithStorage(
  ctx: RequestContext,
  storage: Storage,
  attempt: SignInAttempt,
  ask: AskPermission,
): Promise<SignInResult> {
  const { runtime } = ctx.config;
  const now = new Date(runtime.now());
  const [newId, newStamp] = [await chooseId(ctx, storage, attempt), randomUuid(runtime)];
  const consume = attempt.method === "email" ? await checkToken(storage, attempt, now) : null;
  let asked: string | null = null;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const facts = await gatherFacts(ctx, storage, attempt);
    const user: User = knownUser(facts, attempt) ?? { ...attempt.user, id: newId };
    const superseded = facts.byAccount !== null && isVerifiedElsewhere(facts.credentialsAccount, facts.byAccount);
    // Whoever turned out to be somebody else meanwhile needs a permission of their own.
    const question = JSON.stringify([user.id, superseded]);
    if (asked !== question) {
      const permission = await ask(user, superseded);
      if (permission.act === "redirect") return permission;
      asked = question;
    }
    const work = prepareWork(storage, { attempt, facts, newId, newStamp, now });
    const done = await carry(ctx, storage, { attempt, work, consume });
    if (done) return await tell(ctx, attempt, done);
  }
  throw new AdapterError("Cannot sign in: storage refused the records again and again as taken by somebody else");
}

function prepareWork(storage: Storage, input: Omit<PlanInput, "decision" | "keepsProof">): PlannedSignIn {
  const decision = decide(input.attempt, input.facts);
  if (decision.act === "refuse") throw refusalOf(input.attempt);
  return planSignIn({ ...input, decision, storesExtraFields: storage.commit !== null });
}

async function chooseId(
  ctx: RequestContext,
  storage: Storage,
  { method, user, account }: SignInAttempt,
): Promise<string> {
  if (method === "credentials") return account.providerAccountId;
  return storage.commit ? user.id ?? randomUuid(ctx.config.runtime) : await deriveUserId(ctx, account);
}

// Of a passkey nothing more is told: neither whether it is known, nor whether somebody has the address.
function refusalOf({ method }: SignInAttempt): AuthError {
  return method === "webauthn"
    ? new WebAuthnVerificationError("Cannot sign in: the passkey is nobody's, or is to become somebody's without proof")
    : new OAuthAccountNotLinked("Cannot sign in: the account or its address belongs to another user");
}

interface Carried {
  readonly work: PlannedSignIn;
  readonly user: AdapterUser;
}

interface CarryInput {
  readonly attempt: SignInAttempt;
  readonly work: PlannedSignIn;
  readonly consume: Plan["consume"] | null;
}

async function carry(ctx: RequestContext, storage: Storage, input: CarryInput): Promise<Carried | null> {
  return storage.commit ? await commit(ctx, storage.commit, input) : await carryInSteps(ctx, storage, input);
}

async function commit(
  ctx: RequestContext,
  commit: NonNullable<Storage["commit"]>,
  { attempt, work, consume }: CarryInput,
): Promise<Carried | null> {
  const { user } = work;
  const prepared = await prepareSession(ctx, attempt, work, user);
  const plan: Plan = { ...(consume && { consume }), ...work.plan, ...sessionPlan(ctx, prepared) };
  demandListener(ctx);
  const result = Object.keys(plan).length === 0 ? "done" : await commit(plan);
  if (result === "conflict") return null;
  if (result === "consumed") throw new Verification("Cannot sign in: the link was used meanwhile");
  hand(ctx, prepared);
  return { work, user };
}

// The visitor has been told that it failed: what is begun now would be done behind their back.
function demandListener({ cookies }: RequestContext): void {
  if (cookies.closed) throw new Timeout("Cannot sign in: the answer has been given");
}

// Whoever was answered before the commit was done is not signed in, but what was committed has happened.
function hand({ sessions, cookies }: RequestContext, prepared: PreparedSession | null | "kept"): void {
  if (prepared !== "kept" && !cookies.closed) sessions.write(cookies, prepared);
}

async function carryInSteps(
  ctx: RequestContext,
  storage: Storage,
  { attempt, work }: CarryInput,
): Promise<Carried | null> {
  demandListener(ctx);
  const { user: stored, done } = await applyInSteps(storage, work.plan, providersOfPasskeys(ctx));
  if (!done) return null;
  const user = stored ?? work.user;
  const prepared = await prepareSession(ctx, attempt, work, user);
  const { createSession, deleteSession } = sessionPlan(ctx, prepared);
  // Nobody would be told of it.
  if (createSession && !ctx.cookies.closed) await storage.createSession(createSession);
  if (deleteSession) await storage.deleteSession(deleteSession);
  hand(ctx, prepared);
  return { work, user };
}

function providersOfPasskeys({ config }: RequestContext): string[] {
  return [...config.providers.values()].filter(({ type }) => type === "webauthn").map(({ id }) => id);
}

// Without rows of its own a session cannot be told from the one before, so it is made anew in any case.
async function prepareSession(
  ctx: RequestContext,
  attempt: SignInAttempt,
  { keepsSession, isNewUser }: PlannedSignIn,
  user: AdapterUser,
): Promise<PreparedSession | null | "kept"> {
  if (keepsSession && ctx.config.session.strategy === "database") return "kept";
  const profile = attempt.method === "oauth" ? attempt.profile : undefined;
  const account = accountFor(attempt, user);
  const signedInAt = keepsSession ? await lastSignIn(ctx) : undefined;
  return await ctx.sessions.prepare({ user, account, profile, isNewUser, signedInAt }, ctx.cookies);
}

// Whoever adds an account has not shown again that they are the one who signed in.
async function lastSignIn(ctx: RequestContext): Promise<number | undefined> {
  const active = await openSession(ctx);
  return active ? signedInAtOf(active) : undefined;
}

function sessionPlan(
  ctx: RequestContext,
  prepared: PreparedSession | null | "kept",
): Pick<Plan, "createSession" | "deleteSession"> {
  if (prepared === "kept" || !prepared?.row) return {};
  const replaced = ctx.sessions.previousToken(ctx.cookies);
  return { createSession: prepared.row, ...(replaced && { deleteSession: replaced }) };
}

async function tell(ctx: RequestContext, attempt: SignInAttempt, { work, user }: Carried): Promise<SignInResult> {
  const { plan, isNewUser, updated } = work;
  const { config } = ctx;
  if (updated) await emit(config, "updateUser", { user: updated });
  // Whoever finishes what a failed sign-in began is as new: the one that made the user told nobody.
  if (isNewUser) await emit(config, "createUser", { user });
  // What the application checks itself it need not be told of.
  if (plan.linkAccount && attempt.method !== "credentials") {
    // What is known of whoever comes with a passkey is the user.
    const profile = attempt.method === "oauth" ? attempt.profile : { name: user.name, email: user.email };
    await emit(config, "linkAccount", { user, account: { ...plan.linkAccount, userId: user.id }, profile });
  }
  const told = attempt.method === "credentials" ? attempt.user : user;
  return { act: "enter", user: told, account: accountFor(attempt, user), isNewUser };
}
