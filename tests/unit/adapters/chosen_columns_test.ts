/** Names of columns that were chosen: tables are made with them, and nothing in a name reaches a database as a statement. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import mysql from "mysql2/promise";
import pg from "pg";
import { mysqlAdapter, mysqlSchema } from "../../../adapters/mysql.ts";
import { postgresAdapter, postgresSchema } from "../../../adapters/postgres.ts";
import { EXTRA, TABLE_IDS, TABLES } from "../../../adapters/sql/schema.ts";
import { sqliteAdapter, sqliteSchema, type TableNameOptions } from "../../../adapters/sqlite.ts";
import type { CompleteAdapter } from "../../../src/contract/adapter.ts";
import { InvalidConfig } from "../../../src/kernel/errors.ts";
import { findMariadb, type MariadbServer, skipsWithoutMariadb, startMariadb } from "../../_support/mariadb.ts";
import { findPostgres, type PostgresServer, skipsWithoutPostgres, startPostgres } from "../../_support/postgres.ts";

/** Names that would end a quoted name, a text, a block, a comment or a list, or stand for a parameter. */
const HOSTILE = [
  'a"b',
  'a"); drop table "victim"; --',
  "a`b",
  "a`); drop table `victim`; --",
  "a'b",
  "a'); drop table victim; --",
  "a\\'b",
  "\\",
  "$$; drop table victim; do $$",
  "$x1$ $$ $x2$",
  "then y; end if; end $$",
  "add foreign key",
  "a?b",
  "?^",
  "limit ?",
  "$1 :a @b %s ${c} $&",
  "/*! a */ -- b",
  "a, b",
  "select",
  "Überprüft 名前",
];

/** Names that no database stores as they are, or that end a line. */
const REFUSED = ["", "a\nb", "a\0b", "a\x7fb", "a\u2028b", "\ud800", "x".repeat(64), "ü".repeat(32), " a", "a "];

/** Names of tables, and all columns under a name that begins like this. */
function namedLike(name: string, prefix: string): TableNameOptions {
  return Object.fromEntries(TABLE_IDS.map((id) => {
    const members = [...TABLES[id].columns.map(({ name }) => name), ...(TABLES[id].isPlain ? [] : [EXTRA])];
    return [id, {
      name: `${prefix}${id}`,
      columns: Object.fromEntries(members.map((member, at) => [member, `${name}${at}`])),
    }];
  }));
}

const LATER = new Date(4102444800123);

/** Uses every table. */
async function useTables(adapter: CompleteAdapter): Promise<void> {
  const user = { id: "ada", name: "Ada", email: "ada@example.com", emailVerified: LATER, image: null };
  await adapter.createUser(user);
  await adapter.linkAccount({ userId: "ada", type: "oidc", provider: "idp", providerAccountId: "1", expires_at: 17 });
  assert.deepEqual(await adapter.getUserByAccount({ provider: "idp", providerAccountId: "1" }), user);
  const session = { sessionToken: "s", userId: "ada", expires: LATER, provider: "idp", providerSid: "p" };
  await adapter.createSession(session);
  assert.deepEqual(await adapter.getSessionAndUser("s"), { session, user });
  assert.deepEqual(await adapter.updateUser({ id: "ada", ...{ role: "admin" } }), { ...user, role: "admin" });
  assert.deepEqual(await adapter.listSessionsByProviderSid({ provider: "idp", sid: "p" }), [session]);
  await adapter.createVerificationToken({ identifier: "i", token: "t", expires: LATER });
  assert.deepEqual(await adapter.useVerificationToken({ identifier: "i", token: "t" }), {
    identifier: "i",
    token: "t",
    expires: LATER,
  });
  assert.deepEqual([await adapter.once("k", LATER), await adapter.once("k", LATER)], [true, false]);
  const record = { kind: "k", id: "1", userId: "ada", group: "g", version: 0, expires: LATER, data: { a: 1 } };
  await adapter.putRecord(record);
  assert.equal((await adapter.listRecords({ kind: "k", group: "g", limit: 9 })).length, 1);
  const expect = { user: { id: "ada", email: "ada@example.com", emailVerified: LATER, securityStamp: null } };
  assert.equal(await adapter.commit({ expect, evict: { userId: "ada", email: "ada@example.com" } }), "done");
  await adapter.deleteUser("ada");
  assert.equal(await adapter.getUser("ada"), null);
}

