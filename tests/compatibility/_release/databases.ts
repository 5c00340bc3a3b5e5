/**
 * Databases with rows of each kind, filled by a release, and opened by this or another one without a migration.
 *
 * @module
 */
import { copyFileSync, rmSync } from "node:fs";
import type { Adapter } from "@x/auth";
import type { Pool } from "pg";
import { denoKvAdapter } from "@x/auth/adapters/deno-kv";
import { postgresAdapter } from "@x/auth/adapters/postgres";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { Authenticator } from "../../_support/authenticator.ts";
import { clientOf } from "./client.ts";
import {
  ask,
  authenticate,
  come,
  leave,
  open,
  register,
  type Sends,
  type Serve,
  serviceOf,
  session,
} from "./values.ts";
import type { Value, World } from "./values.ts";

/** Where databases are: in a file, or at the URL of a server. */
export type Store = "sqlite" | "deno-kv" | "postgres";

interface Opened {
  readonly adapter: Adapter;
  close(): Promise<void> | void;
}

/** Opens a database as it is. */
async function openStore(store: Store, path: string, now: () => number): Promise<Opened> {
  if (store === "postgres") {
    const pool = await poolOf(path);
    return { adapter: postgresAdapter(pool, { now }), close: () => pool.end() };
  }
  if (store === "sqlite") {
    const adapter = sqliteAdapter(path, { now });
    return { adapter, close: () => adapter.close() };
  }
  const kv = await Deno.openKv(path);
  return { adapter: denoKvAdapter(kv, { now }), close: () => kv.close() };
}

async function poolOf(url: string): Promise<Pool> {
  const { Pool } = (await import("pg")).default;
  return new Pool({ connectionString: url, max: 2 });
}

/** Runs a statement for the server, which has no connection to the database itself. */
async function atServer(url: string, statement: (name: string) => string): Promise<void> {
  const { href, pathname } = new URL(url);
  const pool = await poolOf(String(new URL("/postgres", href)));
  await pool.query(statement(pathname.slice(1)));
  await pool.end();
}

/** Makes tables where nothing does so by itself. */
async function prepare(store: Store, path: string): Promise<void> {
  if (store !== "postgres") return;
  await atServer(path, (name) => `create database "${name}"`);
  const pool = await poolOf(path);
  await postgresAdapter(pool).migrate();
  await pool.end();
}

/** Copies a database. @returns where the copy is, and a function that removes it. */
async function copyOf(store: Store, path: string): Promise<{ copy: string; remove(): Promise<void> | void }> {
  if (store === "postgres") {
    const copy = `${path}_copy`;
    await atServer(path, (name) => `create database "${name}_copy" template "${name}"`);
    return { copy, remove: () => atServer(copy, (name) => `drop database "${name}"`) };
  }
  const copy = `${path}.copy`;
  copyFileSync(path, copy);
  const remove = (): void => ["", "-wal", "-shm"].forEach((end) => rmSync(copy + end, { force: true }));
  return { copy, remove };
}

interface Filler {
  readonly name: string;
  readonly service: string;
  fill(world: World): Promise<Sends>;
}

const device = new Authenticator({ origin: "http://localhost:3000" });

/** Signs out, and keeps a copy of the cookies. */
async function comeAndLeave(world: World): Promise<Sends> {
  const { client } = world;
  await come(world, "openid");
  const cookies = [...client.cookies];
  await client.post("/auth/signout");
  for (const [name, value] of cookies) client.cookies.set(name, value);
  return session;
}

/** Each is somebody else, or comes after the one before. */
const FILLERS: readonly Filler[] = [
  {
    name: "a stored session, and a user with a member of the application",
    service: "kept",
    fill: (world) => come(world, "openid"),
  },
  { name: "a user who comes again", service: "kept", fill: (world) => leave(world, "openid") },
  {
    name: "a stored session that has ended",
    service: "kept",
    fill: comeAndLeave,
  },
  { name: "a link by email", service: "kept", fill: async (world) => ({ path: await ask(world) }) },
  {
    name: "a passkey",
    service: "kept",
    async fill(world) {
      const { path, fields = {} } = await register(world, device);
      await world.client.send(path, { fields });
      await world.client.post("/auth/signout");
      return await authenticate(world, device);
    },
  },
  { name: "an encrypted session with a row", service: "kept, encrypted", fill: (world) => come(world, "openid") },
];

/** Fills a new database. @returns What a browser comes back with, and what is to come of it. */
export async function fillDatabase(serve: Serve, store: Store, path: string): Promise<Value[]> {
  const filled: Omit<Value, "expect">[] = [];
  await prepare(store, path);
  const { adapter, close } = await openStore(store, path, Date.now);
  for (const { name, service, fill } of FILLERS) {
    const links: string[] = [];
    const { origin, config } = serviceOf(service);
    const handler = serve(config({ now: Date.now, adapter, mail: (url) => void links.push(url) }), null);
    const client = clientOf(handler, origin);
    const sends = await fill({ client, links });
    filled.push({ name, service, at: Date.now(), cookies: Object.fromEntries(client.cookies), sends });
  }
  await close();
  const values: Value[] = [];
  for (const value of filled) values.push({ ...value, expect: await openIn(serve, store, path, value, null) });
  return values;
}

/** Opens a value in a copy of a database. */
export async function openIn(
  serve: Serve,
  store: Store,
  path: string,
  value: Omit<Value, "expect">,
  now: number | null = value.at,
): Promise<string> {
  const { copy, remove } = await copyOf(store, path);
  const { adapter, close } = await openStore(store, copy, now === null ? Date.now : () => now);
  try {
    return await open(serve, value, now, adapter);
  } finally {
    await close();
    await remove();
  }
}
