/**
 * Where sessions are kept.
 *
 * @module
 */
import type { Adapter } from "@x/auth";
import type { PgPool } from "@x/auth/adapters/postgres";
import process from "node:process";
import { load } from "../packages.ts";
import { mapAdapter } from "./map_adapter.ts";
import { freshFile, type StoreName } from "./side.ts";

/** The environment variable with the URL of the PostgreSQL server. */
export const DATABASE = "BENCH_DATABASE";

/** Opens a place to keep sessions in. */
export async function openStore(store: StoreName): Promise<Adapter> {
  switch (store) {
    case "map":
      return mapAdapter();
    case "sqlite":
      return (await import("@x/auth/adapters/sqlite")).sqliteAdapter(freshFile());
    case "pg":
      return await inPostgres(await openPool());
    case "kv":
      return (await import("@x/auth/adapters/deno-kv")).denoKvAdapter(await Deno.openKv(freshFile()));
    default:
      return store satisfies never;
  }
}

/** A statement that `pg` prepares under its name. */
interface NamedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly string[];
}

/** A pool of `pg`, which takes a statement as an object, too. */
export interface NamingPool extends PgPool {
  /** Runs a statement on any connection. */
  query(statement: string | NamedStatement, values?: (string | null)[]): Promise<{ rows: unknown[] }>;
}

interface Pg {
  readonly default: { readonly Pool: new (options: { readonly connectionString: string }) => NamingPool };
}

/** Connects with the driver `pg`. */
export async function openPool(): Promise<NamingPool> {
  const { default: pg } = await load<Pg>("pg");
  return new pg.Pool({ connectionString: databaseUrl() });
}

async function inPostgres(driver: PgPool): Promise<Adapter> {
  const adapter = (await import("@x/auth/adapters/postgres")).postgresAdapter(driver);
  await adapter.migrate();
  return adapter;
}

function databaseUrl(): string {
  const url = process.env[DATABASE];
  if (!url) throw new Error(`Cannot use PostgreSQL: ${DATABASE} has no URL`);
  return url;
}
