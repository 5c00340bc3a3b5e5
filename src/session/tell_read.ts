/**
 * Tells the handler of `events.session` that a session was read.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { tell } from "../request/events.ts";
import type { Session } from "../kernel/model.ts";
import type { ActiveSession } from "../session_stores/session_store.ts";

/** Tells of a session, as the browser gets it. */
export async function tellRead(ctx: RequestContext, refreshed: ActiveSession, session: Session): Promise<void> {
  const copy = copyOf(session);
  const message = () => refreshed.strategy === "jwt" ? { session: copy, token: refreshed.claims } : { session: copy };
  await tell(ctx.config, { type: "sessionRead", event: null, message }, ctx);
}

// What a handler changes in it must not reach the answer. Dates and sets stay what they are.
function copyOf(session: Session): Session {
  try {
    return structuredClone(session);
  } catch {
    return JSON.parse(JSON.stringify(session)); // it has a function, which no answer has
  }
}
