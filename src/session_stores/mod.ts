/**
 * What is loaded where an adapter is configured.
 *
 * @module
 */
export { guardAdapter } from "../storage/guard.ts";
export { createDatabaseStore } from "./database_store.ts";
export { createSealedRows } from "./sealed_rows.ts";
