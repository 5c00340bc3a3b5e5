/**
 * The kinds of sessions that there are: what holds for one of them has to hold for all.
 *
 * @module
 */
import type { Adapter, AuthConfig } from "@x/auth";
import { memoryAdapter, memorySessions } from "@x/auth/adapters/memory";
import { withSessions } from "@x/auth/adapters/sessions";

/** A configuration with an empty storage. */
export interface SessionKind extends AuthConfig {
  readonly adapter: Adapter;
}

/** An adapter of others: no transaction, no records, and no columns of our own. */
export function otherAdapter(): Adapter {
  const { commit: _, once: __, getRecord: ___, putRecord: ____, removeRecord: _____, listRecords: ______, ...rest } =
    memoryAdapter();
  return rest;
}

/** Lists the kinds. @param other Makes the adapter of others. */
export function sessionKinds(other: () => Adapter = otherAdapter): Readonly<Record<string, () => SessionKind>> {
  return {
    "stored": () => ({ adapter: memoryAdapter(), session: { strategy: "database" } }),
    "stored beside the adapter": () => ({
      adapter: withSessions(memoryAdapter(), memorySessions()),
      session: { strategy: "database" },
    }),
    "sealed": () => ({ adapter: memoryAdapter(), session: { strategy: "jwt" } }),
    "sealed, with rows beside the adapter": () => ({
      adapter: withSessions(memoryAdapter(), memorySessions()),
      session: { strategy: "jwt" },
    }),
    "sealed, without rows": () => ({ adapter: memoryAdapter(), session: { strategy: "jwt", revalidate: false } }),
    "stored by an adapter of others": () => ({ adapter: other(), session: { strategy: "database" } }),
    "sealed, with an adapter of others": () => ({ adapter: other(), session: { strategy: "jwt" } }),
  };
}
