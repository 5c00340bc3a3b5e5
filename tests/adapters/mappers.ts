/** Object-relational mappers: TypeORM, Sequelize and MikroORM. */
import "reflect-metadata";
import { defaultEntities, MikroOrmAdapter } from "@auth/mikro-orm-adapter";
import SequelizeAdapter from "@auth/sequelize-adapter";
import { entities, getManager, TypeORMAdapter } from "@auth/typeorm-adapter";
import { MikroORM } from "@mikro-orm/core";
import pg from "pg";
import { Sequelize } from "sequelize";
import initSqlJs from "sql.js";
import type { ConfiguredAdapter, Opened } from "../_support/foreign_adapters.ts";
import { EMPTY_SCHEMA } from "../_support/postgres.ts";

let typeorm: ConfiguredAdapter | null = null;

/** Opens TypeORM on SQLite in WebAssembly. The adapter keeps one connection for ever, so its tables are emptied. */
export async function openTypeOrm(): Promise<Opened> {
  typeorm ??= TypeORMAdapter({
    type: "sqljs",
    driver: await initSqlJs(),
    synchronize: true,
    logging: false,
  } as never) as ConfiguredAdapter;
  await typeorm.getUserByEmail?.("nobody@example.com");
  const manager = await getManager({ dataSource: "", entities });
  for (const table of ["accounts", "sessions", "users", "verification_tokens"]) {
    await manager.query(`delete from ${table}`);
  }
  return { adapter: typeorm, close: () => {} };
}

/** Opens Sequelize on PostgreSQL. */
export async function openSequelize(url: string): Promise<Opened> {
  await emptyDatabase(url);
  const client = new Sequelize(url, { logging: false });
  const adapter = SequelizeAdapter(client, { synchronize: false }) as ConfiguredAdapter;
  for (const name of ["user", "account", "session", "verificationToken"]) await client.model(name).sync();
  return { adapter, close: () => client.close() };
}

/** Opens MikroORM on PostgreSQL. */
export async function openMikroOrm(url: string): Promise<Opened> {
  await emptyDatabase(url);
  const options = { type: "postgresql", clientUrl: url, entities: Object.values(defaultEntities) } as const;
  const schema = await MikroORM.init({ ...options, entities: [...options.entities] });
  await schema.getSchemaGenerator().createSchema();
  await schema.close();
  const adapter = MikroOrmAdapter({ ...options, entities: [...options.entities] }) as ConfiguredAdapter & {
    __disconnect(): Promise<void>;
  };
  return { adapter, close: () => adapter.__disconnect() };
}

async function emptyDatabase(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  await pool.query(EMPTY_SCHEMA);
  await pool.end();
}
