/**
 * What the adapters of this package share: how a plan is committed, and how changes are merged into a record.
 *
 * @module
 */
import { AdapterError } from "../kernel/errors.ts";
import { withoutUndefined } from "../kernel/objects.ts";
import type { CommitResult, Plan } from "./adapter.ts";

/** A row exists that must not, or does not exist and must. For applications it is an `AdapterError` like any other. */
export class ConstraintViolation extends AdapterError {
  override name = "AdapterError";
}

/** Thrown within the transaction of a plan to undo it and give the caller this result. */
export class PlanRejected extends ConstraintViolation {
  /** What `commit()` returns. */
  readonly result: Exclude<CommitResult, "done">;

  /** @param result What `commit()` returns. */
  constructor(result: Exclude<CommitResult, "done">) {
    super(`Cannot commit plan: ${result}`);
    this.result = result;
  }
}

/** Gives what `commit()` returns for an error of a plan. @throws {unknown} the error itself if it says nothing of the plan. */
export function commitResultOf(error: unknown): CommitResult {
  if (error instanceof PlanRejected) return error.result;
  if (error instanceof ConstraintViolation) return "conflict";
  throw error;
}

/** Rejects the plan unless something that it expects holds. @throws {PlanRejected} with `conflict`. */
export function assertExpected(holds: boolean): void {
  if (!holds) throw new PlanRejected("conflict");
}

/** How an adapter carries out each member of a plan. */
export type PlanSteps<Result> = {
  readonly [Name in keyof Plan]-?: (value: NonNullable<Plan[Name]>) => Result;
};

/** The order of the steps: expectations are checked before anything is written, and users are created before their records. */
const ORDER: readonly (keyof Plan)[] = [
  "expect",
  "consume",
  "updateUser",
  "createUser",
  "evict",
  "records",
  "unlinkAccount",
  "deleteAuthenticator",
  "linkAccount",
  "updateAccount",
  "createAuthenticator",
  "updateCounter",
  "deleteSession",
  "createSession",
];

/** Carries out a plan in order. Each step starts when the result of the one before it has been taken. */
export function* runPlan<Result>(plan: Plan, steps: PlanSteps<Result>): Generator<Result, void> {
  for (const name of ORDER) {
    const run: (value: never) => Result = steps[name];
    // The value is of the step of the same name, which TypeScript cannot see.
    if (plan[name] !== undefined) yield run(plan[name] as never);
  }
}

/** Gives a row that must exist. @throws {ConstraintViolation} if it does not. */
export function existing<Row>(row: Row | null, what: string): Row {
  if (row === null) throw new ConstraintViolation(`Cannot find ${what}: it does not exist`);
  return row;
}

/** Merges changes into a record. Members that are `undefined` stay as they are. */
export function applyChanges<Row extends object>(record: Row, changes: object): Row {
  return { ...record, ...withoutUndefined(changes) };
}
