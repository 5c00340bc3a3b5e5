/**
 * Epochs: how the database ends sessions that are kept elsewhere.
 *
 * Each session holds the epoch of its user in which it began, and goes on as long as the database says that it is still
 * that one. So a session that comes back, because its store lost its last writes, has ended all the same.
 *
 * Where the adapter has records, the epoch is a record of the user, which holds a random text. Whoever ends all sessions
 * removes the record: in the transaction of the plan, where there is one. Without records, the epoch is made of what ends
 * sessions elsewhere: the user's `securityStamp`, which changes with each eviction, and the time at which all of their
 * sessions were ended.
 *
 * @module
 */
import type { Adapter, AdapterUser, Plan, RecordKey } from "../../src/contract/adapter.ts";
import { asRead } from "../../src/contract/adapter.ts";
import { endedAtOf, endKeyOf } from "../../src/contract/ended.ts";
import { randomUuid } from "../../src/crypto/random.ts";
import { pause } from "../../src/kernel/deadline.ts";
import { AdapterError } from "../../src/kernel/errors.ts";
import { withoutUndefined } from "../../src/kernel/objects.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";

/** The kind of the record. */
const KIND = "sessions";

/** The epoch of a user. */
export interface Epoch {
  readonly name: string;
  /** The version of its record; 0 if it has none. */
  readonly version: number;
}

/** The records of a plan, and what it expects. */
export type PlanParts = Pick<Plan, "expect" | "records">;

/** Finds the user, where the epoch is in their row. */
type FindUser = () => Promise<AdapterUser | null>;

/** The epochs of users. */
export interface Epochs {
  /** Finds the epoch of a user. `null` if no session of theirs goes on. */
  find(userId: string, user: FindUser): Promise<Epoch | null>;
  /** Finds the epoch of a user, or starts the first one. Fails if there is no such user. */
  begin(userId: string, user: FindUser): Promise<Epoch>;
  /** Ends the epoch of a user. */
  end(userId: string): Promise<void>;
  /** Goes on from one epoch to the next, unless another one has begun meanwhile. */
  advance(userId: string, from: Epoch, to: string): Promise<void>;
  /** Gives a plan that ends the epoch of a user. */
  ending(plan: Plan, userId: string): Plan;
  /** Gives a plan that starts an epoch: it creates the user, or ends their epoch. */
  starting(plan: Plan, userId: string, user: FindUser): Promise<readonly [Plan, Epoch]>;
  /** Gives a plan that is a conflict unless the epoch of a user is still this one. */
  expecting(plan: Plan, user: AdapterUser, epoch: Epoch): Plan;
}

/** Makes the epochs of an adapter. */
export function epochsOf(adapter: Adapter): Epochs {
  const { getRecord, putRecord, removeRecord } = adapter;
  return getRecord && putRecord && removeRecord
    ? recordEpochs({
      getRecord: getRecord.bind(adapter),
      putRecord: putRecord.bind(adapter),
      removeRecord: removeRecord.bind(adapter),
    })
    : rowEpochs(adapter);
}

type Records = Required<Pick<Adapter, "getRecord" | "putRecord" | "removeRecord">>;

/** Times that the first epoch is started: another request may have been faster, and yet another may have ended it. */
const MAX_TRIES = 10;

function recordEpochs({ getRecord, putRecord, removeRecord }: Records): Epochs {
  const find = async (userId: string): Promise<Epoch | null> => {
    const record = await getRecord(keyOf(userId));
    const name = record?.data.epoch;
    return record && typeof name === "string" ? { name, version: record.version } : null;
  };
  return {
    find,
    async begin(userId) {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const found = await find(userId);
        if (found) return found;
        const first = recordOf(userId, newEpoch());
        const version = await putRecord(first);
        if (version !== null) return { name: first.data.epoch, version };
      }
      throw new AdapterError("Cannot store session: other requests end the sessions of its user all the time");
    },
    end: async (userId) => void await removeRecord(keyOf(userId)),
    advance: async (userId, { version }, to) => void await putRecord({ ...recordOf(userId, to), version }),
    ending: (plan, userId) => ({
      ...plan,
      records: { ...plan.records, remove: [...plan.records?.remove ?? [], keyOf(userId)] },
    }),
    starting(plan, userId) {
      const first = recordOf(userId, newEpoch());
      const records = { ...plan.records, put: [...plan.records?.put ?? [], first] };
      return Promise.resolve([{ ...plan, records }, { name: first.data.epoch, version: 0 }]);
    },
    expecting(plan, { id }, { version }) {
      const records = [...plan.expect?.records ?? [], { ...keyOf(id), version }];
      return { ...plan, expect: { ...plan.expect, records } };
    },
  };
}

function keyOf(userId: string): RecordKey {
  // A database that numbers its users is given numbers.
  return { kind: KIND, id: String(userId) };
}

function recordOf(userId: string, epoch: string) {
  return { ...keyOf(userId), userId: String(userId), version: 0, data: { epoch } };
}

function newEpoch(): string {
  return randomUuid(systemRuntime);
}

/** Milliseconds within which two ends could have the same time. */
const SAME_TIME = 2;

function rowEpochs(adapter: Adapter): Epochs {
  const endOf = async (userId: string): Promise<number | null> => {
    const end = await adapter.getVerificationToken?.(endKeyOf(String(userId))) ?? null;
    return end && endedAtOf(end);
  };
  const epochIn = ({ securityStamp }: Pick<AdapterUser, "securityStamp">, end: number | null): Epoch => {
    return { name: JSON.stringify([securityStamp ?? null, end]), version: 0 };
  };
  const start = async (userId: string, user: Pick<AdapterUser, "securityStamp">): Promise<Epoch> => {
    const end = await endOf(userId);
    // Otherwise another end in this millisecond would not be seen.
    if (end !== null && Math.abs(systemRuntime.now() - end) < SAME_TIME) {
      await pause(systemRuntime, 2 * SAME_TIME / 1000);
    }
    return epochIn(user, end);
  };
  return {
    async find(userId, user) {
      const [found, end] = await Promise.all([user(), endOf(userId)]);
      return found && epochIn(found, end);
    },
    async begin(userId, user) {
      const found = await user();
      if (!found) throw new AdapterError("Cannot store session: its user does not exist");
      return await start(userId, found);
    },
    end: () => Promise.resolve(),
    advance: () => Promise.resolve(),
    ending: (plan) => plan,
    async starting(plan, userId, user) {
      const { createUser, updateUser } = plan;
      const before = createUser?.id === userId ? createUser : await user() ?? {};
      const changes = updateUser?.id === userId ? updateUser : {};
      return [plan, await start(userId, { ...before, ...withoutUndefined(changes) })];
    },
    // The row of the user changes with each eviction.
    expecting: (plan, user) => ({ ...plan, expect: { user: asRead(user), ...plan.expect } }),
  };
}
