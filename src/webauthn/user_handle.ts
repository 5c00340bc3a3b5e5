/**
 * What an authenticator calls its user.
 *
 * @module
 */
import { sha256Hex } from "../crypto/digest.ts";
import { toBase64Url, utf8 } from "../crypto/encoding.ts";

/** Characters of a handle; an authenticator keeps at most 64 bytes, also of its base64url. */
const LENGTH = 48;

/** Makes the handle of a user: the same for all of their passkeys, and nothing that tells who it is. */
export async function userHandleOf(userId: string): Promise<string> {
  return (await sha256Hex(`user handle ${userId}`)).slice(0, LENGTH);
}

/** A handle as it is sent: text that is base64url too, because older clients take it as it is and newer ones decode it. */
export function encodeUserHandle(handle: string): string {
  return toBase64Url(utf8(handle));
}

/** Whether what came back is a handle, in any of the ways that clients may have read and written it. */
export function matchesUserHandle(received: string, handle: string): boolean {
  const sent = encodeUserHandle(handle);
  return received === sent || received === handle || received === encodeUserHandle(sent);
}
