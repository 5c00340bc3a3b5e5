import type { Mutant } from "./_mutant.ts";

const LOCKED = ["tests/unit/adapters/sqlite_locked_test.ts"];
const MOVED = ["tests/unit/adapters/sqlite_moved_test.ts"];
const MISFITS = ["tests/unit/adapters/sqlite_misfits_test.ts"];
const FILE = ["tests/unit/adapters/sqlite_file_test.ts"];
const MEMORY = ["tests/unit/adapters/memory_test.ts"];
const POSTGRES = ["tests/unit/adapters/sql/postgres_database_test.ts"];
const SERVER = ["tests/unit/adapters/postgres_server_test.ts"];
const PATIENCE = "adapters/sql/patience.ts";
const CONNECTION = "adapters/sql/sqlite_connection.ts";
const SQLITE = "adapters/sql/sqlite_database.ts";
const RETRIES = "adapters/sql/postgres_retries.ts";
const DATABASE = "adapters/sql/postgres_database.ts";

/** What becomes of databases that are locked, away, somebody else's or not what they were. */
export const databases: readonly Mutant[] = [
  {
    name: "DB-1: a locked file stops the program, as its application's timeout wants it",
    file: CONNECTION,
    find: 'handle.exec("pragma busy_timeout = 0");',
    replace: 'handle.exec("pragma busy_timeout = 2000");',
    tests: LOCKED,
    only: "sqliteAdapter() leaves an open database",
  },
  {
    name: "DB-1: what fails because a file is locked is not tried again",
    file: PATIENCE,
    find: "        if (!isLocked(error)) throw error;\n        if (time?.isUp())",
    replace: "        if (error) throw error;\n        if (time?.isUp())",
    tests: LOCKED,
  },
  {
    name: "DB-1: every writer asks for the lock",
    file: PATIENCE,
    find: "      await before.end;\n",
    replace: "",
    tests: LOCKED,
  },
  {
    name: "DB-1: whoever waited in line for too long asks once more",
    file: PATIENCE,
    find: "if (time?.isUp()) throw new AdapterError(LOCKED);",
    replace: "",
    tests: LOCKED,
  },
  {
    name: "DB-1: readers stand in the line of writers",
    file: PATIENCE,
    find: "if (!reads) return",
    replace: "if (reads || !reads) return",
    tests: LOCKED,
  },
  {
    name: "DB-1: every reader asks for a file that is locked",
    file: PATIENCE,
    find: "return await lineUp(patience, readers, { place, attempt });",
    replace: "return await untilFree(patience, attempt);",
    tests: LOCKED,
  },
  {
    name: "DB-1: a line of writers leaves nobody else a chance",
    file: PATIENCE,
    find: "await pause(waiting, 0);",
    replace: "",
    tests: LOCKED,
  },
  {
    name: "DB-1: a complete file waits for the lock when it is opened",
    file: CONNECTION,
    find: "if (migrations(names, query).length > 0) {",
    replace: "if (migrations(names, query).length >= 0) {",
    tests: LOCKED,
  },
  {
    name: "DB-1: whoever stores waits for a lock in order to remove what has ended",
    file: SQLITE,
    find: "if (hurried) return await attempt();",
    replace: "",
    tests: LOCKED,
  },
  {
    name: "DB-2: a file that was deleted is written on",
    file: SQLITE,
    find: "return found !== undefined && found !== identity;",
    replace: "return false;",
    tests: MOVED,
  },
  {
    name: "DB-2: the log of a file that was replaced is taken for that of the new one",
    file: SQLITE,
    find: "if (log && source.identify(logOf(path)) === log) source.discardLog(path);",
    replace: "",
    tests: MOVED,
  },
  {
    name: "DB-2: nobody is told that a file was opened anew",
    file: SQLITE,
    find: 'settings.warn("storage-moved", REOPENED);',
    replace: "",
    tests: MOVED,
  },
  {
    name: "DB-2: closing twice fails",
    file: "adapters/sqlite.ts",
    find: "      handle?.close();\n      handle = undefined;\n",
    replace: "      handle?.close();\n",
    tests: MOVED,
  },
  {
    name: "DB-3: tables of others are used whatever they hold",
    file: "adapters/sql/misfits.ts",
    find: "if (problems.length === 0) return;",
    replace: "if (problems.length >= 0) return;",
    tests: MISFITS,
  },
  {
    name: "DB-3: tables of others do not become unique",
    file: "adapters/sql/sqlite_schema.ts",
    find: "set.every((column) => wanted.includes(column))",
    replace: "set.some(() => wanted.length > 0)",
    tests: MISFITS,
  },
  {
    name: "DB-3: every adapter of a handle asks about its tables",
    file: CONNECTION,
    find: "if (before && before.version === version()) return before;",
    replace: "",
    tests: MISFITS,
  },
  {
    name: "DB-4: an adapter of a handle does not see that tables have changed",
    file: CONNECTION,
    find: "if (before && before.version === version()) return before;",
    replace: "if (before) return before;",
    tests: FILE,
  },
  {
    name: "DB-4: rows are swept half a day after their end",
    file: "adapters/sql/operations.ts",
    find: "const GRACE = 24 * 60 * 60;",
    replace: "const GRACE = 12 * 60 * 60;",
    tests: FILE,
  },
  {
    name: "DB-4: rows are swept by our clock alone",
    file: "adapters/sql/operations.ts",
    find: '`"expires" <= ${codec.hole} and "expires" <= ${ago(GRACE)}`',
    replace: '`"expires" <= ${codec.hole} and ${ago(GRACE)} > "expires" - 1e15`',
    tests: FILE,
  },
  {
    name: "DB-4: short-lived adapters never sweep",
    file: "adapters/sql/adapter.ts",
    find: "let [writes = 0] = random(new Uint8Array(1));",
    replace: "let [writes = 0] = random(new Uint8Array(0));",
    tests: FILE,
  },
  {
    name: "DB-4: a clock that is ahead ends all sessions in memory",
    file: "adapters/memory/tables.ts",
    find: "Math.min(now(), systemRuntime.now()) - GRACE",
    replace: "now() - GRACE",
    tests: MEMORY,
  },
  {
    name: "DB-4: a session in memory is forgotten half a day after its end",
    file: "adapters/memory/tables.ts",
    find: "const GRACE = 24 * 60 * 60 * 1000;",
    replace: "const GRACE = 12 * 60 * 60 * 1000;",
    tests: MEMORY,
  },
  {
    name: "DB-5: what collides is tried six times again",
    file: RETRIES,
    find: "collided: 12,",
    replace: "collided: 6,",
    tests: POSTGRES,
  },
  {
    name: "DB-5: a lost connection fails what reads, and transactions",
    file: RETRIES,
    find: "(repeatable && isLost(error))",
    replace: "(!repeatable && isLost(error) && !repeatable)",
    tests: POSTGRES,
  },
  {
    name: "DB-5: what may have been written is written again",
    file: RETRIES,
    find: "(repeatable && isLost(error))",
    replace: "isLost(error)",
    tests: POSTGRES,
  },
  {
    name: "DB-5: a commit whose answer was lost is done again although it was carried out",
    file: DATABASE,
    find: "if (await wasCommitted(pool, runtime, String(ended.id))) return ended.result;",
    replace: "",
    tests: POSTGRES,
  },
  {
    name: "DB-5: what nobody knows counts as lost, and is done again",
    file: DATABASE,
    find: "    throw new FateUnknown(UNKNOWN, { cause: error });\n",
    replace: "    throw error;\n",
    tests: POSTGRES,
  },
  {
    name: "DB-5: an adapter that was used does not see what was migrated",
    file: DATABASE,
    find: "      await pool.atomically((query) => migrate(query, place));\n      shared.store = undefined;\n",
    replace: "      await pool.atomically((query) => migrate(query, place));\n",
    tests: POSTGRES,
  },
  {
    name: "DB-5: transactions are as strict as the database's default",
    file: "adapters/sql/postgres_driver.ts",
    find: 'const LEVEL = "isolation level read committed";',
    replace: 'const LEVEL = "read write";',
    tests: ["tests/unit/adapters/sql/postgres_driver_test.ts"],
  },
  {
    name: "DB-5: dates without a time zone are written as of the connection's",
    file: "adapters/sql/postgres_store.ts",
    find: "`(${CODECS.instant.hole} at time zone 'UTC')`",
    replace: "CODECS.instant.hole",
    tests: SERVER,
    only: "postgresAdapter()",
  },
  {
    name: "DB-5: a sign-in gives up at its third try",
    file: "src/sign_in/with_storage.ts",
    find: "const MAX_TRIES = 5;",
    replace: "const MAX_TRIES = 2;",
    tests: ["tests/unit/sign_in/tries_test.ts"],
  },
];
