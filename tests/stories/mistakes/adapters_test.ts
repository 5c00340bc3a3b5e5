/** Adapters that were made of something else than a database. */
import { createAuth } from "@x/auth";
import { denoKvAdapter } from "@x/auth/adapters/deno-kv";
import { mysqlAdapter } from "@x/auth/adapters/mysql";
import { postgresAdapter } from "@x/auth/adapters/postgres";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { type Mistake, SECRET, tellMistakes } from "./_table.ts";

/** The program does not start. */
function stopped(name: string, adapter: () => unknown, ...says: readonly [string, ...string[]]): Mistake {
  return {
    name,
    make: () => createAuth({ adapter: adapter(), providers: [] } as never).handler,
    see: null,
    log: /Uncaught InvalidConfig: Cannot use /,
    says,
  };
}

/** Adapters that take anything, as they do in JavaScript. */
const ANY = { denoKvAdapter, mysqlAdapter, postgresAdapter, sqliteAdapter } as unknown as Readonly<
  Record<"denoKvAdapter" | "mysqlAdapter" | "postgresAdapter" | "sqliteAdapter", (source?: unknown) => unknown>
>;

tellMistakes([
  stopped(
    "postgresAdapter() is given an address",
    () => ANY.postgresAdapter(`postgres://me:${SECRET}@localhost/app`),
    "it is text",
    "a `Pool` of the package `pg`",
    "postgresAdapter(new pg.Pool({ connectionString }))",
  ),
  stopped(
    "postgresAdapter() is given nothing",
    () => ANY.postgresAdapter(),
    "it is undefined",
    "a `Pool` of the package `pg`",
  ),
  stopped(
    "postgresAdapter() is given a class",
    () => ANY.postgresAdapter(class Pool {}),
    "it is a class",
    "new pg.Pool",
  ),
  stopped(
    "postgresAdapter() is given a promise",
    () => ANY.postgresAdapter(Promise.resolve({})),
    "a promise",
    "`await` it",
  ),
  stopped(
    "postgresAdapter() is given options",
    () => ANY.postgresAdapter({ connectionString: `postgres://me:${SECRET}@localhost/app` }),
    "a `Pool` of the package `pg`",
    "new pg.Pool",
  ),
  stopped(
    "mysqlAdapter() is given an address",
    () => ANY.mysqlAdapter(`mysql://me:${SECRET}@localhost/app`),
    "it is text",
    "a pool of the package `mysql2`",
    "mysqlAdapter(mysql.createPool(url))",
  ),
  stopped(
    "mysqlAdapter() is given one connection",
    () => ANY.mysqlAdapter({ execute() {}, query() {}, beginTransaction() {} }),
    "one connection cannot be shared by two requests",
    "mysqlAdapter(mysql.createPool(url))",
  ),
  stopped(
    "mysqlAdapter() is given a promise",
    () => ANY.mysqlAdapter(Promise.resolve({})),
    "a promise",
    "`await` it",
  ),
  stopped(
    "mysqlAdapter() is given a pool of PostgreSQL",
    () => ANY.mysqlAdapter({ query() {}, connect() {}, totalCount: 0 }),
    "a pool of `pg` is for `postgresAdapter()`",
    "a pool of the package `mysql2`",
  ),
  stopped("sqliteAdapter() is given nothing", () => ANY.sqliteAdapter(), "it is undefined", '"auth.db"'),
  stopped("sqliteAdapter() is given an empty text", () => ANY.sqliteAdapter(""), "an empty text", '"auth.db"'),
  stopped(
    "sqliteAdapter() is given a URL",
    () => ANY.sqliteAdapter(new URL("file:///auth.db")),
    "a URL",
    "`fileURLToPath()`",
  ),
  stopped(
    "sqliteAdapter() is given the address of a server",
    () => ANY.sqliteAdapter(`libsql://${SECRET}.example.com`),
    'the scheme "libsql"',
    '"auth.db"',
  ),
  stopped(
    "sqliteAdapter() is given options",
    () => ANY.sqliteAdapter({ filename: "auth.db" }),
    "it is an object",
    "`DatabaseSync`",
  ),
  stopped(
    "denoKvAdapter() is given a promise",
    () => ANY.denoKvAdapter(Promise.resolve({})),
    "a promise",
    "`await` it",
    "await Deno.openKv()",
  ),
  stopped("denoKvAdapter() is given nothing", () => ANY.denoKvAdapter(), "it is undefined", "await Deno.openKv()"),
]);
