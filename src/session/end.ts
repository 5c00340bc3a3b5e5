/**
 * Ending sessions that a provider names.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Storage } from "../storage/guard.ts";
import { MissingAdapter, MissingAdapterMethods } from "../kernel/errors.ts";
import type { AdapterSession, AdapterUser } from "../kernel/model.ts";
import type { RequestContext } from "../request/context.ts";
import { tell } from "../request/events.ts";
import type { EndReason } from "../request/happened.ts";
import { isLiveRow } from "../session_stores/ended.ts";
import { removeRows } from "../session_stores/rows.ts";
import { endLegacySessions, endWaiting } from "../session_stores/without_rows.ts";

/** The sessions that a provider wants to end: the one with this `sid`, or all that began with this account. */
export type ProviderFilter =
  | { readonly provider: string; readonly sid: string }
  | { readonly provider: string; readonly sub: string };

/** Sessions that were ended. */
export interface EndedSessions {
  /** How many. */
  readonly ended: number;
  /** Ids of their users. With `sub`, also that of a user who had none. */
  readonly userIds: readonly string[];
  /** The users of those that had not ended before, once for each. */
  readonly endedOf: readonly string[];
}

/**
 * Ends sessions that began with a sign-in at a provider, stored and sealed ones.
 *
 * With `sub`, sessions whose provider is unknown end too: those of versions that did not store it.
 *
 * @param config The configuration.
 * @param filter Which sessions: `sub` is the stored id of the account at the provider.
 * @returns How many sessions were ended that storage knows, and whose.
 * @throws {MissingAdapter} if there is no adapter.
 * @throws {MissingAdapterMethods} if the adapter cannot find them.
 * @throws {AdapterError} if storage fails; then some may have been ended.
 */
export async function endSessions(
  { storage, runtime, actsAt }: Pick<ResolvedConfig, "storage" | "runtime" | "actsAt">,
  filter: ProviderFilter,
): Promise<EndedSessions> {
  if (!storage) throw new MissingAdapter("Cannot end sessions: they are not stored anywhere; set `adapter`");
  const now = runtime.now();
  if ("sub" in filter && !storage.listSessionsByUserId) throw lacks("listSessionsByUserId");
  const user = "sub" in filter
    ? await storage.getUserByAccount({ provider: filter.provider, providerAccountId: filter.sub })
    : null;
  if (user) {
    await endWaiting({ storage, actsAt }, user.id);
    await endLegacySessions(storage, user.id, now);
  }
  const rows = await findRows(storage, filter, user);
  await removeRows(storage, rows, now);
  const users = new Set([...rows.map(({ userId }) => userId), ...(user ? [user.id] : [])]);
  const endedOf = rows.filter((row) => isLiveRow(row, now)).map(({ userId }) => userId);
  return { ended: endedOf.length, userIds: [...users], endedOf };
}

/** Tells that a provider has ended sessions. */
export async function tellEnded(
  ctx: RequestContext,
  { endedOf }: Pick<EndedSessions, "endedOf">,
  { provider, reason }: { readonly provider: string; readonly reason: EndReason },
): Promise<void> {
  const counts = Map.groupBy(endedOf, (userId) => userId);
  await Promise.all([...counts].map(([userId, { length: count }]) => {
    return tell(
      ctx.config,
      { type: "sessionEnded", event: () => ({ userId, provider, reason, count }), message: null },
      ctx,
    );
  }));
}

async function findRows(
  storage: Storage,
  filter: ProviderFilter,
  user: AdapterUser | null,
): Promise<readonly AdapterSession[]> {
  const { provider } = filter;
  if ("sid" in filter) {
    if (!storage.listSessionsByProviderSid) throw lacks("listSessionsByProviderSid");
    return await storage.listSessionsByProviderSid({ provider, sid: filter.sid });
  }
  const rows = user && await storage.listSessionsByUserId?.(user.id) || [];
  return rows.filter((row) => row.provider === provider || row.provider === undefined);
}

function lacks(operation: string): Error {
  return new MissingAdapterMethods(`Cannot end sessions: the \`adapter\` lacks ${operation}`);
}
