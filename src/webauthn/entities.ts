/**
 * The entities of a ceremony: the relying party, the handle of the user, and descriptors of stored credentials.
 *
 * @see {@link https://www.w3.org/TR/webauthn-3/#dictionary-credential-params | WebAuthn Level 3, section 5.4}
 *
 * @module
 */
import type { ResolvedWebAuthnProvider } from "../config/resolved_provider.ts";
import { sha256Hex } from "../crypto/digest.ts";
import { toBase64Url, utf8 } from "../crypto/encoding.ts";
import type { AdapterAuthenticator } from "../kernel/model.ts";
import type { Storage } from "../storage/guard.ts";

/** The relying party of one request. */
export interface RelyingParty {
  /** The RP ID that is sent to the browser: a domain. */
  readonly id: string;
  readonly name: string;
  /** RP IDs that are accepted. */
  readonly ids: readonly string[];
  /** Origins that are accepted. They must match exactly. */
  readonly origins: readonly string[];
}

/** Finds the relying party. Of several RP IDs, browsers accept the one that equals the host or is a parent domain. */
export function relyingPartyOf(
  { relyingParty }: Pick<ResolvedWebAuthnProvider, "relyingParty">,
  url: URL,
): RelyingParty {
  const { ids, name, origins, related } = relyingParty;
  const { hostname } = url;
  const matching = ids.find((id) => hostname === id || hostname.endsWith(`.${id}`));
  return {
    id: matching ?? ids[0] ?? hostname,
    name: name ?? url.host,
    ids: ids.length > 0 ? ids : [hostname],
    origins: [...origins.length > 0 ? origins : [url.origin], ...related],
  };
}

/** Characters of a user handle: authenticators store at most 64 bytes, and some clients send its base64url instead. */
const HANDLE_LENGTH = 48;

/** Derives the handle of a user: the same for all of their passkeys, and it does not reveal who they are. */
export async function userHandleOf(userId: string): Promise<string> {
  return (await sha256Hex(`user handle ${userId}`)).slice(0, HANDLE_LENGTH);
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

/** Names a credential to the browser. */
export interface Descriptor {
  /** Its id as base64url. */
  readonly id: string;
  /** How the browser may reach its authenticator. */
  readonly transports?: string[];
}

/** Lists the credentials of a user as descriptors for the browser. */
export async function listDescriptors(storage: Storage, userId: string): Promise<readonly Descriptor[]> {
  const stored = await storage.listAuthenticatorsByUserId(userId);
  return stored.map(toDescriptor);
}

/** Gives a credential as a descriptor for the browser. */
export function toDescriptor({ credentialID, transports }: AdapterAuthenticator): Descriptor {
  return { id: asBase64Url(credentialID), ...(transports && { transports: transports.split(",") }) };
}

/** Finds a credential by its id in base64url. */
export async function findCredential(storage: Storage, id: string): Promise<AdapterAuthenticator | null> {
  const credentialID = asBase64(id);
  const found = await storage.getAuthenticator(credentialID);
  // A database that ignores case, for example, could return another credential.
  return found?.credentialID === credentialID ? found : null;
}

// Auth.js stores ids as base64 with padding. WebAuthn sends base64url without.
function asBase64(id: string): string {
  return id.replaceAll("-", "+").replaceAll("_", "/").padEnd(Math.ceil(id.length / 4) * 4, "=");
}

function asBase64Url(id: string): string {
  return id.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
