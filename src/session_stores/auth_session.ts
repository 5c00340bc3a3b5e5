/**
 * The claim `auth_session` of a sealed session: the id of the session, and when storage was last known to have it.
 *
 * A **legacy session** is a sealed session without a row: Auth.js made it, or a version of this package that stored no
 * rows. It has no such id. Its `jti` and the time of its beginning stand for it until it gets a row.
 *
 * @module
 */
import type { AdapterSession, JWT } from "../kernel/model.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { ActiveSession } from "./session_store.ts";

/** The prefix of the key of a sealed session's row. A cookie with this prefix is refused. */
export const SEALED_PREFIX = "sealed:";

/** The prefix of the id that a legacy session gets: its `jti` follows. */
const ADOPTED = "~";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const CLAIM = /^(~?[0-9a-f-]{36})\.(\d{1,12})$/;

/** The id of a sealed session. */
export interface SealedId {
  readonly id: string;
  /** When storage was last known to have it, in milliseconds since 1970. */
  readonly seenAt: number;
}

/** Reads the claim; `null` if there is none, as in a legacy session. */
export function sealedIdOf({ auth_session }: JWT): SealedId | null {
  const [, id, seconds] = (typeof auth_session === "string" && CLAIM.exec(auth_session)) || [];
  return id === undefined ? null : { id, seenAt: Number(seconds) * 1000 };
}

/** The claim of a session without a row: its original `jti`, and when it began. */
const BEGINNING = /^\?([0-9a-f-]{36})?\.(\d{1,12})?$/;

interface Beginning {
  readonly jti: unknown;
  /** In seconds since 1970. */
  readonly time: unknown;
}

function beginningOf({ auth_session, auth_time, jti, iat }: JWT): Beginning {
  const found = typeof auth_session === "string" ? BEGINNING.exec(auth_session) : null;
  return found ? { jti: found[1], time: found[2] && Number(found[2]) } : { jti, time: auth_time ?? iat };
}

/**
 * Gives the claims of a session without a row as they are sealed again. The new token has another `jti` and `iat`, but the
 * session must keep its id and its beginning.
 *
 * @param claims The claims.
 * @param before The claims before a callback saw them: it may have taken others from the client.
 */
export function withBeginning(claims: JWT, before: JWT = claims): JWT {
  if (sealedIdOf(claims)) return claims;
  const { jti, time } = beginningOf(before);
  const id = typeof jti === "string" && UUID.test(jti) ? jti : "";
  return { ...claims, auth_session: `?${id}.${typeof time === "number" ? Math.floor(time) : ""}` };
}

/** When a legacy session began, in milliseconds since 1970; `null` if it does not say. */
export function beganOf(claims: JWT): number | null {
  const { time } = beginningOf(claims);
  return typeof time === "number" ? time * 1000 : null;
}

/** Writes the claim. */
export function authSession(id: string, time: number): string {
  return `${id}.${Math.floor(time / 1000)}`;
}

/** The id that a legacy session gets; `null` if its token has no `jti` that can be one. */
export function adoptedId(claims: JWT): string | null {
  const { jti } = beginningOf(claims);
  return typeof jti === "string" && UUID.test(jti) ? ADOPTED + jti : null;
}

/** The key of the row of a session; `null` if it cannot have one. */
export function sealedKey(claims: JWT): string | null {
  const id = sealedIdOf(claims)?.id ?? adoptedId(claims);
  return id === null ? null : SEALED_PREFIX + id;
}

/** The key of the row of any session; `null` if it cannot have one. */
export function rowKeyOf(active: ActiveSession): string | null {
  return active.strategy === "jwt" ? sealedKey(active.claims) : active.session.sessionToken;
}

/** The key of the row that a session has; `null` if it has none, or is not known to have one. */
export function storedKeyOf(
  { revalidate }: Pick<ResolvedConfig["session"], "revalidate">,
  active: ActiveSession,
): string | null {
  const hasRow = active.strategy === "database" || (revalidate && sealedIdOf(active.claims));
  return hasRow ? rowKeyOf(active) : null;
}

/** Whether a row belongs to a session that was a legacy session. */
export function isAdopted(key: string): boolean {
  return key.startsWith(SEALED_PREFIX + ADOPTED);
}

/** Gives the claim of a session whose row was made just now. */
export function claimOf({ sessionToken, auth_time = 0 }: AdapterSession): Pick<JWT, "auth_session"> {
  return { auth_session: authSession(sessionToken.slice(SEALED_PREFIX.length), (auth_time ?? 0) * 1000) };
}
