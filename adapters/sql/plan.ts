/**
 * Carries out the plan of a sign-in, in the order of the contract.
 *
 * @module
 */
import {
  type AdapterAccount,
  type AdapterAuthenticator,
  type AdapterUser,
  type CommitResult,
  type Expectation,
  isAsRead,
  isAsUsed,
  isUnproven,
  type Plan,
} from "../../src/contract/adapter.ts";
import type { Store } from "./store.ts";
import type { Table } from "./table.ts";
import { isStorable } from "./values.ts";
import { add, change, findAll, findOne, lookUp, ofKey, removeAll, removeOne, where, type Work } from "./work.ts";

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
  if (plan.expect) yield* demand(store, plan.expect);
  if (plan.consume) yield* consume(store, plan.consume);
  if (plan.updateUser) present(yield* change(users, plan.updateUser, store.lock));
  if (plan.createUser) present(yield* add(users, plan.createUser));
  if (plan.evict) yield* evict(store, plan.evict);
  if (plan.linkAccount) present(yield* add(accounts, plan.linkAccount));
  if (plan.updateAccount) present(yield* change(accounts, plan.updateAccount, store.lock));
  if (plan.createAuthenticator) present(yield* add(authenticators, plan.createAuthenticator));
  if (plan.updateCounter) present(yield* change(authenticators, plan.updateCounter, store.lock));
  if (plan.deleteSession !== undefined) yield* removeOne(sessions, where(sessions.key, [plan.deleteSession]));
  if (plan.createSession) present(yield* add(sessions, plan.createSession));
  return "done";
}

function present(found: object | null): void {
  demandThat(found !== null);
}

function demandThat(holds: boolean): void {
  if (!holds) throw new GivenUp("conflict");
}

type Step<Name extends keyof Plan> = NonNullable<Plan[Name]>;

// The user's row first: whoever else has a plan about this user waits here, and then sees what this one has left.
function* demand({ tables, lock }: Store, expect: Expectation): Work<void> {
  const { users, accounts, sessions, authenticators } = tables;
  const { user, account, authenticator, session } = expect;
  if (user) {
    const found = yield* findOne(users, where(users.key, [user.id]), lock);
    demandThat(isAsRead(found as AdapterUser | null, user));
  }
  if (account) {
    const found = yield* findOne(accounts, ofKey(accounts, account), lock);
    demandThat(found?.userId === account.userId);
  }
  if (authenticator) {
    const found = yield* findOne(authenticators, ofKey(authenticators, authenticator), lock);
    demandThat(isAsUsed(found as AdapterAuthenticator | null, authenticator));
  }
  if (expect.authenticators) yield* demandRoom(authenticators, expect.authenticators);
  if (session) {
    const found = yield* findOne(sessions, ofKey(sessions, session), lock);
    demandThat(found?.userId === session.userId);
  }
}

function* demandRoom(
  { sql }: Table,
  { userId, fewerThan }: NonNullable<Expectation["authenticators"]>,
): Work<void> {
  const [row] = yield* lookUp(`select count(*) as "0" from ${sql} where "userId" = ?`, [userId]);
  demandThat(Number(row?.[0] ?? 0) < fewerThan);
}

function* consume({ tables, timestamp: instant }: Store, { identifier, tokens, now }: Step<"consume">): Work<void> {
  const usable = tokens.filter(isStorable);
  if (usable.length === 0 || !isStorable(identifier)) throw new GivenUp("consumed");
  const hashes = usable.map(() => "?").join(", ");
  const rows = yield {
    sql: `delete from ${tables.verificationTokens.sql} where "identifier" = ? and "token" in (${hashes})` +
      ` and "expires" > ${instant.placeholder} returning 1 as "0"`,
    params: [identifier, ...usable, instant.encode(now)],
  };
  if (rows.length === 0) throw new GivenUp("consumed");
}

function* evict({ tables }: Store, { userId, email }: Step<"evict">): Work<void> {
  const { accounts, authenticators, sessions } = tables;
  const ofUser = where([{ sql: '"userId"' }], [userId]);
  yield* removeAll(sessions, ofUser);
  yield* removeAll(authenticators, ofUser);
  const lost = (yield* findAll(accounts, ofUser)).filter((account) => isUnproven(account as AdapterAccount, email));
  for (let at = 0; at < lost.length; at += MOST_AT_ONCE) {
    const keys = lost.slice(at, at + MOST_AT_ONCE).map((account) => ofKey(accounts, account));
    const sql = keys.map((key) => `(${key.sql})`).join(" or ");
    yield* removeAll(accounts, { sql, texts: keys.flatMap(({ texts }) => texts) });
  }
}

/** Accounts that are removed by one statement: databases bound the number of its parameters. */
const MOST_AT_ONCE = 100;
