/**
 * How statements of MySQL and MariaDB write names.
 *
 * @module
 */
import type { TableNaming } from "./column_names.ts";
import type { TableId } from "./schema.ts";

/** Quotes a name for a statement. */
export function quote(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}

/** Writes a table's name as a statement needs it: after its database, if that is not the one of the connection. */
export function qualifiedName({ names, schemas }: TableNaming, id: TableId): string {
  const database = schemas?.[id];
  return database === undefined ? quote(names[id]) : `${quote(database)}.${quote(names[id])}`;
}
