/**
 * Clients of `@libsql/client`: a file, a server, or a replica, which is a copy of a server's database in a file.
 *
 * A replica sends what writes, and transactions that write, to the server, and reads the copy. What others wrote is in the
 * copy when it is synchronized: an account could be missing, and a session that somebody ended could be alive for ever.
 *
 * @module
 */
import { AdapterError } from "../../src/kernel/errors.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { plain } from "./sqlite_codecs.ts";
import { type BatchClient, isRead } from "./sqlite_client.ts";
import type { Statement } from "./statement.ts";
import type { Row } from "./table.ts";

/** A client of `@libsql/client`, or of its shape. */
export interface LibsqlClient {
  /** Runs a statement. */
  execute(statement: LibsqlStatement): Promise<{ rows: ArrayLike<unknown>[] }>;
  /** Runs statements as one transaction. */
  batch(statements: LibsqlStatement[], mode: "write"): Promise<{ rows: ArrayLike<unknown>[] }[]>;
  /** Brings a replica up to date. It fails if the client has none. */
  sync?(): Promise<unknown>;
  /** `file` if it opens a file. */
  readonly protocol?: string;
}

/** A statement for a {@linkcode LibsqlClient}. */
export interface LibsqlStatement {
  /** Its text. */
  sql: string;
  /** Its parameters. */
  args: (string | number | bigint | null | Uint8Array)[];
}

/** Milliseconds after which a replica is synchronized before it is read. */
const OLDEST = 1000;

export function libsqlClient(client: LibsqlClient): BatchClient {
  const asked = ({ sql, params }: Statement) => ({ sql, args: [...params] });
  const rowsOf = ({ rows }: { readonly rows: ArrayLike<unknown>[] }): readonly Row[] =>
    rows.map((row) => Array.from(row, plain));
  const execute = async (statement: Statement): Promise<readonly Row[]> => {
    try {
      return rowsOf(await client.execute(asked(statement)));
    } finally {
      if (!isRead(statement)) copy.outdate();
    }
  };
  const send = async (statements: readonly Statement[]) =>
    (await client.batch(statements.map(asked), "write")).map(rowsOf);
  const copy = makeCopy(client, async () => {
    const file = { sql: `select file as "0" from pragma_database_list where name = 'main'`, params: [] };
    const [here] = await execute(file);
    const [[there] = []] = await send([file]).catch((error: unknown) => {
      if (/locked|busy/i.test(String(error))) throw error;
      // A server may refuse to say it, and then it is another one.
      return [];
    });
    return here?.[0] !== there?.[0];
  });
  return {
    setUp: async () => {
      await copy.update(0);
      // Otherwise readers lock the file too, and many processes wait for each other until all of them give up.
      if (client.protocol === "file" && !copy.isOne()) await execute({ sql: "pragma journal_mode = wal", params: [] });
    },
    run: async (statement) => {
      await copy.update(OLDEST);
      // A write that finds a file locked would stay unfinished, and no transaction of this client could be committed until
      // it is collected as garbage. In a batch it is `begin` that finds it.
      if (isRead(statement) || copy.isOne()) return await execute(statement);
      return (await send([statement]))[0] ?? [];
    },
    batch: async (statements) => {
      try {
        return await send(statements);
      } finally {
        copy.outdate();
      }
    },
    runFresh: async (statement) => {
      await copy.update(0);
      // A server may have replicas of its own. A transaction that writes reads where they wrote.
      return copy.isOne() ? await execute(statement) : (await send([statement]))[0] ?? [];
    },
    readsCopy: copy.isOne,
  };
}

/** Keeps a replica up to date. @param writesElsewhere Whether what writes goes to a server. */
function makeCopy(client: LibsqlClient, writesElsewhere: () => Promise<boolean>) {
  let isCopy: boolean | undefined = client.sync ? undefined : false;
  let updated: number | undefined;
  let updating: Promise<void> | undefined;
  const synchronize = async (): Promise<void> => {
    const begun = systemRuntime.now();
    try {
      await client.sync?.();
    } catch (error) {
      if (isCopy || !/sync.{0,5}not.{0,3}supported/i.test(String(error))) throw error;
      isCopy = false;
      return;
    }
    if (isCopy === undefined && !await writesElsewhere()) throw new AdapterError(OFFLINE);
    isCopy = true;
    updated = begun;
  };
  return {
    isOne: (): boolean => isCopy === true,
    /** Lets the next read synchronize it. With `readYourWrites: false` it lacks even what was written by this client. */
    outdate: () => void (updated = undefined),
    /** Synchronizes it, unless that was done within some milliseconds. */
    update: async (oldest: number): Promise<void> => {
      if (isCopy === false) return;
      if (updated !== undefined && Math.abs(systemRuntime.now() - updated) < oldest) return;
      await (updating ??= synchronize().finally(() => updating = undefined));
    },
  };
}

const OFFLINE =
  "Cannot use storage: the client of libSQL writes to its replica, and to the server later, so that two machines could " +
  "use the same link. Remove `offline` from the options of `createClient()`";
