/**
 * The claim `auth_session` of a sealed session: the id of the session, and when storage was last known to have it.
 *
 * @module
 */
import type { JWT } from "../kernel/model.ts";
import type { ActiveSession } from "./session_store.ts";

/** What the key of the row of a sealed session begins with. Nobody gets in with a cookie that begins so. */
export const SEALED_PREFIX = "sealed:";

/** What the id of a session from before begins with: its `jti` follows. */
const ADOPTED = "~";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const CLAIM = /^(~?[0-9a-f-]{36})\.(\d{1,12})$/;

/** The id of a sealed session. */
export interface SealedId {
  readonly id: string;
  /** When storage was last known to have it, in milliseconds since 1970. */
  readonly seenAt: number;
}

/** Reads the claim; `null` if there is none, as in a session from before. */
export function sealedIdOf({ auth_session }: JWT): SealedId | null {
  const [, id, seconds] = (typeof auth_session === "string" && CLAIM.exec(auth_session)) || [];
  return id === undefined ? null : { id, seenAt: Number(seconds) * 1000 };
}

/** Writes the claim. */
export function authSession(id: string, time: number): string {
  return `${id}.${Math.floor(time / 1000)}`;
}

/** The id that a session from before gets; `null` if its token has none of its own. */
export function adoptedId({ jti }: Pick<JWT, "jti">): string | null {
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

/** Whether a row is of a session from before. */
export function isAdopted(key: string): boolean {
  return key.startsWith(SEALED_PREFIX + ADOPTED);
}
