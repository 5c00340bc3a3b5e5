/**
 * What the rows of sessions say, and how one is ended.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Storage } from "../storage/guard.ts";
import type { SessionAndUser } from "../contract/adapter.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { SessionTokenError } from "../kernel/errors.ts";
import type { LogSubject } from "../kernel/log_subject.ts";
import { withoutLongPicture } from "../kernel/pictures.ts";
import { isAdopted, SEALED_PREFIX } from "./auth_session.ts";

/** The share of `timeouts.total` that may be spent on a write without which the session can be read. */
const WRITE_SHARE = 1 / 4;

/** What a write is for, and what is logged if it fails. */
export interface WriteAttempt {
  /** What is waited for, for the error of a write that hangs. */
  readonly what: string;
  /** @default {"Cannot write the session"} */
  readonly message?: string;
  readonly subject: LogSubject | undefined;
}

/** Runs a write without which the session can be read. A failure, or a write that hangs, is logged: then `undefined`. */
export async function tryWriting<T>(
  { runtime, timeouts, logger }: Pick<ResolvedConfig, "runtime" | "timeouts" | "logger">,
  { what, message = "Cannot write the session", subject }: WriteAttempt,
  run: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await withDeadline(runtime, timeouts.total * WRITE_SHARE, what, run);
  } catch (cause) {
    logger.error(new SessionTokenError(message, { cause }), subject);
    return undefined;
  }
}

/** Which row, and whose. */
export interface RowKey {
  readonly sessionToken: string;
  readonly userId?: string | undefined;
}

/** Rows that are removed at the same time, where storage has no operation for all of them. */
const AT_ONCE = 32;

/**
 * Ends a session. The row of a former legacy session is marked instead of removed, so that a copy of its old cookie does
 * not get another row.
 */
export async function removeRow(storage: Storage, row: RowKey, now: number): Promise<void> {
  const { sessionToken } = row;
  if (isAdopted(sessionToken)) await storage.updateSession({ sessionToken, ended: true });
  else await storage.deleteSession(sessionToken);
  noteEnds(storage, [row], now);
}

/** Ends sessions, many at the same time. After a failure no others are begun. */
export async function removeRows(storage: Storage, rows: readonly RowKey[], now: number): Promise<void> {
  const left = rows.values();
  let failed = false;
  const work = async (): Promise<void> => {
    for (const row of left) {
      if (failed) return;
      await removeRow(storage, row, now).catch((error) => {
        failed = true;
        throw error;
      });
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: Math.min(AT_ONCE, rows.length) }, work));
  for (const worker of workers) if (worker.status === "rejected") throw worker.reason;
}

/** Remembers that sealed sessions were ended: they have ended at once in this process. */
export function noteEnds({ revocations }: Storage, rows: readonly RowKey[], now: number): void {
  for (const { sessionToken, userId } of rows) {
    if (sessionToken.startsWith(SEALED_PREFIX)) revocations.noteEnded(sessionToken, userId, now);
  }
}

/** Members of a session that a callback does not see: the token is as good as the cookie, and Auth.js stores no others. */
const OWN_OF_SESSION = ["sessionToken", "auth_time", "auth_methods", "provider", "providerSid", "logoutHint", "ended"];

/** Members of a user that Auth.js does not store. */
const OWN_OF_USER = ["vouchedEmail", "securityStamp", "sessionsEndedAt"];

/**
 * Gives a session and its user as a callback sees them. What Auth.js does not store stays out, so that a callback that was
 * written for it returns the same. So does a long picture: it would be sent with every answer.
 */
export function shownTo({ session, user }: SessionAndUser): object {
  return { ...without(session, OWN_OF_SESSION), user: without(withoutLongPicture(user) ?? user, OWN_OF_USER) };
}

function without(row: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}
