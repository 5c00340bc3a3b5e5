/**
 * Runs an act, for the endpoint and for `auth.account`.
 *
 * @module
 */
import { AdapterError } from "../kernel/errors.ts";
import type { RequestContext } from "../request/context.ts";
import type { AccountAct } from "../request/account_views.ts";
import { type Actor, findActor } from "../sign_in/actor.ts";
import type { AccountActRow, ActInput, ActResult } from "./acts.ts";

/** What has come of an act, or what its owner has to do first. */
export type RanAct =
  | { readonly kind: "sign-in" }
  | { readonly kind: "prove-more" }
  | Exclude<ActResult, { readonly kind: "again" }> & {
    /** Who did it, as they were before; `null` for the link of an email. */
    readonly actor: Actor | null;
  };

/** An act, and what it is called. */
export interface NamedAct {
  readonly name: AccountAct;
  readonly row: AccountActRow;
}

/** How often something is decided that others change at the same time. */
const TRIES = 5;

/** Runs an act. Everything is decided again if something has changed meanwhile. */
export async function runAct(ctx: RequestContext, { name, row }: NamedAct, input: ActInput): Promise<RanAct> {
  for (let tries = 0; tries < TRIES; tries++) {
    const ran = await runOnce(ctx, row, input);
    if (ran.kind !== "again") return ran;
  }
  throw new AdapterError(`Cannot change the account (${name}): storage changed during each of ${TRIES} tries`);
}

async function runOnce(
  ctx: RequestContext,
  row: AccountActRow,
  input: ActInput,
): Promise<RanAct | { readonly kind: "again" }> {
  if (row.judged === null) return by(null, await row.run(ctx, null, input));
  const found = await findActor(ctx, { act: row.judged, moment: "done" });
  if (found.act !== "go-on") return { kind: found.act };
  return by(found.actor, await row.run(ctx, found.actor, input));
}

function by(actor: Actor | null, result: ActResult): RanAct | { readonly kind: "again" } {
  return result.kind === "again" ? result : { ...result, actor };
}
