/**
 * The record that all sessions of a user were ended. It outlives the user: a user who is later stored under the same id
 * does not get the old encrypted sessions back.
 *
 * It is stored as a verification token that no address and no link can have, so every adapter can keep and find it.
 *
 * @module
 */
import type { AdapterUser, Awaitable, VerificationToken } from "../kernel/model.ts";

/** Milliseconds that it is kept: longer than browsers keep a cookie, which is 400 days. */
const KEPT = 500 * 24 * 60 * 60 * 1000;

/** The key of the record. Hashes of links are hexadecimal, so none is this text. */
export function endKeyOf(userId: string): { readonly identifier: string; readonly token: string } {
  return { identifier: `ended:${userId}`, token: "all sessions" };
}

/** Makes the record. Write it whenever all sessions of a user are removed, in the same transaction, over an older one. */
export function endRecordOf(userId: string, now: number): VerificationToken {
  return { ...endKeyOf(userId), expires: new Date(now + KEPT) };
}

/** When the sessions were ended, in milliseconds since 1970. */
export function endedAtOf({ expires }: Pick<VerificationToken, "expires">): number {
  return expires.getTime() - KEPT;
}

/** Storage that may have the record. */
export interface EndReader {
  readonly getVerificationToken?:
    | ((key: { identifier: string; token: string }) => Awaitable<Pick<VerificationToken, "expires"> | null>)
    | null;
}

/**
 * Finds when all sessions of a user were last ended, in milliseconds since 1970; `null` if they never were.
 *
 * @param storage Where the record is, for users who are not stored, or not stored any more. Read the user before: the
 * record is written with their removal.
 * @param userId Id of the user.
 * @param user The user, if there is one. It may be another one than the one who was deleted.
 */
export async function lastEndOf(
  storage: EndReader,
  userId: string,
  user: Pick<AdapterUser, "sessionsEndedAt"> | null | undefined,
): Promise<number | null> {
  const record = await storage.getVerificationToken?.(endKeyOf(userId)) ?? null;
  const times = [record && endedAtOf(record), timeOf(user?.sessionsEndedAt)].filter((time) => time !== null);
  return times.length > 0 ? Math.max(...times) : null;
}

/** Whether something began before all sessions were ended. A beginning that is not known counts as earlier. */
export function hasBegunBy(time: number | null, endedAt: number | null): boolean {
  return endedAt !== null && !(time !== null && time > endedAt);
}

// Some storage returns dates as text. An invalid date is later than any session.
function timeOf(date: Date | null | undefined): number | null {
  if (date === undefined || date === null) return null;
  const time = new Date(date).getTime();
  return Number.isNaN(time) ? Infinity : time;
}
