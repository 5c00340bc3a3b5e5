/** What `npx @x/auth schema` prints, judged by Prisma and Drizzle: databases made of it are used as they are. */
import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { after, before, beforeEach, describe, test } from "node:test";
import { getTableConfig } from "drizzle-orm/pg-core";
import mysql from "mysql2/promise";
import pg from "pg";
import { conformanceCases } from "../../adapters/conformance.ts";
import { mysqlAdapter } from "../../adapters/mysql.ts";
import { postgresAdapter } from "../../adapters/postgres.ts";
import { sqliteAdapter } from "../../adapters/sqlite.ts";
import { MODEL_NAMES } from "../../adapters/sql/found_names.ts";
import { SQLITE_NAMES } from "../../adapters/sql/sqlite_schema.ts";
import { prismaSchema, type SqlDialect } from "../../cli/main.ts";
import { drizzleStatements } from "../_support/drizzle_statements.ts";
import { findMariadb, type MariadbServer, skipsWithoutMariadb, startMariadb } from "../_support/mariadb.ts";
import {
  EMPTY_SCHEMA,
  findPostgres,
  type PostgresServer,
  skipsWithoutPostgres,
  startPostgres,
} from "../_support/postgres.ts";
import { prismaStatements } from "../_support/prisma_statements.ts";
import * as drizzleTables from "../unit/cli/schema/_printed/postgres.ts";

const FOLDER = "generated/printed";

const PROVIDERS: Readonly<Record<SqlDialect, string>> = { postgres: "postgresql", mysql: "mysql", sqlite: "sqlite" };

/** The engines that the command of Prisma would download, and does not need: this one is no engine. */
const ENVIRONMENT = {
  PRISMA_QUERY_ENGINE_LIBRARY: Deno.execPath(),
  PRISMA_SCHEMA_ENGINE_BINARY: Deno.execPath(),
  PRISMA_HIDE_UPDATE_MESSAGE: "1",
  CHECKPOINT_DISABLE: "1",
  NO_COLOR: "1",
};

/** Runs the command of Prisma, and gives what it writes. @throws {Error} with what it wrote, if it fails. */
async function prisma(args: readonly string[]): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "npm:prisma", ...args],
    env: ENVIRONMENT,
    stdin: "null",
  });
  const { success, stdout, stderr } = await command.output();
  const [output = "", error = ""] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert.ok(success, `${output}\n${error}`);
  return output;
}

/** Writes a file of models. */
async function writeModels(name: string, dialect: SqlDialect, models: string, source = ""): Promise<string> {
  const path = `${FOLDER}/${name}.prisma`;
  const url = `provider = "${PROVIDERS[dialect]}"\n  url      = "file:none"`;
  await writeFile(path, `datasource db {\n  ${url}${source}\n}\n\n${models}`);
  return path;
}

/** How the configuration of Prisma makes the adapter of a driver. */
interface Driver {
  readonly from: string;
  readonly make: string;
}

/** Lets Prisma write the statements that lead from some models to others. */
async function statementsOf(driver: Driver, from: string | null, to: string): Promise<string> {
  const config = `${FOLDER}/prisma.config.ts`;
  const [name = ""] = driver.make.split("(");
  await writeFile(
    config,
    `import { defineConfig } from "prisma/config";
     import { ${name} } from "${driver.from}";
     const adapter = () => Promise.resolve(new ${driver.make});
     export default defineConfig({ engine: "js", experimental: { adapter: true }, adapter });`,
  );
  const start = from === null ? ["--from-empty"] : ["--from-schema-datamodel", from];
  return await prisma(["migrate", "diff", ...start, "--to-schema-datamodel", to, "--script", "--config", config]);
}

/** Moves the lines that `--missing` prints into the models that they are for. */
function withMissing(models: string, missing: string): string {
  const [first = "", ...parts] = missing.split("// Add to model ");
  assert.equal(first, "");
  return parts.reduce((text, part) => {
    const [comments = "", ...whole] = part.split(/(?=^(?:model|\/\/ After))/m);
    const [head = "", ...lines] = comments.split("\n").map((line) => line.replace(/^\/\/ ?/, ""));
    const start = text.indexOf(`model ${head.replace(":", "")} {`);
    const end = text.indexOf("}", start);
    return text.slice(0, end) + lines.join("\n") + text.slice(end) + whole.join("");
  }, models);
}

