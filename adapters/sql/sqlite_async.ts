/**
 * Executes operations on SQLite by drivers that answer with promises.
 *
 * @module
 */
import { AdapterError } from "../../src/kernel/errors.ts";
import { pause } from "../../src/kernel/deadline.ts";
import { ConstraintViolation } from "../../src/contract/commit.ts";
import { untilUnlocked, withFile } from "./lock_queue.ts";
import { makeExecutor } from "./executing.ts";
import type { Operation } from "./operations.ts";
import { namingKey, type TableNaming } from "./column_names.ts";
import { quoteName } from "./names.ts";
import { ReadChanged, runInBatch } from "./sqlite_batch.ts";
import type { BatchClient, InteractiveClient, SqliteClient } from "./sqlite_client.ts";
import { constraintOf, type SqliteDatabase, type SqliteSettings } from "./sqlite_database.ts";
import { findStore, migrationStatements } from "./sqlite_schema.ts";
import { drive, type Statement } from "./statement.ts";
import type { SqlStore } from "./store.ts";

export function asyncSqliteDatabase(client: SqliteClient, settings: SqliteSettings): SqliteDatabase {
  const { execute } = makeExecutor({
    connection: client,
    key: namingKey(settings),
    settings,
    find: () => untilUnlocked(settings, () => openStore(client, settings)),
    run: (operation, { noWait }) => {
      return "batch" in client
        ? throughBatches(client, operation, { ...settings, noWait })
        : throughTransactions(client, operation, { ...settings, noWait });
    },
    isTablesChanged: () => false,
  });
  let closed = false;
  return {
    execute: async (name, args, options) => {
      if (closed) throw new AdapterError("Cannot use storage: it is closed");
      return await execute(name, args, options);
    },
    close: () => void (closed = true),
    constraintOf,
  };
}

type Waiting = SqliteSettings & { readonly noWait: boolean };

/** Makes what is missing, and reads what is there. */
async function openStore(client: SqliteClient, naming: TableNaming): Promise<SqlStore> {
  const missing = () => drive(migrationStatements(naming), client.run);
  const statements = await missing();
  if (statements.length > 0) {
    await runAll(client, statements.map((sql) => ({ sql, params: [] }))).catch(async (error: unknown) => {
      // Another process may have made the same meanwhile.
      if ((await missing()).length > 0) throw error;
    });
  }
  await enforceForeignKeys(client);
  return await drive(findStore(naming, await client.sampleDate?.()), client.run);
}

async function runAll(client: SqliteClient, statements: readonly Statement[]): Promise<void> {
  if ("batch" in client) return void await client.batch(statements);
  await client.transact(async (run) => {
    for (const statement of statements) await run(statement);
  });
}

/** Otherwise an account of a user who does not exist could be stored. Most drivers enforce them by default. */
async function enforceForeignKeys({ run }: SqliteClient): Promise<void> {
  const isOn = async () => Object.values((await run({ sql: "pragma foreign_keys", params: [] }))[0] ?? {})[0];
  if (Number(await isOn()) === 1) return;
  await run({ sql: "pragma foreign_keys = on", params: [] });
  if (Number(await isOn()) === 1) return;
  throw new AdapterError(
    "Cannot use storage: the connection does not enforce foreign keys. Run `pragma foreign_keys = on` on each connection",
  );
}

/** The most times that a transaction is decided again, because others changed what it had read. */
const MOST_DECISIONS = 12;

/** Seconds between two decisions: at first, and at most. */
const PAUSES = { first: 0.005, most: 0.2 };

async function throughBatches<Result>(
  client: BatchClient,
  { transaction, start }: Operation<Result>,
  settings: Waiting,
): Promise<Result> {
  const once = (read: typeof client.run) => {
    const attempt = () => transaction ? runInBatch(client, read, start) : drive(start(), read);
    return settings.noWait ? attempt() : untilUnlocked(settings, attempt);
  };
  try {
    return await once(client.run);
  } catch (error) {
    if (!(error instanceof ReadChanged)) throw error;
  }
  // Those of this process that collided take turns.
  const attempt = async () => {
    for (let decisions = 1; decisions < MOST_DECISIONS; decisions += 1) {
      try {
        return await once(client.runFresh ?? client.run);
      } catch (error) {
        if (!(error instanceof ReadChanged)) throw error;
      }
      await pause(settings.runtime, Math.min(PAUSES.most, PAUSES.first * 2 ** decisions));
    }
    throw new ConstraintViolation("Cannot write to storage: others keep changing the same rows");
  };
  return await withFile(settings, { path: client, readOnly: false, attempt });
}

async function throughTransactions<Result>(
  client: InteractiveClient,
  { transaction, readOnly, start }: Operation<Result>,
  settings: Waiting,
): Promise<Result> {
  // Locked for writing from the start: a transaction that reads first fails if another process writes in between.
  const lock = {
    sql: `delete from ${quoteName(settings.names[settings.ids[0] ?? "records"])} where 0 returning 1 as "0"`,
    params: [],
  };
  const attempt = () => {
    if (!transaction) return drive(start(), client.run);
    return client.transact(async (run) => {
      await run(lock);
      return await drive(start(), run);
    });
  };
  return settings.noWait ? await attempt() : await withFile(settings, { path: client, readOnly, attempt });
}
