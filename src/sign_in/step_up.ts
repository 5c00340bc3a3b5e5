/**
 * Raises the session of a browser after another proof of the same person.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { ActiveSession } from "../session_stores/session_store.ts";

/** A session, and what its user has proven now. */
export interface StepUp {
  readonly active: ActiveSession;
  readonly user: AdapterUser;
  /** What was proven, as RFC 8176 names it, with `mfa` if there are two factors now. */
  readonly methods: readonly string[];
  /** Records to put or remove in the same commit, such as a code that is used up. */
  readonly plan?: Pick<import("../contract/adapter.ts").Plan, "records"> | undefined;
}

/**
 * Gives the browser a new session in place of the one that it has: its token changes, the methods are added, and its
 * sign-in counts as of now.
 *
 * @returns Whether it was raised. `false` if the session or its user has changed meanwhile, or was ended.
 */
export function raiseSession(_ctx: RequestContext, _stepUp: StepUp): Promise<boolean> {
  return Promise.reject(new Error("To be written"));
}
