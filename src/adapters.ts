/**
 * The types of adapters, by the name of this subpath in Auth.js. `@x/auth` exports them, too.
 *
 * @example Usage
 * ```ts
 * import type { Adapter, AdapterUser } from "@x/auth/adapters";
 *
 * const users = new Map<string, AdapterUser>();
 *
 * export const adapter: Adapter = {
 *   getUser: (id) => users.get(id) ?? null,
 * };
 * ```
 *
 * @module
 */
export type * from "./contract/adapter.ts";
export type { RecordOperations, RecordsOfUser, RecordStore } from "./contract/records_apart.ts";
export type { AdapterAccountType, Awaitable } from "./kernel/model.ts";
