/**
 * Ending sessions that are not the one of the request.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Storage } from "../config/storage.ts";
import { MissingAdapter, MissingAdapterMethods } from "../kernel/errors.ts";
import type { AdapterSession } from "../kernel/model.ts";

/** Sessions that a provider wants to end: the one with this `sid`, or all that began with this account. */
export type ProviderFilter =
  | { readonly provider: string; readonly sid: string }
  | { readonly provider: string; readonly sub: string };

/**
 * Ends sessions that began with a sign-in at a provider, stored and sealed ones.
 *
 * @param config The configuration.
 * @param filter Which sessions: `sub` is the id of the account at the provider.
 * @returns How many were ended.
 * @throws {MissingAdapter} if there is no adapter.
 * @throws {MissingAdapterMethods} if the adapter cannot find them.
 * @throws {AdapterError} if storage fails; then some may have been ended.
 */
export async function endSessions(
  { storage }: Pick<ResolvedConfig, "storage">,
  filter: ProviderFilter,
): Promise<number> {
  if (!storage) throw new MissingAdapter("Cannot end sessions: without an `adapter` they are not known; set one");
  const rows = await find(storage, filter);
  for (const { sessionToken } of rows) await storage.deleteSession(sessionToken);
  return rows.length;
}

async function find(storage: Storage, filter: ProviderFilter): Promise<readonly AdapterSession[]> {
  const { provider } = filter;
  const { listSessionsByProviderSid, listSessionsByUserId } = storage;
  if ("sid" in filter) {
    if (!listSessionsByProviderSid) throw lacks("listSessionsByProviderSid");
    return await listSessionsByProviderSid({ provider, sid: filter.sid });
  }
  if (!listSessionsByUserId) throw lacks("listSessionsByUserId");
  const user = await storage.getUserByAccount({ provider, providerAccountId: filter.sub });
  const rows = user ? await listSessionsByUserId(user.id) : [];
  return rows.filter((row) => row.provider === provider);
}

function lacks(operation: string): Error {
  return new MissingAdapterMethods(`Cannot end sessions: the \`adapter\` lacks ${operation}`);
}