/** A database, and what it says its columns and indexes are. */
interface Place {
  open(tables: TableNameOptions): { readonly adapter: CompleteAdapter; migrate(): Promise<void> };
  print(tables: TableNameOptions): string;
  run(sql: string): Promise<void>;
  layout(prefix: string): Promise<readonly unknown[]>;
  quote(name: string): string;
}

function checkNames(place: () => Place): void {
  for (const [at, name] of HOSTILE.entries()) {
    test(`makes and uses columns that are called ${name}`, async () => {
      const { open, print, run, layout } = place();
      const [printed, made] = [`p${at}_`, `m${at}_`];
      await run(print(namedLike(name, printed)));
      const before = await layout(printed);
      const columns = before.filter((row) => JSON.stringify(row).includes(JSON.stringify(`${name}0`).slice(1, -1)));
      assert.ok(columns.length >= TABLE_IDS.length, JSON.stringify(before));
      for (const prefix of [printed, made]) {
        const { adapter, migrate } = open(namedLike(name, prefix));
        await migrate();
        await migrate();
        await useTables(adapter);
        assert.deepEqual(await layout(prefix), before);
      }
    });
  }

  for (const name of REFUSED) {
    test(`refuses a column that is called ${JSON.stringify(name)}`, () => {
      const { open, print } = place();
      for (const use of [open, print]) {
        assert.throws(() => use({ users: { columns: { emailVerified: name } } }), (error) => {
          assert.ok(error instanceof InvalidConfig);
          assert.match(error.message, /`tables\.users\.columns`/);
          return true;
        });
      }
    });
  }

  test("refuses what would quote the name of a table", () => {
    const { open, print } = place();
    for (const name of [...HOSTILE.filter((name) => name !== "select"), ...REFUSED]) {
      for (const use of [open, print]) {
        assert.throws(() => use({ sessions: name }), (error) => {
          assert.ok(error instanceof InvalidConfig);
          assert.match(error.message, /`tables\.sessions`/);
          return true;
        });
      }
    }
  });

  test("refuses two members in the columns that it would make", () => {
    const { open, print } = place();
    for (const use of [open, print]) {
      assert.throws(() => use({ users: { columns: { name: "email" } } }), /`tables\.users\.columns`.*the same column/);
      use({ users: { columns: { name: "email", email: "name" } } });
    }
  });

  test("says that a column has duplicates that other software stored, whatever its name is", async () => {
    const { open, run, quote } = place();
    const [id, email] = ["`i\"d'", "`m\"ail'"];
    await run(
      `create table d_users (${quote(id)} varchar(9) primary key, ${quote(email)} varchar(9));\n` +
        "insert into d_users values ('1', 'same'), ('2', 'same');\n",
    );
    const users = { name: "d_users", columns: { id, email } };
    const { migrate } = open({ ...namedLike("c", "d_"), users });
    await assert.rejects(migrate, /table "d_users" has duplicates in "`m""ail'"/);
  });

  test("adds the columns that a table lacks under the names that were chosen", async () => {
    const { open, print, run, layout } = place();
    const before = { ...namedLike("c", "l_"), sessions: { name: "l_sessions" }, users: { name: "l_users" } };
    await run(print(before));
    const sessions = { name: "l_sessions", columns: { extra: "rest" } };
    await run(`${DROP_EXTRA};\n`);
    const { adapter, migrate } = open({ ...before, sessions });
    await migrate();
    const names = JSON.stringify(await layout("l_sessions"));
    assert.ok(names.includes('"rest"') && !names.includes('"extra"'), names);
    await useTables(adapter);
  });
}

