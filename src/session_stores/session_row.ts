/**
 * The row of a session, and what it holds besides its end: whoever lists or ends sessions needs it.
 *
 * @module
 */
import { sealAtRest } from "../crypto/at_rest.ts";
import type { Sealer } from "../crypto/seal.ts";
import type { AdapterSession } from "../kernel/model.ts";
import type { SessionOwner } from "./session_store.ts";

/** The longest `sid` that is kept, in characters: storage finds sessions by it, and keys have a limit. */
const LONGEST_SID = 256;

/** The longest id_token that is kept, in characters. With a picture in it, it may exceed the record size of storage. */
const LONGEST_ID_TOKEN = 16 * 1024;

/** The key of a row, whose it is, and when it ends. */
export type RowCore = Pick<AdapterSession, "sessionToken" | "userId" | "expires">;

/** Makes the row of a new session, for storage that keeps extra fields. */
export async function describedRow(
  sealer: Sealer,
  core: RowCore,
  { providerSession, signedInAt }: Pick<SessionOwner, "providerSession" | "signedInAt">,
  now: number,
): Promise<AdapterSession> {
  const { provider, sid, idToken } = providerSession ?? {};
  const isHint = idToken !== undefined && idToken.length <= LONGEST_ID_TOKEN;
  return {
    ...core,
    auth_time: signedInAt ?? Math.floor(now / 1000),
    ...(provider !== undefined && { provider }),
    ...(sid !== undefined && isUsableSid(sid) && { providerSid: sid }),
    ...(isHint && { logoutHint: await sealAtRest(sealer, logoutHintOf(core), idToken) }),
  };
}

/** What the sealed `logoutHint` of a row is, for `openAtRest`. */
export function logoutHintOf({ sessionToken }: Pick<AdapterSession, "sessionToken">): {
  readonly purpose: "logoutHint";
  readonly owner: string;
} {
  return { purpose: "logoutHint", owner: sessionToken };
}

// A database refuses a zero, and writes all lone surrogates the same.
function isUsableSid(sid: string): boolean {
  return sid !== "" && sid.length <= LONGEST_SID && sid.isWellFormed() && !sid.includes("\0");
}
