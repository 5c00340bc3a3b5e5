/**
 * The user handle: the id by which an authenticator knows a user.
 *
 * @see {@link https://www.w3.org/TR/webauthn-3/#user-handle | WebAuthn Level 3, user handle}
 *
 * @module
 */
import { sha256Hex } from "../crypto/digest.ts";
import { toBase64Url, utf8 } from "../crypto/encoding.ts";

/** Characters of a handle: authenticators store at most 64 bytes, and some clients send its base64url instead. */
const LENGTH = 48;

/** Derives the handle of a user: the same for all of their passkeys, and it does not reveal who they are. */
export async function userHandleOf(userId: string): Promise<string> {
  return (await sha256Hex(`user handle ${userId}`)).slice(0, LENGTH);
}

/** Encodes a handle as base64url. The handle itself is valid base64url too: older clients do not decode it. */
export function encodeUserHandle(handle: string): string {
  return toBase64Url(utf8(handle));
}

/** Whether a response names this handle, whether the client decoded and encoded it or not. */
export function matchesUserHandle(received: string, handle: string): boolean {
  const sent = encodeUserHandle(handle);
  return received === sent || received === handle || received === encodeUserHandle(sent);
}
