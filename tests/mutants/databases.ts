import type { Mutant } from "./_mutant.ts";

const LOCKED = ["tests/unit/adapters/sqlite_locked_test.ts"];
const MOVED = ["tests/unit/adapters/sqlite_moved_test.ts"];
const MISFITS = ["tests/unit/adapters/sqlite_unusable_tables_test.ts"];
const FILE = ["tests/unit/adapters/sqlite_file_test.ts"];
const MEMORY = ["tests/unit/adapters/memory_test.ts"];
const POSTGRES = ["tests/unit/adapters/sql/postgres_database_test.ts"];
const SERVER = ["tests/unit/adapters/postgres_server_test.ts"];
const DRIVER = ["tests/unit/adapters/sql/postgres_driver_test.ts"];
const ERRORS = ["tests/unit/adapters/sql/postgres_errors_test.ts"];
const TRANSACTED = ["tests/unit/adapters/sql/postgres_transaction_test.ts"];
const LIKE = ["tests/unit/adapters/postgres_like_test.ts"];
const QUEUE = "adapters/sql/lock_queue.ts";
const CONNECTION = "adapters/sql/sqlite_connection.ts";
const SQLITE = "adapters/sql/sqlite_database.ts";
const BATCH = "adapters/sql/sqlite_batch.ts";
const D1 = ["tests/unit/adapters/sqlite_d1_test.ts"];
const RETRIES = "adapters/sql/retries.ts";
const JUDGEMENT = "adapters/sql/postgres_errors.ts";
const DATABASE = "adapters/sql/postgres_database.ts";
const TRANSACTION = "adapters/sql/postgres_transaction.ts";

