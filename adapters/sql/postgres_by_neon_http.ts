/**
 * What `neon()` of the package `@neondatabase/serverless` returns: statements over HTTP, which cannot be used.
 *
 * @module
 */
import { hasMethods } from "./shape.ts";

/** Why, and what to pass instead. */
export const NEON_HTTP =
  "`neon()` sends statements over HTTP, where no statement of a transaction can depend on what an earlier one found. " +
  "Pass a `Pool` of the same package instead: `postgresAdapter(new Pool({ connectionString }))` of " +
  "`@neondatabase/serverless`, or a Drizzle database of `drizzle-orm/neon-serverless`";

export function isNeonHttp(driver: object): boolean {
  return typeof driver === "function" && hasMethods(driver, "query", "transaction") && !("begin" in driver);
}
