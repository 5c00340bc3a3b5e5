/** Storage in memory of which a test sees every row. */
import type { AdapterAccount, AdapterAuthenticator, AdapterSession, AdapterUser, CompleteAdapter } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";

/** Everything that belongs to somebody. */
export interface Dump {
  readonly users: readonly AdapterUser[];
  readonly accounts: readonly AdapterAccount[];
  readonly sessions: readonly AdapterSession[];
  readonly authenticators: readonly AdapterAuthenticator[];
}

/** Storage, and what is in it. */
export interface Watched {
  readonly adapter: CompleteAdapter;
  dump(): Promise<Dump>;
}

/** Opens storage with nothing in it. */
export function watchedMemory(): Watched {
  const memory = memoryAdapter();
  const ids = new Set<string>();
  const adapter: CompleteAdapter = {
    ...memory,
    createUser: (user) => {
      ids.add(user.id);
      return memory.createUser(user);
    },
    commit: (plan) => {
      if (plan.createUser) ids.add(plan.createUser.id);
      return memory.commit(plan);
    },
  };
  return { adapter, dump: () => dumpOf(memory, ids) };
}

/** Reads everything that belongs to these users. */
export async function dumpOf(adapter: CompleteAdapter, ids: Iterable<string>): Promise<Dump> {
  const users: AdapterUser[] = [];
  const accounts: AdapterAccount[] = [];
  const sessions: AdapterSession[] = [];
  const authenticators: AdapterAuthenticator[] = [];
  for (const id of ids) {
    const user = await adapter.getUser(id);
    if (user) users.push(user);
    accounts.push(...await adapter.listAccountsByUserId(id));
    sessions.push(...await adapter.listSessionsByUserId(id));
    authenticators.push(...await adapter.listAuthenticatorsByUserId(id));
  }
  return { users, accounts, sessions, authenticators };
}
