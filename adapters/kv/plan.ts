/**
 * The plan of a sign-in in Deno KV.
 *
 * @module
 */
import {
  type CommitResult,
  type Expectation,
  isAsLinked,
  isAsRead,
  isAsUsed,
  type Plan,
  type VerificationToken,
} from "../../src/contract/adapter.ts";
import {
  assertExpected,
  commitResultOf,
  existing,
  PlanRejected,
  type PlanSteps,
  runPlan,
} from "../../src/contract/commit.ts";
import { hasVersion } from "../../src/contract/stored_record.ts";
import { revokeUnverified } from "./epoch.ts";
import { findRecord, type KvRecordStore, putRecord, removeRecord } from "./feature_records.ts";
import { findOwned, findUser } from "./find.ts";
import type { KvKey } from "./kv_like.ts";
import { ACCOUNT, CREDENTIAL, type Kind, type Owned, SESSION, tokenKey } from "./layout.ts";
import { addOwned, addUser, changeOwned, changeUser, countCredentials, removeOwned, startEpoch } from "./records.ts";
import { sweepAnybody, sweepUser } from "./sweep.ts";
import { transact, type Transaction } from "./transaction.ts";

/** Commits a plan: all of it, or nothing. */
export async function commitPlan(store: KvRecordStore, plan: Plan): Promise<CommitResult> {
  try {
    await transact(store, async (tx) => {
      for (const step of runPlan(plan, planSteps(store, tx))) await step;
    });
    if (plan.evict) await sweepUser(store, plan.evict.userId);
    else await sweepAnybody(store);
    return "done";
  } catch (error) {
    return commitResultOf(error);
  }
}

function planSteps(store: KvRecordStore, tx: Transaction): PlanSteps<Promise<unknown>> {
  return {
    expect: (expectation) => checkExpectation(store, tx, expectation),
    consume: (token) => consumeToken(tx, token),
    updateUser: (changes) => changeUser(tx, changes),
    createUser: (user) => addUser(tx, user),
    evict: ({ userId, email }) => startEpoch(tx, userId, (epochs) => revokeUnverified(epochs, email)),
    records: async ({ remove = [], put = [] }) => {
      for (const { kind, id } of remove) await removeRecord(store, tx, { kind, id });
      for (const record of put) assertExpected(await putRecord(store, tx, record) !== null);
    },
    unlinkAccount: ({ userId, ...key }) => removeTheirs(tx, { kind: ACCOUNT, id: ACCOUNT.idOf(key), userId }),
    deleteAuthenticator: ({ userId, ...key }) =>
      removeTheirs(tx, { kind: CREDENTIAL, id: CREDENTIAL.idOf(key), userId }),
    linkAccount: (account) => addOwned(tx, ACCOUNT, account),
    updateAccount: async (changes) => existing(await changeOwned(tx, ACCOUNT, changes), "account"),
    createAuthenticator: (authenticator) => addOwned(tx, CREDENTIAL, authenticator),
    updateCounter: async (changes) => existing(await changeOwned(tx, CREDENTIAL, changes), "authenticator"),
    deleteSession: (sessionToken) => removeOwned(tx, SESSION, [sessionToken]),
    createSession: (session) => addOwned(tx, SESSION, session),
  };
}

async function checkExpectation(store: KvRecordStore, tx: Transaction, expect: Expectation): Promise<void> {
  const { user, account, authenticator, authenticators: limit, session, records = [] } = expect;
  if (user) assertExpected(isAsRead((await findUser(tx, user.id))?.user ?? null, user));
  if (account) {
    assertExpected(isAsLinked((await findOwned(tx, ACCOUNT, ACCOUNT.idOf(account)))?.row ?? null, account));
  }
  if (authenticator) {
    const found = await findOwned(tx, CREDENTIAL, CREDENTIAL.idOf(authenticator));
    assertExpected(isAsUsed(found?.row ?? null, authenticator));
  }
  if (limit) {
    const owner = await findUser(tx, limit.userId);
    assertExpected((owner ? await countCredentials(tx, owner) : 0) < limit.fewerThan);
  }
  if (session) {
    assertExpected((await findOwned(tx, SESSION, SESSION.idOf(session)))?.row.userId === session.userId);
  }
  for (const { version, ...key } of records) assertExpected(hasVersion(await findRecord(store, key, tx), version));
}

interface Theirs<Row extends Owned> {
  readonly kind: Kind<Row, never>;
  readonly id: KvKey;
  readonly userId: string;
}

async function removeTheirs<Row extends Owned>(tx: Transaction, { kind, id, userId }: Theirs<Row>): Promise<void> {
  assertExpected((await removeOwned(tx, kind, id))?.userId === userId);
}

async function consumeToken(
  tx: Transaction,
  { identifier, tokens, now }: NonNullable<Plan["consume"]>,
): Promise<void> {
  const keys = tokens.map((token) => tokenKey({ identifier, token }));
  // There is a hash for each secret, but one row to consume. Checks of the other keys would count against the limit.
  const rows = await Promise.all(keys.map((key) => tx.peek<VerificationToken>(key)));
  const key = keys[rows.findIndex((row) => row && row.expires > now)];
  if (!key || !await tx.get(key)) throw new PlanRejected("consumed");
  tx.delete(key);
}
