/** Applications on SQLite that take this library's adapter in place of Auth.js's. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DrizzleAdapter } from "@auth/drizzle-adapter";
import { PrismaAdapter } from "@auth/prisma-adapter";
import { createClient } from "@libsql/client";
import { asc, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { sqliteAdapter } from "../../adapters/sqlite.ts";
import { SQLITE_PASSKEYS, SQLITE_TABLES } from "../_support/foreign_adapters.ts";
import { switchStorage } from "../_support/switched_storage.ts";
import { openPrisma } from "./sqlite_connections.ts";
import { temporaryFile } from "./temporary.ts";

const user = sqliteTable("user", {
  id: text("id").primaryKey(),
  name: text("name"),
  email: text("email"),
  emailVerified: integer("emailVerified", { mode: "timestamp_ms" }),
});

test("an application with @auth/drizzle-adapter on libSQL switches by one line, and nobody is signed out", async () => {
  const { path, remove } = await temporaryFile("auth.db");
  const client = createClient({ url: `file:${path}` });
  await client.executeMultiple(SQLITE_TABLES + SQLITE_PASSKEYS);
  const db = drizzle(client);
  await switchStorage({
    theirs: DrizzleAdapter(db),
    ours: sqliteAdapter(db),
    people: () => db.select().from(user).orderBy(asc(user.name)),
  });
  await db.transaction(async (transaction) => {
    await transaction.update(user).set({ name: "Ada Lovelace" }).where(sql`name = 'Ada'`);
  });
  assert.deepEqual((await db.select().from(user).orderBy(asc(user.name))).map(({ name }) => name), [
    "Ada Lovelace",
    "Bob",
  ]);
  client.close();
  await remove();
});

test("an application with @auth/prisma-adapter on SQLite switches by one line, and nobody is signed out", async () => {
  const { client: prisma, close } = await openPrisma();
  const adapter = sqliteAdapter(prisma);
  await switchStorage({
    theirs: PrismaAdapter(prisma as never),
    ours: adapter,
    people: () => prisma.user.findMany({ orderBy: { name: "asc" } }),
  });
  const all = await prisma.user.findMany({ orderBy: { name: "asc" }, include: { accounts: true, sessions: true } });
  assert.deepEqual(all.map(({ accounts, sessions }) => [accounts.length, sessions.length]), [[1, 1], [1, 1]]);
  const [session] = all[0]?.sessions ?? [];
  assert.ok(session && session.expires.getTime() > Date.now() + 86_400_000, "Prisma reads the date");
  // Dates are text here, and are compared as text.
  assert.equal(await prisma.session.count({ where: { expires: { gt: new Date() } } }), 2);
  const verified = new Date(1_700_000_000_123);
  await prisma.user.update({ where: { id: session.userId }, data: { emailVerified: verified } });
  assert.deepEqual((await adapter.getUser(session.userId))?.emailVerified, verified);
  const later = new Date(session.expires.getTime() + 1);
  await adapter.updateSession({ sessionToken: session.sessionToken, expires: later });
  const { expires } = await prisma.session.findUniqueOrThrow({ where: { sessionToken: session.sessionToken } });
  assert.deepEqual(expires, later);
  await close();
});