before(() => mkdir(FOLDER, { recursive: true }));
after(() => rm(FOLDER, { recursive: true, force: true }));

describe("prismaSchema()", () => {
  for (const dialect of Object.keys(PROVIDERS) as SqlDialect[]) {
    test(`prints models that Prisma accepts and has nothing to format in: ${dialect}`, async () => {
      await prisma(["format", "--check", "--schema", await writeModels(dialect, dialect, prismaSchema({ dialect }))]);
    });
  }

  test("prints models of other tables in another schema", async () => {
    const models = prismaSchema({ dialect: "postgres", schema: "auth", tables: { users: "people", records: "notes" } });
    const path = await writeModels("mapped", "postgres", models, `\n  schemas  = ["auth"]`);
    await prisma(["format", "--check", "--schema", path]);
  });

  test("makes tables of SQLite that the adapter uses and does not change", async () => {
    const schema = await writeModels("file", "sqlite", prismaSchema({ dialect: "sqlite" }));
    const driver = { from: "@prisma/adapter-libsql", make: 'PrismaLibSQL({ url: ":memory:" })' };
    const file = new DatabaseSync(":memory:");
    file.exec(await statementsOf(driver, null, schema));
    const layout = () => file.prepare("select name, sql from sqlite_master order by name").all();
    const before = layout();
    assert.ok(before.length > 15);
    const adapter = sqliteAdapter(file, { tables: MODEL_NAMES });
    await adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: null });
    await adapter.putRecord({ kind: "k", id: "1", userId: "ada", group: "g", version: 0, expires: null, data: {} });
    assert.equal((await adapter.listRecords({ kind: "k", userId: "ada", limit: 9 })).length, 1);
    assert.deepEqual(layout(), before);
    file.close();
  });
});

const bin = findPostgres();
const skip = skipsWithoutPostgres(bin, "The tests of printed schemas on PostgreSQL");

describe("a database of PostgreSQL that was made of what is printed", { skip }, () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  before(async () => {
    server = await startPostgres(bin);
    pool = new pg.Pool({ connectionString: server.url, max: 4 });
  });
  after(async () => {
    await pool.end();
    await server.stop();
  });
  beforeEach(async () => void await pool.query(EMPTY_SCHEMA));

  const driver = () => {
    // An idle connection would keep the command of Prisma from ending.
    const options = JSON.stringify({ connectionString: server.url, idleTimeoutMillis: 1 });
    return { from: "@prisma/adapter-pg", make: `PrismaPg(${options})` };
  };

  /** Runs every case of conformance without `migrate()`. */
  async function conforms(names: Readonly<Record<string, string>>): Promise<void> {
    const clear = Object.values(names).map((name) => `delete from "${name}"`).join("; ");
    const open = async () => {
      let clock = Date.UTC(2031, 0, 1);
      await pool.query(clear);
      return {
        adapter: postgresAdapter(pool, { tables: names, now: () => clock }),
        now: { set: (milliseconds: number) => void (clock = milliseconds) },
      };
    };
    for (const { name, run } of conformanceCases(open)) {
      await Promise.resolve(run()).catch((error: unknown) => assert.fail(`${name}: ${error}`));
    }
  }

  /** Runs the statements that the comments ask for. */
  async function runNotes(printed: string): Promise<void> {
    const notes = [...printed.matchAll(/^\/\/ After .*, run: (.+)$/gm)].map(([, sql = ""]) => sql);
    assert.equal(notes.length, 1);
    for (const note of notes) await pool.query(note);
  }

  test("as models of Prisma", async () => {
    const models = prismaSchema({ dialect: "postgres" });
    await pool.query(await statementsOf(driver(), null, await writeModels("whole", "postgres", models)));
    await runNotes(models);
    await conforms(MODEL_NAMES);
  });

  test("as what the models of Auth.js lack, with the rows that they have", async () => {
    const text = await readFile("schema.prisma", "utf8");
    const authjs = text.slice(text.indexOf("model User"));
    const before = await writeModels("authjs", "postgres", authjs);
    await pool.query(await statementsOf(driver(), null, before));
    await pool.query(`insert into "User" (id, email) values ('ada', 'ada@example.com')`);
    const missing = prismaSchema({ dialect: "postgres", missing: true });
    const after = await writeModels("missing", "postgres", withMissing(authjs, missing));
    await pool.query(await statementsOf(driver(), before, after));
    await runNotes(missing);
    const adapter = postgresAdapter(pool, { tables: MODEL_NAMES });
    assert.equal((await adapter.getUserByEmail("ada@example.com"))?.id, "ada");
    const session = {
      sessionToken: "s",
      userId: "ada",
      expires: new Date("2100-01-01"),
      provider: "p",
      providerSid: "1",
    };
    await adapter.createSession(session);
    assert.deepEqual(await adapter.listSessionsByProviderSid({ provider: "p", sid: "1" }), [session]);
    assert.ok(await adapter.once("key", session.expires));
    await adapter.putRecord({
      kind: "k",
      id: "1",
      userId: "ada",
      group: null,
      version: 0,
      expires: null,
      data: { a: 1 },
    });
    assert.deepEqual((await adapter.getRecord({ kind: "k", id: "1" }))?.data, { a: 1 });
  });

  test("as tables of Drizzle", async () => {
    const { users, ...others } = drizzleTables;
    for (const table of [users, ...Object.values(others)]) {
      for (const statement of drizzleStatements(getTableConfig(table))) await pool.query(statement);
    }
    await runNotes(await readFile("../unit/cli/schema/_printed/postgres.ts", "utf8"));
    await conforms(SQLITE_NAMES);
  });
});

