/**
 * Sessions in memory, beside an adapter.
 *
 * @module
 */
import type { AdapterSession } from "../../src/contract/adapter.ts";
import { applyChanges } from "../../src/contract/commit.ts";
import type { KeptSession, KeptSessionStore } from "../../src/contract/sessions_apart.ts";

interface Row extends KeptSession {
  /** Who has set it aside. */
  readonly aside: readonly string[];
}

/** Makes a store of sessions without any. */
export function sessionsInMemory(): SynchronousStore {
  const rows = new Map<string, Row>();
  const ofUser = (userId: unknown) => [...rows.values()].filter(({ session }) => String(session.userId) === userId);
  const read = (sessionToken: string): KeptSession | null => {
    const row = rows.get(sessionToken);
    return row && row.aside.length === 0 ? copyOf(row) : null;
  };
  const change = (sessionToken: string, changed: (row: Row) => Partial<Row>): void => {
    const row = rows.get(sessionToken);
    if (row) rows.set(sessionToken, { ...row, ...changed(row) });
  };
  const list = (isWanted: (session: AdapterSession) => boolean) => {
    return [...rows.values()].filter(({ session, aside }) => aside.length === 0 && isWanted(session)).map(copyOf);
  };
  return {
    locate: (sessionToken) => {
      const userId = rows.get(sessionToken)?.session.userId;
      return userId === undefined ? null : { userId, sessionToken };
    },
    read: ({ sessionToken }) => read(sessionToken),
    add: (kept) => {
      const { sessionToken } = kept.session;
      if (rows.has(sessionToken)) return false;
      rows.set(sessionToken, { ...copyOf(kept), aside: [] });
      return true;
    },
    update: ({ sessionToken }, changes) => {
      const { userId: _, ...others } = structuredClone(changes);
      change(sessionToken, ({ session }) => ({ session: applyChanges(session, others) }));
      return read(sessionToken);
    },
    remove: ({ sessionToken }) => {
      const found = read(sessionToken);
      rows.delete(sessionToken);
      return found && found.session;
    },
    setAside: ({ sessionToken }, by) => change(sessionToken, ({ aside }) => ({ aside: [...aside, by] })),
    putBack: ({ sessionToken }, by) => {
      change(sessionToken, ({ aside }) => ({ aside: aside.filter((other) => other !== by) }));
    },
    end: (userId, staying) => {
      for (const { session: { sessionToken } } of ofUser(String(userId))) {
        if (sessionToken !== staying?.sessionToken) rows.delete(sessionToken);
        else change(sessionToken, () => ({ epochs: staying.epochs }));
      }
    },
    listByUserId: (userId) => list((session) => String(session.userId) === String(userId)),
    listByProviderSid: ({ provider, sid }) => list((row) => row.provider === provider && row.providerSid === sid),
  };
}

/** A store whose methods return at once. */
export type SynchronousStore = {
  readonly [Name in Exclude<keyof KeptSessionStore, "findProblems">]: (
    ...args: Parameters<KeptSessionStore[Name]>
  ) => Awaited<ReturnType<KeptSessionStore[Name]>>;
};

function copyOf({ session, epochs }: KeptSession): KeptSession {
  return structuredClone({ session, epochs });
}
