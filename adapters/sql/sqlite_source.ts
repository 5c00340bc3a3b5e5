/**
 * What `sqliteAdapter()` is given: the path of a file, or a connection.
 *
 * @module
 */
import { InvalidConfig } from "../../src/kernel/errors.ts";
import { describeValue, isObject, isThenable, kindOf } from "../../src/kernel/objects.ts";
import type { SqliteClient } from "./sqlite_client.ts";
import type { SqliteHandle } from "./sqlite_connection.ts";
import { recognize, type SqliteConnection } from "./sqlite_connections.ts";
import type { SqliteSource } from "./sqlite_database.ts";
import { unopened } from "./sqlite_unopened.ts";
import { otherDatabase } from "./sqlite_unusable.ts";

/**
 * Recognizes a source.
 *
 * @throws {InvalidConfig} if it is not one, or a connection to another database.
 */
export function sourceOf(name: string, source: string | SqliteConnection): SqliteSource | SqliteClient {
  const refuse = (problem: string): never => {
    throw new InvalidConfig(`Cannot use the source of \`${name}()\`: ${problem}`, { logCode: "driver-unusable" });
  };
  const given: unknown = source;
  if (given instanceof URL) return refuse("it is a URL: pass its path, as `fileURLToPath()` of node:url gives it");
  if (typeof source === "string") {
    if (source === "") return refuse(`it is an empty text, which is a file that SQLite removes in the end: ${REMEDY}`);
    // With one letter it is a drive of Windows.
    const isUrl = /^[a-z][a-z0-9+.-]+:\/\//i.test(source) && !source.startsWith("file:");
    return isUrl
      ? refuse(`it is a URL of the scheme ${describeValue(source.split(":", 1)[0])}: ${REMEDY}`)
      : openable(source);
  }
  if (isThenable(source)) return refuse("it is a promise: `await` it");
  if (!isObject(source) && typeof source !== "function") return refuse(`it is ${kindOf(source)}: ${REMEDY}`);
  const other = otherDatabase(source);
  if (other) return refuse(other);
  const found = recognize(source);
  if (!found) return refuse(`it is ${kindOf(source)}: ${REMEDY}`);
  return "handle" in found ? openable(found.handle) : found.client;
}

const REMEDY = 'pass the path of a file, such as "auth.db", or a connection: `DatabaseSync` of node:sqlite, ' +
  "`better-sqlite3`, `bun:sqlite`, a client of `@libsql/client`, a database of Cloudflare D1, an instance of Kysely, a " +
  "database of Drizzle, or a `PrismaClient`";

function openable(source: string | SqliteHandle): SqliteSource {
  let files: Pick<typeof import("node:fs"), "statSync" | "rmSync"> | undefined;
  let opened: { close(): void } | undefined;
  const discardLog = (path: string) => ["-wal", "-shm"].forEach((end) => files?.rmSync(path + end, { force: true }));
  return {
    open: async () => {
      // An open database may be in a runtime without files.
      files ??= await import("node:fs").catch(() => undefined);
      if (typeof source !== "string") return source;
      // Loaded late: not every runtime has it, and an open database does not need it.
      const { DatabaseSync } = await import("node:sqlite");
      const database = new DatabaseSync(source);
      opened = database;
      return database;
    },
    close: () => {
      opened?.close();
      opened = undefined;
    },
    identify: (path) => {
      try {
        const found = files?.statSync(path, { throwIfNoEntry: false });
        return found ? `${found.dev} ${found.ino}` : files && null;
      } catch {
        return undefined; // for lack of permission
      }
    },
    ...(typeof source === "string" && {
      discardLog,
      explain: (error: unknown) => unopened(source, error, files) ?? error,
    }),
  };
}
