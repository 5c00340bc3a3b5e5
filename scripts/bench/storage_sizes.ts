/**
 * What storage in PostgreSQL takes: the sizes of tables and indexes with so many users, and the statements of an
 * operation. `deno run -A scripts/bench/storage_sizes.ts [users]`, where PostgreSQL is installed.
 *
 * @module
 */
import process from "node:process";
import pg from "pg";
import { postgresAdapter } from "../../adapters/postgres.ts";
import { findPostgres, startPostgres } from "../../tests/_support/postgres.ts";
import { printLine } from "../print.ts";

const users = Number(process.argv[2] ?? 1_000_000);

/** Rows as the service writes them: an account and two sessions for each user, and a passkey for each fourth. */
const ROWS = [
  `insert into users (id, name, email, "emailVerified")
    select md5(n::text)::uuid::text, 'Ada Lovelace', 'ada' || n || '@example.com', now() from generate_series(1, $1) n`,
  `insert into accounts ("userId", type, provider, "providerAccountId", scope, extra)
    select md5(n::text)::uuid::text, 'oidc', 'google', (100000000000000000000 + n)::text, 'openid profile email',
      '{"email":"ada@example.com","email_verified":true}' from generate_series(1, $1) n`,
  `insert into sessions ("sessionToken", "userId", expires, provider)
    select encode(sha256((n || '-' || m)::bytea), 'hex'), md5(n::text)::uuid::text, now() + interval '30 days', 'google'
    from generate_series(1, $1) n, generate_series(1, 2) m`,
  `insert into authenticators ("credentialID", "userId", "providerAccountId", "credentialPublicKey", counter,
      "credentialDeviceType", "credentialBackedUp", transports)
    select md5('c' || n), md5(n::text)::uuid::text, md5('c' || n), repeat('k', 103), 0, 'multiDevice', true, 'internal'
    from generate_series(1, $1, 4) n`,
];

const SIZES = `
  select c.relname as name, pg_relation_size(c.oid) as size, c.relkind = 'i' as "isIndex"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind in ('r', 'i') and pg_relation_size(c.oid) > 65536 order by c.relname`;

async function measure(pool: pg.Pool): Promise<void> {
  await postgresAdapter(pool).migrate();
  for (const sql of ROWS) await pool.query(sql, [users]);
  await pool.query("vacuum full");
  const { rows } = await pool.query(SIZES);
  let total = 0;
  for (const { name, size, isIndex } of rows) {
    total += Number(size);
    printLine(`${isIndex ? "index" : "table"} ${name}: ${(Number(size) / users).toFixed(0)} bytes a user`);
  }
  printLine(`all: ${(total / users).toFixed(0)} bytes a user, ${(total / 2 ** 30).toFixed(2)} GiB for ${users}`);
}

const server = await startPostgres(findPostgres());
const pool = new pg.Pool({ connectionString: server.url });
try {
  await measure(pool);
} finally {
  await pool.end();
  await server.stop();
}
