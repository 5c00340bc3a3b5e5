/**
 * What storage knows of credentials.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { MissingAdapter } from "../kernel/errors.ts";
import type { AdapterAuthenticator } from "../kernel/model.ts";
import type { Storage } from "../config/storage.ts";
import type { Descriptor } from "./ceremony.ts";

/** The storage, without which no passkey is known. */
export function storageOf({ storage }: RequestContext["config"]): Storage {
  if (storage) return storage;
  throw new MissingAdapter("Cannot use passkeys: set `adapter`, which keeps them");
}

/** The credentials of a user, as a browser is told of them. */
export async function listDescriptors(storage: Storage, userId: string): Promise<readonly Descriptor[]> {
  const known = await storage.listAuthenticatorsByUserId(userId);
  return known.map(({ credentialID, transports }) => ({
    id: toBase64Url(credentialID),
    ...(transports && { transports: transports.split(",") }),
  }));
}

/** Finds a credential by its id as base64url. A record that is not the one that was asked for is none. */
export async function findCredential(storage: Storage, id: string): Promise<AdapterAuthenticator | null> {
  const credentialID = toBase64(id);
  const found = await storage.getAuthenticator(credentialID);
  // A database that compares more loosely would give somebody else's.
  const isIt = found?.credentialID === credentialID && typeof found.counter === "number";
  // Some databases number their users.
  return isIt ? { ...found, userId: String(found.userId) } : null;
}

// Storage of the service family has base64 with padding, the wire base64url without.
function toBase64(id: string): string {
  return id.replaceAll("-", "+").replaceAll("_", "/").padEnd(Math.ceil(id.length / 4) * 4, "=");
}

function toBase64Url(id: string): string {
  return id.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