const mariadb = findMariadb();
const skipMariadb = skipsWithoutMariadb(mariadb, "The tests of printed schemas on MariaDB");

/** Cases whose ids a unique index takes for the same: Prisma makes tables with a collation that folds case. */
const FOLDED = new RegExp(
  [
    "differ by (?:case|a space at the end|composition|folding|the second half)",
    "listRecords\\(\\) lists .+, by id:",
    "Buckets of different keys are",
  ].join("|"),
);

/** Cases of what the types of Auth.js's models cannot hold: no address, ids of 256 characters, large numbers. */
const UNHELD = new RegExp(
  [
    "Several users can have no address: .+'email' cannot be null",
    "commit\\(\\) moves an address from one user to a new one: .+'email' cannot be null",
    "differ by the 256th character: .+ too long",
    "(?:linkAccount|createAuthenticator)\\(\\) stores .+: Out of range",
  ].join("|"),
);

describe("a database of MariaDB that was made of models that are printed", { skip: skipMariadb }, () => {
  let server: MariadbServer;
  let pool: mysql.Pool;
  before(async () => {
    server = await startMariadb(mariadb);
    pool = mysql.createPool({ uri: server.url, connectionLimit: 1, multipleStatements: true });
  });
  after(async () => {
    await pool.end();
    await server.stop();
  });
  beforeEach(async () => void await pool.query("drop database tests; create database tests; use tests"));

  /** Makes the tables, and names the cases that fail in them without `migrate()`. */
  async function failedCases(models: string): Promise<string[]> {
    for (const statement of prismaStatements(models)) await pool.query(statement);
    const clear = Object.values(MODEL_NAMES).map((name) => `delete from ${name}`).join("; ");
    const failed: string[] = [];
    const open = async () => {
      let clock = Date.UTC(2031, 0, 1);
      await pool.query(`set foreign_key_checks = 0; ${clear}; set foreign_key_checks = 1`);
      return {
        adapter: mysqlAdapter(pool, { tables: MODEL_NAMES, now: () => clock }),
        now: { set: (milliseconds: number) => void (clock = milliseconds) },
      };
    };
    for (const { name, run } of conformanceCases(open)) {
      await Promise.resolve(run()).catch((error: unknown) => failed.push(`${name}: ${error}`));
    }
    return failed;
  }

  test("keeps every promise but for ids that differ by case alone", { timeout: 120_000 }, async () => {
    const failed = await failedCases(prismaSchema({ dialect: "mysql" }));
    assert.deepEqual(failed.filter((text) => !FOLDED.test(text)), []);
  });

  test("does so with the models of Auth.js and what they lack, as far as their types go", async () => {
    const text = await readFile("schema_mysql.prisma", "utf8");
    const models = withMissing(
      text.slice(text.indexOf("model User")),
      prismaSchema({ dialect: "mysql", missing: true }),
    );
    await prisma(["format", "--schema", await writeModels("missing_mysql", "mysql", models)]);
    const failed = await failedCases(models);
    assert.deepEqual(failed.filter((text) => !FOLDED.test(text) && !UNHELD.test(text)), []);
  });
});