const DROP_EXTRA = "alter table l_sessions drop column extra";

describe("sqliteAdapter()", () => {
  let file: DatabaseSync;
  before(() => {
    file = new DatabaseSync(":memory:");
    file.exec("create table victim (id text)");
  });
  after(() => {
    file.exec("select * from victim");
    file.close();
  });
  checkNames(() => ({
    open: (tables) => {
      const adapter = sqliteAdapter(file, { tables });
      return { adapter, migrate: async () => void await adapter.getUser("nobody") };
    },
    print: (tables) => sqliteSchema({ tables }),
    run: async (sql) => await file.exec(sql),
    quote: (name) => `"${name.replaceAll('"', '""')}"`,
    layout: async (prefix) =>
      await file.prepare(
        `select substr(m.name, ?) as t, c.name, c.type, c.pk, c."notnull" from sqlite_master m,
         pragma_table_info(m.name) c where m.name like ? || '%' and m.type = 'table'
         union all select substr(m.name, ?), i.name, '', 0, 0 from sqlite_master m, pragma_index_info(m.name) i
         where m.type = 'index' and m.name like ? || '%' order by 1, 2`,
      ).all(prefix.length + 1, prefix, prefix.length + 1, prefix),
  }));
});

const bin = findPostgres();

describe("postgresAdapter()", { skip: skipsWithoutPostgres(bin, "The tests of names on PostgreSQL") }, () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  before(async () => {
    server = await startPostgres(bin);
    pool = new pg.Pool({ connectionString: server.url, max: 2 });
    await pool.query("create table victim (id text)");
  });
  after(async () => {
    await pool.query("select * from victim");
    await pool.end();
    await server.stop();
  });
  checkNames(() => ({
    open: (tables) => {
      const adapter = postgresAdapter(pool, { tables });
      return { adapter, migrate: () => adapter.migrate() };
    },
    print: (tables) => postgresSchema({ tables }),
    run: async (sql) => void await pool.query(sql),
    quote: (name) => `"${name.replaceAll('"', '""')}"`,
    layout: async (prefix) => {
      const { rows } = await pool.query(
        `select substr(c.relname, $2) as t, a.attname, a.attnotnull, format_type(a.atttypid, null) as type
         from pg_class c join pg_attribute a on a.attrelid = c.oid
         where c.relname like $1 and a.attnum > 0 and not a.attisdropped order by 1, 2`,
        [`${prefix}%`, prefix.length + 1],
      );
      return rows;
    },
  }));
});

const mariadb = findMariadb();

describe("mysqlAdapter()", { skip: skipsWithoutMariadb(mariadb, "The tests of names on MySQL") }, () => {
  let server: MariadbServer;
  let pool: mysql.Pool;
  before(async () => {
    server = await startMariadb(mariadb);
    pool = mysql.createPool({ uri: server.url, connectionLimit: 2 });
    await pool.query("create table victim (id int)");
  });
  after(async () => {
    await pool.query("select * from victim");
    await pool.end();
    await server.stop();
  });
  checkNames(() => ({
    open: (tables) => {
      const adapter = mysqlAdapter(pool, { tables });
      return { adapter, migrate: () => adapter.migrate() };
    },
    print: (tables) => mysqlSchema({ tables }),
    quote: (name) => `\`${name.replaceAll("`", "``")}\``,
    run: async (sql) => {
      for (const statement of sql.split(";\n")) if (statement) await pool.query(statement);
    },
    layout: async (prefix) => {
      const [rows] = await pool.query(
        `select substr(table_name, ?) as t, column_name, column_type, is_nullable from information_schema.columns
         where table_schema = 'tests' and table_name like ? union all
         select substr(table_name, ?), column_name, substr(index_name, 1), '' from information_schema.statistics
         where table_schema = 'tests' and table_name like ? and index_name not like concat(?, '%') order by 1, 2, 3`,
        [prefix.length + 1, `${prefix}%`, prefix.length + 1, `${prefix}%`, prefix],
      );
      return rows as unknown[];
    },
  }));
});
