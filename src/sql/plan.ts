/**
 * Carries out the plan of a sign-in, in the order of the contract.
 *
 * @module
 */
import type { CommitResult, Plan } from "../adapter.ts";
import type { Store } from "./store.ts";
import type { Table } from "./table.ts";
import { isStorable } from "./values.ts";
import { add, assignAll, change, ofKey, removeAll, removeOne, set, where, type Work } from "./work.ts";

/** Why a plan was given up. Thrown, so that the transaction undoes what was done until then. */
export class GivenUp extends Error {
  /** The answer to whoever asked. */
  readonly result: Exclude<CommitResult, "done">;

  /** Makes it of the answer. */
  constructor(result: Exclude<CommitResult, "done">) {
    super(`Plan given up: ${result}`);
    this.result = result;
  }
}

/**
 * Carries out a plan.
 *
 * @throws {GivenUp} if the token is not there, or if something is not as the plan took it to be.
 */
export function* carryOut(store: Store, plan: Plan): Work<"done"> {
  const { users, accounts, sessions, authenticators } = store.tables;
  if (plan.consume) yield* consume(store, plan.consume);
  if (plan.createUser) expect(yield* add(users, plan.createUser));
  if (plan.verifyUser) expect(yield* verify(users, plan.verifyUser));
  if (plan.evict) yield* evict(store, plan.evict);
  if (plan.linkAccount) expect(yield* add(accounts, plan.linkAccount));
  if (plan.updateAccount) expect(yield* change(accounts, plan.updateAccount, store.lock));
  if (plan.createAuthenticator) expect(yield* add(authenticators, plan.createAuthenticator));
  if (plan.updateCounter) expect(yield* raise(authenticators, plan.updateCounter));
  if (plan.deleteSession !== undefined) yield* removeOne(sessions, where(sessions.key, [plan.deleteSession]));
  if (plan.createSession) expect(yield* add(sessions, plan.createSession));
  return "done";
}

function expect(found: object | null): void {
  if (!found) throw new GivenUp("conflict");
}

type Step<Name extends keyof Plan> = NonNullable<Plan[Name]>;

function* consume({ tables, instant }: Store, { identifier, tokens, now }: Step<"consume">): Work<void> {
  const usable = tokens.filter(isStorable);
  if (usable.length === 0 || !isStorable(identifier)) throw new GivenUp("consumed");
  const hashes = usable.map(() => "?").join(", ");
  const rows = yield {
    sql: `delete from ${tables.verificationTokens.sql} where "identifier" = ? and "token" in (${hashes})` +
      ` and "expires" > ${instant.hole} returning 1 as "0"`,
    params: [identifier, ...usable, instant.encode(now)],
  };
  if (rows.length === 0) throw new GivenUp("consumed");
}

function* verify(users: Table, { id, emailVerified }: Step<"verifyUser">): Work<object | null> {
  const { sql, texts } = where(users.key, [id]);
  const unproven = { sql: `${sql} and "emailVerified" is null`, texts };
  return yield* set(users, assignAll(users, { emailVerified }), unproven);
}

function* evict({ tables }: Store, { userId, accounts, authenticators }: Step<"evict">): Work<void> {
  for (const key of accounts) yield* removeOne(tables.accounts, ofUser(tables.accounts, key, userId));
  for (const credentialID of authenticators) {
    yield* removeOne(tables.authenticators, ofUser(tables.authenticators, { credentialID }, userId));
  }
  yield* removeAll(tables.sessions, where([{ sql: '"userId"' }], [userId]));
}

function ofUser(table: Table, key: object, userId: string): ReturnType<typeof where> {
  const { sql, texts } = ofKey(table, key);
  return { sql: `${sql} and "userId" = ?`, texts: [...texts, userId] };
}

function* raise(authenticators: Table, { credentialID, from, to }: Step<"updateCounter">): Work<object | null> {
  const { sql, texts } = where(authenticators.key, [credentialID]);
  // The number goes into the text, because parameters of a condition are text.
  const unchanged = { sql: `${sql} and "counter" = ${Math.floor(from)}`, texts };
  return yield* set(authenticators, assignAll(authenticators, { counter: to }), unchanged);
}
