/**
 * Writes changes of second factors, if everything still is as it was decided on.
 *
 * @module
 */
import type { Expectation, Plan } from "../contract/adapter.ts";
import { AdapterError } from "../kernel/errors.ts";
import type { RequestContext } from "../request/context.ts";
import { endOthersOf } from "../session/end_of_user.ts";
import { commitAbout } from "../sign_in/commit_about.ts";
import { type Factor, keyOf, recordOf } from "./factors.ts";
import type { Owner } from "./owner.ts";

/** What is written of factors. */
export interface Changes {
  /** Each replaces the one of its version. */
  readonly put?: readonly Factor[];
  /** Each is removed only if it still has its version. */
  readonly remove?: readonly Factor[];
}

/** How often something is decided that others change at the same time. */
const TRIES = 5;

/** Decides and writes until nobody else was faster. @param run Gives `null` if somebody was. */
export async function untilWritten<T>(run: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < TRIES; tries++) {
    const done = await run();
    if (done !== null) return done;
  }
  throw new AdapterError(`Cannot change second factors: storage changed during each of ${TRIES} tries`);
}

interface ChangesPlan extends Pick<Plan, "records"> {
  readonly expect: { readonly records: NonNullable<Expectation["records"]> };
}

/** Makes the plan of changes. */
export function planOf({ put = [], remove = [] }: Changes): ChangesPlan {
  return {
    expect: { records: [...put, ...remove].map(keyOf) },
    records: { put: put.map(recordOf), remove: remove.map(keyOf).map(({ kind, id }) => ({ kind, id })) },
  };
}

/** Writes changes for somebody who may do so. @returns Whether they were written. */
export async function write(
  { config }: Pick<RequestContext, "config">,
  { user, expect }: Pick<Owner, "user" | "expect">,
  changes: Changes,
): Promise<boolean> {
  const plan = planOf(changes);
  const records = [...expect.records ?? [], ...plan.expect.records];
  return await commitAbout(config, user, { ...plan, expect: { ...expect, records } }) === "done";
}

/** Ends the sessions of somebody but the one that asks for it. */
export async function endOtherSessions(ctx: RequestContext, { user, active, expect }: Owner): Promise<void> {
  await endOthersOf(ctx, { user, active, waiting: expect.records?.[0]?.id });
}
