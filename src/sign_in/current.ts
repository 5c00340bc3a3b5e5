/**
 * Who is signed in while somebody signs in.
 *
 * @module
 */
import type { RequestContext } from "../context.ts";
import { AdapterError } from "../errors.ts";
import type { AdapterUser } from "../model.ts";
import type { Storage } from "../storage.ts";
import { type ActiveSession, ownerOf } from "../stores/session_store.ts";

/** Finds the session of a browser. One that cannot be opened is none. */
export async function openSession({ cookies, sessions }: RequestContext): Promise<ActiveSession | null> {
  try {
    return await sessions.find(cookies);
  } catch (error) {
    if (error instanceof AdapterError) throw error;
    return null;
  }
}

/** Finds the user whose session it is. */
export async function userOf(storage: Storage, active: ActiveSession): Promise<AdapterUser | null> {
  if (active.strategy === "database") return active.user;
  const id = ownerOf(active);
  return id === undefined ? null : await storage.getUser(id);
}

/**
 * Finds whoever started something, if they are still signed in. Who signed out meanwhile, or in as somebody else, does not
 * mean to add anything any more.
 */
export async function stillSignedIn(
  ctx: RequestContext,
  storage: Storage,
  startedBy: string | null,
): Promise<AdapterUser | null> {
  if (startedBy === null) return null;
  const active = await openSession(ctx);
  if (!active || ownerOf(active) !== startedBy) return null;
  return await userOf(storage, active);
}
