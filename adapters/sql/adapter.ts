/**
 * The contract, kept by a database that carries out tasks.
 *
 * @module
 */
import type { CommitResult, CompleteAdapter, Plan } from "../../src/contract/adapter.ts";
import { AdapterError } from "../../src/kernel/errors.ts";
import type { Runtime } from "../../src/kernel/runtime.ts";
import type { Operations } from "./operations.ts";
import { GivenUp } from "./plan.ts";
import type { EndingId } from "./store.ts";
import type { Task } from "./work.ts";

/** Which rule of the tables a statement would have broken. */
export type Violation = "taken" | "orphan";

/** A database. */
export interface Database {
  /**
   * Carries out a task that is chosen from the operations; opens the database before, if nothing did. One that is hurried
   * fails where others would wait.
   */
  perform<Result>(
    choose: (operations: Operations) => Task<Result>,
    how?: { readonly hurried: boolean },
  ): Promise<Result>;
  /** Which rule a statement would have broken, if that is why it failed. */
  violation(error: unknown): Violation | null;
}

/** Stored rows that end, until some that have ended are removed. */
const WRITES_PER_SWEEP = 64;

/** Makes an adapter of a database. */
export function sqlAdapter(database: Database, random: Runtime["random"]): CompleteAdapter {
  const ask = explained(database);
  const keep = sweeping(database, random);
  return {
    createUser: (user) => ask((its) => its.createUser(user)),
    getUser: (id) => ask((its) => its.getUser(id)),
    getUserByEmail: (email) => ask((its) => its.getUserByEmail(email)),
    getUserByAccount: (key) => ask((its) => its.getUserByAccount(key)),
    updateUser: (user) => ask((its) => its.updateUser(user)),
    deleteUser: (userId) => ask((its) => its.deleteUser(userId)),
    linkAccount: (account) => ask((its) => its.linkAccount(account)),
    unlinkAccount: (key) => ask((its) => its.unlinkAccount(key)),
    getAccount: (providerAccountId, provider) => ask((its) => its.getAccount(providerAccountId, provider)),
    updateAccount: (account) => ask((its) => its.updateAccount(account)),
    listAccountsByUserId: (userId) => ask((its) => its.listAccountsByUserId(userId)),
    createSession: (session) => keep(() => ask((its) => its.createSession(session))),
    getSessionAndUser: (sessionToken) => ask((its) => its.getSessionAndUser(sessionToken)),
    updateSession: (session) => ask((its) => its.updateSession(session)),
    deleteSession: (sessionToken) => ask((its) => its.deleteSession(sessionToken)),
    listSessionsByUserId: (userId) => ask((its) => its.listSessionsByUserId(userId)),
    deleteSessionsByUserId: (userId) => ask((its) => its.deleteSessionsByUserId(userId)),
    createVerificationToken: (token) => keep(() => ask((its) => its.createVerificationToken(token))),
    useVerificationToken: (key) => ask((its) => its.useVerificationToken(key)),
    getVerificationToken: (key) => ask((its) => its.getVerificationToken(key)),
    createAuthenticator: (authenticator) => ask((its) => its.createAuthenticator(authenticator)),
    getAuthenticator: (credentialID) => ask((its) => its.getAuthenticator(credentialID)),
    listAuthenticatorsByUserId: (userId) => ask((its) => its.listAuthenticatorsByUserId(userId)),
    updateAuthenticatorCounter: (id, counter) => ask((its) => its.updateAuthenticatorCounter(id, counter)),
    updateAuthenticator: (authenticator) => ask((its) => its.updateAuthenticator(authenticator)),
    deleteAuthenticator: (credentialID) => ask((its) => its.deleteAuthenticator(credentialID)),
    once: (key, expires) => keep(() => ask((its) => its.once(key, expires))),
    commit: (plan) => keep(() => commit(database, plan)),
  };
}

type Ask = Database["perform"];

/** Says in words what a database says in codes. */
function explained(database: Database): Ask {
  return async (choose) => {
    try {
      return await database.perform(choose);
    } catch (error) {
      const violation = database.violation(error);
      if (!violation) throw error;
      throw new AdapterError(`Cannot write to storage: ${WORDS[violation]}`, { cause: error });
    }
  };
}

const WORDS: Readonly<Record<Violation, string>> = {
  taken: "there is one of the same id or address",
  orphan: "the user does not exist",
};

async function commit(database: Database, plan: Plan): Promise<CommitResult> {
  try {
    return await database.perform((its) => its.commit(plan));
  } catch (error) {
    if (error instanceof GivenUp) return error.result;
    if (database.violation(error)) return "conflict";
    throw error;
  }
}

/** Removes what has ended, now and then, before something new is stored. */
function sweeping(
  database: Database,
  random: Runtime["random"],
): <Result>(store: () => Promise<Result>) => Promise<Result> {
  // By chance, because programs, and adapters, can be too short-lived to count that far.
  let [writes = 0] = random(new Uint8Array(1));
  return async (store) => {
    writes += 1;
    if (writes % WRITES_PER_SWEEP === 0) await sweep(database);
    return await store();
  };
}

const ENDING: readonly EndingId[] = ["sessions", "verificationTokens", "onceMarks"];

async function sweep(database: Database): Promise<void> {
  try {
    for (const id of ENDING) await database.perform((its) => its.sweep(id), { hurried: true });
  } catch {
    // Rows that have ended harm nobody, the next sweep finds them, and nobody waits for a lock because of them.
  }
}
