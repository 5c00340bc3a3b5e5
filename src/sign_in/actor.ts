/**
 * Who does an act that changes how somebody gets in, or what is theirs.
 *
 * @module
 */
import type { Expectation } from "../contract/adapter.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { RequestContext } from "../request/context.ts";
import { requireStorage } from "../request/require_storage.ts";
import { storedKeyOf } from "../session_stores/auth_session.ts";
import type { ActiveSession } from "../session_stores/session_store.ts";
import { findSessionUser, mayDo, openSession } from "./current.ts";
import type { DangerousAct } from "./dangerous.ts";

/** Somebody who is signed in, and may do what they ask for. */
export interface Actor {
  readonly user: AdapterUser;
  readonly active: ActiveSession;
  /** What has to be true still when something is written. */
  readonly expect: Pick<Expectation, "session">;
}

/** Who was found, or what they have to do first. */
export type FoundActor =
  | { readonly act: "go-on"; readonly actor: Actor }
  | { readonly act: "sign-in" }
  | { readonly act: "prove-more" };

/** Finds who is signed in, and judges whether they may do an act now. */
export async function findActor(
  ctx: RequestContext,
  { act, moment }: { readonly act: DangerousAct; readonly moment: "begun" | "done" },
): Promise<FoundActor> {
  const { config } = ctx;
  const active = await openSession(ctx);
  const user = active && await findSessionUser(config, requireStorage(ctx), active);
  if (!active || !user) return { act: "sign-in" };
  const judged = await mayDo(config, { act, moment, active, user });
  if (judged === "too-low") return { act: "prove-more" };
  if (judged !== "allowed") return { act: "sign-in" };
  const sessionToken = storedKeyOf(config.session, active);
  const expect = sessionToken === null ? {} : { session: { sessionToken, userId: user.id } };
  return { act: "go-on", actor: { user, active, expect } };
}
