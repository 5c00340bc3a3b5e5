/**
 * Placeholders as PostgreSQL writes them.
 *
 * @module
 */
import { BoundedMap } from "../../src/kernel/bounded_map.ts";
import type { Query } from "./postgres_driver.ts";

const texts = new BoundedMap<string, string>(512);

/** Writes the placeholders `?` as `$1`, `$2` and so on. A `?` within a quoted name stays. */
export function numbered(sql: string): string {
  const known = texts.get(sql);
  if (known !== undefined) return known;
  let count = 0;
  const text = sql.replaceAll(/"[^"]*"|\?/g, (found) => found === "?" ? `$${count += 1}` : found);
  texts.set(sql, text);
  return text;
}

/** Runs statements with placeholders `?`. */
export function numbering(query: Query): Query {
  return (sql, params) => query(numbered(sql), params);
}
