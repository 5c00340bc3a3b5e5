/** Adapters that were made of something else than a database. */
import { createAuth } from "@x/auth";
import { denoKvAdapter } from "@x/auth/adapters/deno-kv";
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
const ANY = { denoKvAdapter, postgresAdapter, sqliteAdapter } as unknown as Readonly<
  Record<"denoKvAdapter" | "postgresAdapter" | "sqliteAdapter", (source?: unknown) => unknown>
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
