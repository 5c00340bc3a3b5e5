/**
 * Reads credentials from storage.
 *
 * @module
 */
import type { AdapterAuthenticator } from "../kernel/model.ts";
import type { Storage } from "../storage/guard.ts";
import type { Descriptor } from "./ceremony.ts";

/** Lists the credentials of a user as descriptors for the browser. */
export async function listDescriptors(storage: Storage, userId: string): Promise<readonly Descriptor[]> {
  const stored = await storage.listAuthenticatorsByUserId(userId);
  return stored.map(toDescriptor);
}

/** Gives a credential as a descriptor for the browser. */
export function toDescriptor({ credentialID, transports }: AdapterAuthenticator): Descriptor {
  return { id: toBase64Url(credentialID), ...(transports && { transports: transports.split(",") }) };
}

/** Finds a credential by its id in base64url. */
export async function findCredential(storage: Storage, id: string): Promise<AdapterAuthenticator | null> {
  const credentialID = toBase64(id);
  const found = await storage.getAuthenticator(credentialID);
  // A database that ignores case, for example, could return another credential.
  const isExact = found?.credentialID === credentialID && typeof found.counter === "number";
  // Some databases use numbers as user ids.
  return isExact ? { ...found, userId: String(found.userId) } : null;
}

// Auth.js stores ids as base64 with padding. WebAuthn sends base64url without.
function toBase64(id: string): string {
  return id.replaceAll("-", "+").replaceAll("_", "/").padEnd(Math.ceil(id.length / 4) * 4, "=");
}

function toBase64Url(id: string): string {
  return id.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
