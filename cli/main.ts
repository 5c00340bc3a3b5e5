/**
 * The command `npx @x/auth`, and each of its subcommands as a function. It does not load your application.
 *
 * @example Usage
 * ```sh
 * npx @x/auth schema prisma --dialect postgres
 * npx @x/auth schema drizzle --dialect sqlite --missing
 * npx @x/auth schema sql --dialect postgres --schema auth --tables users=people
 * ```
 *
 * @module
 */
import process from "node:process";
import { AuthError } from "../src/kernel/auth_error.ts";
import { schemaCommand } from "./schema/command.ts";

export type { TableId } from "../adapters/sql/schema.ts";
export { drizzleSchema } from "./schema/drizzle.ts";
export type { ModelOptions, SchemaOptions, SqlDialect } from "./schema/options.ts";
export { prismaSchema } from "./schema/prisma.ts";
export { sqlSchema } from "./schema/sql.ts";

/** What a command has to say, and how it ended. */
export interface CommandResult {
  /** 0 if it did what it was asked for, 2 if an argument is wrong. */
  readonly code: number;
  /** What belongs on the standard output. */
  readonly output: string;
  /** What belongs on the standard error. */
  readonly error: string;
}

interface Command {
  readonly summary: string;
  readonly run: (args: readonly string[]) => string;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  schema: { summary: "prints the tables: as models of Prisma, as tables of Drizzle, as SQL", run: schemaCommand },
};

/**
 * Runs the command with its arguments. It writes nothing.
 *
 * @example Usage
 * ```ts
 * import { runCommand } from "@x/auth/cli";
 * import assert from "node:assert/strict";
 *
 * const { code, output } = runCommand(["schema", "sql", "--dialect", "sqlite"]);
 *
 * assert.equal(code, 0);
 * assert.match(output, /create table/);
 * ```
 *
 * @param args The arguments after the name of the command.
 * @returns What to write where, and the exit code.
 */
export function runCommand(args: readonly string[]): CommandResult {
  const [name, ...rest] = args;
  if (name === undefined || name === "--help" || name === "-h") return { code: 0, output: helpText(), error: "" };
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) return wrong(`Unknown command "${name}": the commands are ${Object.keys(COMMANDS).join(", ")}`);
  try {
    return { code: 0, output: command.run(rest), error: "" };
  } catch (error) {
    if (error instanceof AuthError) return wrong(error.message, name);
    throw error;
  }
}

/** Runs the command with the arguments of the process, writes what it says, and sets the exit code. */
export function main(): void {
  const { code, output, error } = runCommand(process.argv.slice(2));
  process.stdout.write(output);
  process.stderr.write(error);
  process.exitCode = code;
}

function wrong(message: string, name = ""): CommandResult {
  const help = ["npx @x/auth", name, "--help"].filter(Boolean).join(" ");
  return { code: 2, output: "", error: `${message}\nSee ${help}\n` };
}

function helpText(): string {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name}  ${summary}\n`);
  return `Usage: npx @x/auth COMMAND [options]\n\n${rows.join("")}\nEach has its own help: npx @x/auth schema --help\n`;
}

if (import.meta.main) main();
