/**
 * The id of a session that pages and events may show: it cannot be used to sign in.
 *
 * @module
 */
import { keyedUuid } from "../crypto/digest.ts";
import { toBase64Url, utf8 } from "../crypto/encoding.ts";
import type { AdapterSession } from "../kernel/model.ts";

/** Gives the id of a session by its row. The digest is keyed, so that an id cannot be used to guess a weak token. */
export async function sessionIdOf(
  secret: string | undefined,
  { userId, sessionToken }: Pick<AdapterSession, "userId" | "sessionToken">,
): Promise<string> {
  return `${await keyedUuid(secret ?? "", "session", userId, sessionToken)}.${toBase64Url(utf8(userId))}`;
}
