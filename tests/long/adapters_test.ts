/** The adapters of Auth.js whose packages are heavy: a project of its own, installed when this test runs. */
import assert from "node:assert/strict";
import { test } from "node:test";

const FOLDER = "tests/adapters";

const ENVIRONMENT = {
  // The command of Prisma downloads this engine although it does not need it here, and it is no package of npm.
  PRISMA_SCHEMA_ENGINE_BINARY: Deno.execPath(),
  PRISMA_HIDE_UPDATE_MESSAGE: "1",
  CHECKPOINT_DISABLE: "1",
  // TypeORM would make its tables again at every call.
  NODE_ENV: "production",
  NO_COLOR: "1",
};

/** Runs Deno in the project; the answer is what it wrote. */
async function run(...args: readonly string[]): Promise<{ readonly success: boolean; readonly text: string }> {
  const command = new Deno.Command(Deno.execPath(), { args: [...args], cwd: FOLDER, env: ENVIRONMENT, stdin: "null" });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { success, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

/** Schemas of Prisma whose clients are generated. */
const SCHEMAS = [
  "schema.prisma",
  "schema_mysql.prisma",
  "schema_sqlite.prisma",
  "mapped.prisma",
  "template.prisma",
  "template_mysql.prisma",
];

/** Files with tests. */
const TESTS = [
  "suite.ts",
  "postgres_connections.ts",
  "mysql_connections.ts",
  "sqlite_suite.ts",
  "prisma_names.ts",
  "printed_schemas.ts",
  "switched_storage.ts",
  "switched_storage_mysql.ts",
];

/** Files whose clients must fit the types of our adapters. The others load what is not declared for this project. */
const TYPED = ["mysql_connections.ts", "postgres_connections.ts", "sqlite_connections.ts"];

async function install(): Promise<string | null> {
  // One client is generated into the folder of another one, which Prisma does not expect to be there before.
  await Deno.remove(`${FOLDER}/generated`, { recursive: true }).catch(() => {});
  const generate = SCHEMAS.map((schema) => ["run", "-A", "npm:prisma", "generate", "--schema", schema]);
  for (const args of [["install", "--frozen"], ...generate]) {
    const { success, text } = await run(...args);
    if (!success) return text;
  }
  return null;
}

test("people sign in over every adapter of Auth.js that can run here, as in Auth.js", async (t) => {
  const problem = await install();
  if (problem) {
    const message = `*** The adapters of Auth.js did not run, because they cannot be installed: ${problem}`;
    assert.notEqual(Deno.env.get("CI"), "true", message);
    await Deno.stderr.write(new TextEncoder().encode(`\n${message}\n\n`));
    return t.skip(message);
  }
  const checks = [["fmt", "--check", "--ignore=generated"], ["lint", "--ignore=generated"], ["check", ...TYPED]];
  for (const args of checks) {
    const { success, text } = await run(...args);
    assert.ok(success, text);
  }
  const { success, text } = await run("test", "--frozen", "--no-check", "--allow-all", ...TESTS);
  assert.ok(success, text.slice(text.indexOf(" ERRORS ")));
  const [, steps = "0"] = /\((\d+) steps\)/.exec(text) ?? [];
  assert.ok(Number(steps) > 200, `only ${steps} stories were told: ${text}`);
});
