/**
 * Changing the session.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { json, type Outcome } from "../request/outcome.ts";
import { readSession } from "./read.ts";

/** Passes what the client sent to the `jwt` or the `session` callback, and answers with the session that results. */
export async function updateSession(ctx: RequestContext, data: unknown): Promise<Outcome> {
  return json(await readSession(ctx, { renew: true, patch: { data } }));
}