/** What becomes of databases that are locked, away, somebody else's or not what they were. */
export const databases: readonly Mutant[] = [
  {
    name: "DB-1: a locked file blocks the event loop for the busy timeout of the application",
    file: CONNECTION,
    find: 'handle.exec("pragma busy_timeout = 0");',
    replace: 'handle.exec("pragma busy_timeout = 2000");',
    tests: LOCKED,
    only: "sqliteAdapter() keeps the busy timeout of an open database",
  },
  {
    name: "DB-1: an operation that found the file locked is not retried",
    file: QUEUE,
    find: "        if (!isLocked(error)) throw error;\n        if (timeout?.isOver())",
    replace: "        if (error) throw error;\n        if (timeout?.isOver())",
    tests: LOCKED,
  },
  {
    name: "DB-1: every writer asks for the lock",
    file: QUEUE,
    find: "      await before.end;\n",
    replace: "",
    tests: LOCKED,
  },
  {
    name: "DB-1: a writer who queued for too long tries once more",
    file: QUEUE,
    find: "if (timeout?.isOver()) throw new AdapterError(LOCKED);",
    replace: "",
    tests: LOCKED,
  },
  {
    name: "DB-1: readers queue up with writers",
    file: QUEUE,
    find: "if (!readOnly) return",
    replace: "if (readOnly || !readOnly) return",
    tests: LOCKED,
  },
  {
    name: "DB-1: every reader asks for a file that is locked",
    file: QUEUE,
    find: "return await queueUp(settings, readers, { path, attempt });",
    replace: "return await untilUnlocked(settings, attempt);",
    tests: LOCKED,
  },
  {
    name: "DB-1: a queue of writers blocks the event loop",
    file: QUEUE,
    find: "await pause(runtime, 0);",
    replace: "",
    tests: LOCKED,
  },
  {
    name: "DB-1: a migrated file waits for the lock when it is opened",
    file: CONNECTION,
    find: "if (missing().length > 0) {",
    replace: "if (missing().length >= 0) {",
    tests: LOCKED,
  },
  {
    name: "DB-1: an operation waits for a lock to remove rows that have ended",
    file: SQLITE,
    find: "if (noWait) return await attempt();",
    replace: "",
    tests: LOCKED,
  },
  {
    name: "DB-2: writes go on to a file that was deleted",
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
    name: "DB-2: no warning says that a file was reopened",
    file: SQLITE,
    find: 'settings.warn("storage-moved", REOPENED);',
    replace: "",
    tests: MOVED,
  },
  {
    name: "DB-2: closing twice fails",
    file: "adapters/sql/sqlite_source.ts",
    find: "      opened?.close();\n      opened = undefined;\n",
    replace: "      opened?.close();\n",
    tests: MOVED,
  },
  {
    name: "DB-3: tables of other software are used without a check",
    file: "adapters/sql/unusable_tables.ts",
    find: "if (problems.length === 0) return;",
    replace: "if (problems.length >= 0) return;",
    tests: MISFITS,
  },
  {
    name: "DB-3: tables of other software do not get unique indexes",
    file: "adapters/sql/sqlite_catalogue.ts",
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
    find: "const SWEEP_GRACE = 24 * 60 * 60;",
    replace: "const SWEEP_GRACE = 12 * 60 * 60;",
    tests: FILE,
  },
  {
    name: "DB-4: rows are swept by our clock alone",
    file: "adapters/sql/operations.ts",
    find: "`${by} <= ${codec.placeholder} and ${by} <= ${store.ago(id, SWEEP_GRACE)}`",
    replace: "`${by} <= ${codec.placeholder} and ${store.ago(id, SWEEP_GRACE)} > ${by} - 1e15`",
    tests: FILE,
  },
  {
    name: "DB-4: short-lived adapters never sweep",
    file: "adapters/sql/adapter.ts",
    find: "let [additions = 0] = random(new Uint8Array(1));",
    replace: "let [additions = 0] = random(new Uint8Array(0));",
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
    name: "DB-5: a collision is retried six times",
    file: RETRIES,
    find: "collided: 12,",
    replace: "collided: 6,",
    tests: POSTGRES,
  },
  {
    name: "DB-5: a lost connection fails reads and transactions",
    file: JUDGEMENT,
    find: "(repeatable && isConnectionLost(error))",
    replace: "(!repeatable && isConnectionLost(error) && !repeatable)",
    tests: POSTGRES,
  },
  {
    name: "DB-5: a write that may have happened is repeated",
    file: JUDGEMENT,
    find: "(repeatable && isConnectionLost(error))",
    replace: "isConnectionLost(error)",
    tests: POSTGRES,
  },
  {
    name: "DB-5: a commit whose response was lost is repeated although it happened",
    file: TRANSACTION,
    find: "if (await wasCommitted(pool, runtime, ended.id)) return ended.result;",
    replace: "",
    tests: POSTGRES,
  },
  {
    name: "DB-5: a commit of unknown outcome is repeated",
    file: TRANSACTION,
    find: "attempt to write.\n    throw new CommitUnknown(error);\n",
    replace: "attempt to write.\n    throw error;\n",
    tests: POSTGRES,
  },
  {
    name: "DB-5: an adapter that was used does not see a migration",
    file: DATABASE,
    find: "      await migrate(pool, runtime, location);\n      shared.store = undefined;\n",
    replace: "      await migrate(pool, runtime, location);\n",
    tests: POSTGRES,
  },
  {
    name: "DB-5: transactions are as strict as the database's default",
    file: "adapters/sql/postgres_pool.ts",
    find: 'const ISOLATION = "isolation level read committed";',
    replace: 'const ISOLATION = "read write";',
    tests: ["tests/unit/adapters/sql/postgres_driver_test.ts"],
  },
  {
    name: "DB-5: transactions of Kysely are as strict as the database's default",
    file: "adapters/sql/postgres_by_kysely.ts",
    find: 'setIsolationLevel("read committed");',
    replace: 'setIsolationLevel("serializable" as never);',
    tests: DRIVER,
  },
  {
    name: "DB-5: transactions of Prisma are as strict as the database's default",
    file: "adapters/sql/postgres_by_prisma.ts",
    find: 'isolationLevel: "ReadCommitted", maxWait: 10_000',
    replace: 'isolationLevel: "Serializable" as never, maxWait: 10_000',
    tests: DRIVER,
  },
  {
    name: "DB-5: plugins of Kysely change statements",
    file: "adapters/sql/postgres_by_kysely.ts",
    find: "const kysely = given.withoutPlugins();",
    replace: "const kysely = given;",
    tests: DRIVER,
  },
  {
    name: "DB-5: a commit that failed without a word of the server counts as refused",
    file: TRANSACTION,
    find: "if (!ended || isRefused(error)) throw error;",
    replace: "if (!ended || error instanceof Error) throw error;",
    tests: TRANSACTED,
  },
  {
    name: "DB-5: the server is asked about a commit that it refused",
    file: TRANSACTION,
    find: "if (!ended || isRefused(error)) throw error;",
    replace: "if (!ended) throw error;",
    tests: TRANSACTED,
  },
  {
    name: "DB-5: a commit of unknown outcome is repeated where transactions have no number",
    file: TRANSACTION,
    find: "if (ended.id === null) throw new CommitUnknown(error);",
    replace: "if (ended.id === null) throw error;",
    tests: TRANSACTED,
  },
  {
    name: "DB-5: no transaction works where transactions have no number",
    file: TRANSACTION,
    find: "if (asksNumber && isLacking(error)) {",
    replace: "if (asksNumber && error === null) {",
    tests: TRANSACTED,
  },
  {
    name: "DB-5: an ambiguous commit of CockroachDB counts as refused",
    file: JUDGEMENT,
    find: '  "40003",\n  "57P01",',
    replace: '  "57P01",',
    tests: ERRORS,
  },
  {
    name: "DB-5: a collision that Prisma reports is not retried",
    file: JUDGEMENT,
    find: '"40P01", "TransactionWriteConflict", "P2034"]',
    replace: '"40P01"]',
    tests: ERRORS,
  },
  {
    name: "DB-5: the code of the database is not read from errors of Prisma",
    file: JUDGEMENT,
    find: 'member(inner, "originalCode")].find',
    replace: 'member(inner, "")].find',
    tests: ERRORS,
  },
  {
    name: "DB-5: tables cannot be made where the database has no locks and no blocks",
    file: "adapters/sql/postgres_migration.ts",
    find: "if (!isLacking(error)) throw error;",
    replace: "throw error;",
    tests: LIKE,
  },
  {
    name: "DB-5: dates without a time zone are written as of the connection's",
    file: "adapters/sql/postgres_store.ts",
    find: "`(${CODECS.timestamp.placeholder} at time zone 'UTC')`",
    replace: "CODECS.timestamp.placeholder",
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
  {
    name: "DB-3: a column is not found by another spelling of its member",
    file: "adapters/sql/column_names.ts",
    find: 'return name.replaceAll("_", "").toLowerCase();',
    replace: "return name;",
    tests: ["tests/unit/adapters/sql/column_names_test.ts"],
  },
  {
    name: "DB-3: of two columns that spell a member in other ways, the first is taken",
    file: "adapters/sql/column_names.ts",
    find: "column !== undefined && alike.length === 1",
    replace: "column !== undefined",
    tests: ["tests/unit/adapters/sql/column_names_test.ts"],
  },
  {
    name: "DB-3: a member is compared with the column of its own name, whichever it has",
    file: "adapters/sql/statements.ts",
    find: "table.column(member).isEqual(prefix)",
    replace: '`${prefix ?? ""}"${member}" = ?`',
    tests: ["tests/unit/adapters/renamed_columns_test.ts"],
    only: "sqliteAdapter() with other names",
  },
  {
    name: "DB-9: a batch is written although what it was decided on has changed",
    file: BATCH,
    find: "batch.push(unchanged(statement, rows, index));",
    replace: "batch.push(statement);",
    tests: D1,
    only: "a plan on D1 is not done if, after it was decided, the user's address is not verified any more",
  },
  {
    name: "DB-9: a batch is written although a write that must change a row changed none",
    file: BATCH,
    find: "if (statement.must) batch.push(changedRow(index));",
    replace: "",
    tests: D1,
    only: "a plan on D1 is not done if, after it was decided, the token is used",
  },
  {
    name: "DB-9: what was read is compared as the column folds it",
    file: BATCH,
    find: " collate binary is ",
    replace: " is ",
    tests: D1,
    only: "a plan on D1 sees a change that the column folds",
  },
  {
    name: "DB-9: rows that are missing are not noticed",
    file: BATCH,
    find: "(select count(*) from now) = ? and",
    replace: "? >= 0 and",
    tests: D1,
    only: "a plan on D1 is not done if, after it was decided, the session is gone",
  },
  {
    name: "DB-9: a collision on D1 is not decided again",
    file: "adapters/sql/sqlite_async.ts",
    find:
      "    return await once(client.run);\n  } catch (error) {\n    if (!(error instanceof ReadChanged)) throw error;",
    replace: "    return await once(client.run);\n  } catch (error) {\n    if (error) throw error;",
    tests: D1,
    only: "64 changes of one user at once on D1 keep what each of them wrote",
  },
  {
    name: "DB-9: what is written beside a transaction of Prisma is undone with it",
    file: "adapters/sql/sqlite_connections.ts",
    find: "const turn = ended.then(run);",
    replace: "const turn = run();",
    tests: ["tests/unit/adapters/sqlite_connections_test.ts"],
  },
];
