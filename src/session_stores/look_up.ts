/**
 * Looks up whether a sealed session was ended, at most once in `session.revalidate` seconds.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Storage } from "../storage/guard.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { AdapterError } from "../kernel/errors.ts";
import type { JWT } from "../kernel/model.ts";
import { beganOf, sealedIdOf, sealedKey } from "./auth_session.ts";
import { type Judge, stateOf } from "./ended.ts";
import type { FindOptions } from "./session_store.ts";

/** Milliseconds that requests wait for the look-up of another one. After that they make their own. */
const SHARED_FOR = 1000;

/** Gives the claims of a session that goes on, and `null` if it was ended. With `kept`, an earlier look-up may count. */
export type Admit = (claims: JWT, options: FindOptions) => Promise<JWT | null>;

/** The name under which a process remembers a session. */
export function nameOf(claims: JWT): string {
  const { sub, security_stamp } = claims;
  return sealedKey(claims) ?? JSON.stringify([sub, beganOf(claims), security_stamp]);
}

/** Makes the function that looks sessions up. It throws `AdapterError` if storage fails or takes too long. */
export function createLookUp(
  { runtime, session, timeouts }: Pick<ResolvedConfig, "runtime" | "session" | "timeouts">,
  storage: Storage,
): Admit {
  const { revocations } = storage;
  const judge: Judge = { storage, session };
  const running = new Map<string, { readonly since: number; readonly isLive: Promise<boolean> }>();

  // A look-up in the future, by a clock that was wrong, does not count.
  const counts = (time: number, { sub }: JWT, seconds: number): boolean => {
    const now = runtime.now();
    return time <= now && time > now - seconds * 1000 && time > revocations.validAfter(sub ?? "");
  };

  const lookUp = async (name: string, claims: JWT): Promise<boolean> => {
    const since = runtime.now();
    try {
      const what = "the session to be looked up";
      const { isLive } = await withDeadline(runtime, timeouts.total, what, () => stateOf(judge, claims, since));
      if (isLive) revocations.noteFound(name, since);
      else revocations.noteEnded(name, claims.sub, since);
    } catch (cause) {
      throw cause instanceof AdapterError
        ? cause
        : new AdapterError("Cannot look up the session", { cause, logCode: "adapter-failed" });
    }
    // It may have been ended by this process meanwhile.
    return revocations.lastFound(name) !== null;
  };

  const lookUpTogether = async (name: string, claims: JWT): Promise<boolean> => {
    const other = running.get(name);
    if (other && counts(other.since, claims, SHARED_FOR / 1000)) return await other.isLive;
    const mine = { since: runtime.now(), isLive: lookUp(name, claims) };
    running.set(name, mine);
    try {
      return await mine.isLive;
    } finally {
      if (running.get(name) === mine) running.delete(name);
    }
  };

  return async (claims, { kept = false }) => {
    const name = nameOf(claims);
    const last = revocations.lastFound(name);
    if (last === null) return null;
    if (!kept) return await lookUp(name, claims) ? claims : null;
    const time = Math.max(last, sealedIdOf(claims)?.seenAt ?? 0);
    return counts(time, claims, session.revalidate) || await lookUpTogether(name, claims) ? claims : null;
  };
}
