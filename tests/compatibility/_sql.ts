/**
 * SQLite files as text, so that a difference can be read. A file of Deno KV is one of SQLite, too.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";

/** Writes the statements that make a database again. */
export function dumpSql(path: string): string {
  const database = new DatabaseSync(path);
  try {
    const rows = (sql: string) => database.prepare(sql).all() as Record<string, string>[];
    const [version] = rows("pragma user_version");
    const made = rows("select name, type, sql from sqlite_master where sql is not null and name not like 'sqlite_%'");
    const filled = made.filter(({ type }) => type === "table").flatMap(({ name }) => {
      const columns = rows(`pragma table_info("${name}")`).map((column) => `quote("${column.name}")`);
      const values = rows(`select ${columns.join(" || ', ' || ")} as line from "${name}"`);
      return values.map(({ line }) => `insert into "${name}" values (${line})`);
    });
    const statements = [`pragma user_version = ${version?.user_version}`, ...made.map(({ sql }) => sql), ...filled];
    return statements.map((statement) => `${statement};\n`).join("");
  } finally {
    database.close();
  }
}

/** Makes a database of such statements. */
export function loadSql(path: string, sql: string): void {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  database.exec(`begin; ${sql} commit;`);
  database.close();
}
