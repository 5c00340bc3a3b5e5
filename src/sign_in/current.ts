/**
 * Who is signed in while somebody signs in.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { AdapterError } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { Storage } from "../config/storage.ts";
import { mayAddAccount } from "./verification.ts";
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
export async function findSessionUser(storage: Storage, active: ActiveSession): Promise<AdapterUser | null> {
  if (active.strategy === "database") return active.user;
  const id = ownerOf(active);
  return id === undefined ? null : await storage.getUser(id);
}

/** Who acts by a session that may add what opens their user. */
export interface CurrentUser {
  readonly user: AdapterUser;
  /** The token of the session, where sessions are stored. */
  readonly sessionToken: string | null;
}

/**
 * Finds whoever started something, if they are still signed in. Who signed out meanwhile, or in as somebody else, does not
 * mean to add anything any more; who signed in before the address was proven may be somebody else.
 */
export async function findCurrentUser(
  ctx: RequestContext,
  storage: Storage,
  startedBy: string | null,
): Promise<CurrentUser | null> {
  if (startedBy === null) return null;
  const active = await openSession(ctx);
  if (!active || ownerOf(active) !== startedBy) return null;
  const user = await findSessionUser(storage, active);
  if (!user || !mayAddAccount(active, user)) return null;
  return { user, sessionToken: active.strategy === "database" ? active.session.sessionToken : null };
}
