/**
 * Connections that cannot be used for SQLite, because they are for another database or have no transactions.
 *
 * @module
 */
import { isObject } from "../../src/kernel/objects.ts";

/** Says what to do with a connection that is not for SQLite; `null` if nothing speaks against it. */
export function otherDatabase(source: object): string | null {
  return ofPrisma(source) ?? ofDrizzle(source) ?? ofKysely(source) ?? ofDriver(source);
}

const FOR: Readonly<Record<string, string>> = {
  PostgreSQL: "pass it to `postgresAdapter()` of `@x/auth/adapters/postgres`",
  MySQL: "pass it to `mysqlAdapter()` of `@x/auth/adapters/mysql`",
};

function connected(what: string, database: string): string {
  return `it is ${what} for ${database}: ${FOR[database] ?? "use the adapter of Auth.js for it"}`;
}

const PRISMA: Readonly<Record<string, string>> = {
  postgresql: "PostgreSQL",
  postgres: "PostgreSQL",
  cockroachdb: "PostgreSQL",
  mysql: "MySQL",
  sqlserver: "SQL Server",
  mongodb: "MongoDB",
};

function ofPrisma(source: object): string | null {
  if (!("$queryRawUnsafe" in source)) return null;
  const database = PRISMA[String(member(source, "_activeProvider"))];
  if (database) return connected("a `PrismaClient`", database);
  const adapter = member(member(source, "_engineConfig"), "adapter");
  return member(adapter, "adapterName") === "@prisma/adapter-d1" ? D1 : null;
}

const D1 = "it is a `PrismaClient` on D1, whose transactions undo nothing: pass the database of `env` itself";

const DRIZZLE: Readonly<Record<string, string>> = { PgDialect: "PostgreSQL", MySqlDialect: "MySQL" };

function ofDrizzle(source: object): string | null {
  const dialect = member(source, "dialect");
  const kind = isObject(dialect) ? Reflect.get(dialect.constructor, Symbol.for("drizzle:entityKind")) : undefined;
  if (typeof kind !== "string") return null;
  const database = DRIZZLE[kind];
  if (database) return connected("a database of Drizzle", database);
  return isObject(member(source, "$client"))
    ? null
    : "it is a database of Drizzle without a `$client`: pass the connection";
}

function ofKysely(source: object): string | null {
  if (!("getExecutor" in source) || typeof source.getExecutor !== "function") return null;
  if (member(source, "isTransaction") === true) {
    return "it is a transaction of Kysely, which ends: pass the instance of Kysely";
  }
  const adapter = member(source.getExecutor(), "adapter");
  if (member(adapter, "supportsOutput") === true) return connected("an instance of Kysely", "SQL Server");
  if (member(adapter, "supportsTransactionalDdl") === true) return connected("an instance of Kysely", "PostgreSQL");
  return member(adapter, "supportsReturning") === false ? connected("an instance of Kysely", "MySQL") : null;
}

function ofDriver(source: object): string | null {
  const has = (...names: readonly string[]) => names.every((name) => typeof member(source, name) === "function");
  if (has("query", "connect") || has("unsafe", "begin")) return connected("a connection", "PostgreSQL");
  return has("query", "getConnection") ? connected("a connection", "MySQL") : null;
}

function member(source: unknown, name: string): unknown {
  const isOne = (typeof source === "object" && source !== null) || typeof source === "function";
  return isOne ? Reflect.get(source, name) : undefined;
}
