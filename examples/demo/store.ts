/**
 * Opens the storage for users, accounts, sessions and tokens.
 *
 * @module
 */
import type { CompleteAdapter } from "@x/auth";

/** The kinds of storage to choose from, with `--store`. */
export const STORES = ["sqlite", "memory", "kv", "postgres"] as const;

/** A kind of storage. */
export type StoreName = typeof STORES[number];

/** Opened storage. */
export interface Store {
  readonly adapter: CompleteAdapter;
  /** Where the records are, for the introduction. */
  readonly where: string;
}

const FOLDER = "demo-data";

/** Opens storage. Loads only the adapter that is chosen. */
export async function openStore(name: StoreName): Promise<Store> {
  switch (name) {
    case "memory": {
      const { memoryAdapter } = await import("@x/auth/adapters/memory");
      return { adapter: memoryAdapter(), where: "in memory, until this program stops" };
    }
    case "sqlite": {
      const { sqliteAdapter } = await import("@x/auth/adapters/sqlite");
      return { adapter: sqliteAdapter(fileFor("auth.db")), where: `in ${FOLDER}/auth.db, a SQLite file` };
    }
    case "kv": {
      const { denoKvAdapter } = await import("@x/auth/adapters/deno-kv");
      return { adapter: denoKvAdapter(await Deno.openKv(fileFor("auth.kv"))), where: `in ${FOLDER}/auth.kv, Deno KV` };
    }
    case "postgres":
      return await openPostgres();
    default:
      return name satisfies never;
  }
}

function fileFor(name: string): string {
  Deno.mkdirSync(FOLDER, { recursive: true });
  return `${FOLDER}/${name}`;
}

async function openPostgres(): Promise<Store> {
  const url = Deno.env.get("DATABASE_URL") ?? "postgres://localhost/postgres";
  const [{ postgresAdapter }, { default: pg }] = await Promise.all([
    import("@x/auth/adapters/postgres"),
    import("pg"),
  ]);
  const adapter = postgresAdapter(new pg.Pool({ connectionString: url }));
  await adapter.migrate();
  const { host, pathname } = new URL(url);
  return { adapter, where: `in the PostgreSQL database ${host}${pathname}` };
}
