/**
 * Ends the sessions of somebody who sets a new password, because others may know the former one.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { tell } from "../request/events.ts";
import { isLiveRow } from "../session_stores/ended.ts";
import { noteEnds, removeRows } from "../session_stores/rows.ts";
import { endLegacySessions, endWaiting } from "../session_stores/without_rows.ts";
import type { Storage } from "../storage/guard.ts";

/** Whose sessions end. */
export interface Ending {
  readonly userId: string;
  /** The key of a session that goes on, because it has just begun. @default all end */
  readonly but?: string | undefined;
  /** Id of the record of a sign-in that waited for its second proof, and goes on. */
  readonly waiting?: string | undefined;
  /** Whether the former password is there still. @default it is not */
  readonly isCurrent?: (() => Promise<boolean>) | undefined;
}

/**
 * Ends the sessions of a user that storage knows, and the sign-ins that wait. Sealed sessions without rows end by
 * themselves, and so do those of storage that cannot list them.
 *
 * @returns Whether they were ended: not if the former password is not there any more.
 */
export async function endFormerSessions(ctx: RequestContext, storage: Storage, ending: Ending): Promise<boolean> {
  const { userId, but, waiting, isCurrent } = ending;
  const { config } = ctx;
  const now = config.runtime.now();
  const listed = await storage.listSessionsByUserId?.(userId) ?? [];
  // Read after the list: whoever was faster has begun a session since, which is not in it.
  if (isCurrent && !await isCurrent()) return false;
  await endWaiting(config, userId, waiting);
  // A session that has just begun is no older than this.
  if (isCurrent) await endLegacySessions(storage, userId, now);
  const rows = listed.filter(({ sessionToken }) => sessionToken !== but);
  await removeRows(storage, rows, now);
  noteEnds(storage, rows, now);
  const count = rows.filter((row) => isLiveRow(row, now)).length;
  const event = count > 0 ? () => ({ userId, reason: "revoked" as const, count }) : null;
  await tell(config, { type: "sessionEnded", event, message: null }, ctx);
  return true;
}
