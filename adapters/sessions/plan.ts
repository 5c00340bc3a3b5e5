/**
 * The plan of a sign-in whose session is kept apart.
 *
 * @module
 */
import type { CommitResult, Plan } from "../../src/contract/adapter.ts";
import { commitResultOf } from "../../src/contract/commit.ts";
import { randomUuid } from "../../src/crypto/random.ts";
import { AdapterError } from "../../src/kernel/errors.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import type { Epoch } from "./epochs.ts";
import { findLive, isFree, type SessionsApart, userOf } from "./live.ts";

/**
 * Commits a plan: first everything else, then its session.
 *
 * If the process ends in the middle, the session that the plan removes has ended, and the one that it creates does not
 * exist. The sessions of a user who is evicted end with the transaction of the adapter.
 *
 * @throws {AdapterError} if the session could not be stored after everything else was written.
 */
export async function commitApart(apart: SessionsApart, plan: Plan): Promise<CommitResult> {
  try {
    const others = await expecting(apart, plan);
    if (!others) return "conflict";
    const prepared = await prepare(apart, plan, others);
    return prepared ? await carryOut(apart, plan, prepared) : await refusal(apart, plan);
  } catch (error) {
    return commitResultOf(error);
  }
}

interface Prepared {
  /** The plan for the adapter. */
  readonly others: Plan;
  /** The epoch of the session to create, if there is one. */
  readonly epoch: Epoch | null;
}

/** Checks what a plan does to sessions, before anything is written. `null` if it is a conflict. */
async function prepare(apart: SessionsApart, plan: Plan, expected: Plan): Promise<Prepared | null> {
  const { epochs } = apart;
  const { createSession, deleteSession, evict } = plan;
  const { createSession: _created, deleteSession: _deleted, ...rest } = expected;
  const others = evict ? epochs.ending(rest, evict.userId) : rest;
  if (!createSession) return { others, epoch: null };

  const { sessionToken, userId } = createSession;
  const isFirst = plan.createUser?.id === userId;
  const endsBefore = (owner: string) => deleteSession === sessionToken || evict?.userId === owner;
  if (!await isFree(apart, sessionToken, endsBefore)) return null;
  // The transaction makes sure that a user exists who is expected.
  if (!isFirst && plan.expect?.user?.id !== userId && !await userOf(apart, userId)) return null;
  const user = () => userOf(apart, userId);
  if (isFirst || evict?.userId === userId) {
    const [started, epoch] = await epochs.starting(others, userId, user);
    return { others: started, epoch };
  }
  return { others, epoch: await epochs.begin(userId, user) };
}

// The adapter has no such session. It can still make sure that no session of the user has been ended since.
async function expecting(apart: SessionsApart, plan: Plan): Promise<Plan | null> {
  const { session, ...expect } = plan.expect ?? {};
  if (!session) return plan;
  const live = await findLive(apart, session.sessionToken);
  if (live?.session.userId !== session.userId) return null;
  return apart.epochs.expecting({ ...plan, expect }, live.user, live.epoch);
}

// The token of a plan is looked at before what it creates.
async function refusal({ adapter }: SessionsApart, { consume }: Plan): Promise<CommitResult> {
  if (!consume || !adapter.getVerificationToken) return "conflict";
  for (const token of consume.tokens) {
    const found = await adapter.getVerificationToken({ identifier: consume.identifier, token });
    if (found && found.expires > consume.now) return "conflict";
  }
  return "consumed";
}

async function carryOut(
  { adapter, sessions }: SessionsApart,
  { createSession, deleteSession, evict }: Plan,
  { others, epoch }: Prepared,
): Promise<CommitResult> {
  const by = randomUuid(systemRuntime);
  const replaced = deleteSession === undefined ? null : await sessions.locate(deleteSession);
  // Nobody finds it from now on. If the adapter fails, it is not known whether it was to end: then nobody does any more.
  if (replaced) await sessions.setAside(replaced, by);
  const result = await adapter.commit?.(others) ?? "conflict";
  if (result !== "done") {
    if (replaced) await sessions.putBack(replaced, by);
    return result;
  }
  await Promise.all([evict && sessions.end(evict.userId), replaced && sessions.remove(replaced)]);
  if (createSession && epoch && !await sessions.add({ session: createSession, epochs: [epoch.name] })) {
    throw new AdapterError("Cannot store session: another request has stored one with this token meanwhile");
  }
  return result;
}
