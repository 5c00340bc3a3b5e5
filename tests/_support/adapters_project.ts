/**
 * The project in `tests/adapters`: packages that are too heavy to be installed with the others.
 *
 * @module
 */

/** Where it is. */
export const ADAPTERS_FOLDER = "tests/adapters";

const ENVIRONMENT = {
  // The command of Prisma downloads this engine although it does not need it here, and it is no package of npm.
  PRISMA_SCHEMA_ENGINE_BINARY: Deno.execPath(),
  PRISMA_HIDE_UPDATE_MESSAGE: "1",
  CHECKPOINT_DISABLE: "1",
  // TypeORM would make its tables again at every call.
  NODE_ENV: "production",
  NO_COLOR: "1",
};

/** Schemas of Prisma whose clients are generated. */
const SCHEMAS = [
  "schema.prisma",
  "schema_mysql.prisma",
  "schema_sqlite.prisma",
  "mapped.prisma",
  "template.prisma",
  "template_mysql.prisma",
];

/** What a command did and wrote. */
export interface Outcome {
  readonly success: boolean;
  readonly text: string;
}

/** Runs Deno in the project. */
export async function runInAdapters(...args: readonly string[]): Promise<Outcome> {
  const options: Deno.CommandOptions = { args: [...args], cwd: ADAPTERS_FOLDER, env: ENVIRONMENT, stdin: "null" };
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), options).output();
  const decoder = new TextDecoder();
  return { success, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

/** Installs its packages and generates its clients. Gives what the command wrote that failed, else `null`. */
export async function installAdapters(): Promise<string | null> {
  // One client is generated into the folder of another one, which Prisma does not expect to be there before.
  await Deno.remove(`${ADAPTERS_FOLDER}/generated`, { recursive: true }).catch(() => {});
  const generate = SCHEMAS.map((schema) => ["run", "-A", "npm:prisma", "generate", "--schema", schema]);
  for (const args of [["install", "--frozen"], ...generate]) {
    const { success, text } = await runInAdapters(...args);
    if (!success) return text;
  }
  return null;
}
