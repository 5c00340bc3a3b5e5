/**
 * What is loaded where an adapter is configured.
 *
 * @module
 */
export { createDatabaseStore } from "./database_store.ts";
export { createSealedRows } from "./sealed_rows.ts";
