/**
 * The command `npx @x/auth`, and each of its subcommands as a function. It does not load your application.
 *
 * @example Usage
 * ```sh
 * npx @x/auth schema prisma --dialect postgres
 * npx @x/auth schema drizzle --dialect sqlite --missing
 * npx @x/auth schema sql --dialect postgres --schema auth --tables users=people
 * npx @x/auth doctor https://example.com
 * npx @x/auth secret >> .env
 * ```
 *
 * @module
 */
import process from "node:process";
import { randomText } from "../src/crypto/random.ts";
import { AuthError } from "../src/kernel/auth_error.ts";
import { InvalidConfig } from "../src/kernel/errors.ts";
import { once } from "../src/kernel/load.ts";
import { systemRuntime } from "../src/kernel/runtime.ts";
import type { DoctorOptions, DoctorReport } from "./doctor/finding.ts";
import { schemaCommand } from "./schema/command.ts";

export type { TableId } from "../adapters/sql/schema.ts";
export type { CallbackUrl, DoctorOptions, DoctorReport, Finding, Level } from "./doctor/finding.ts";
export { drizzleSchema } from "./schema/drizzle.ts";
export type { ModelOptions, SchemaOptions, SqlDialect } from "./schema/options.ts";
export { prismaSchema } from "./schema/prisma.ts";
export { sqlSchema } from "./schema/sql.ts";

/** What a command has to say, and how it ended. */
export interface CommandResult {
  /** 0 if all is well, 1 for errors that `doctor` found, 2 for warnings, 64 if an argument is wrong. */
  readonly code: number;
  /** What belongs on the standard output. */
  readonly output: string;
  /** What belongs on the standard error. */
  readonly error: string;
}

/** Where a command runs. */
export interface CommandTerminal {
  /** Whether the standard output takes colours. @default {false} */
  readonly hasColors?: boolean | undefined;
  /** Told what a command does that takes a while: how many requests it has sent, and where the next one goes. */
  readonly progress?: ((requests: number, what: string) => void) | undefined;
}

type Said = Pick<CommandResult, "code" | "output">;

interface Command {
  readonly summary: string;
  readonly run: (args: readonly string[], terminal: CommandTerminal) => Said | Promise<Said>;
}

const doctoring = once(() => import("./doctor/command.ts"));

const COMMANDS: Readonly<Record<string, Command>> = {
  doctor: {
    summary: "asks a running site what is wrong with its sign-in",
    run: async (args, terminal) => await (await doctoring()).doctorCommand(args, terminal),
  },
  schema: {
    summary: "prints the tables: as models of Prisma, as tables of Drizzle, as SQL",
    run: (args) => ({ code: 0, output: schemaCommand(args) }),
  },
  secret: {
    summary: "prints a new AUTH_SECRET, as a line of .env",
    run: (args) => ({ code: 0, output: secretCommand(args) }),
  },
};

/** How a command ends whose argument is wrong, as `sysexits.h` has it. */
const WRONG_USAGE = 64;

/**
 * Asks a running site from outside what is wrong with its sign-in. It signs nobody in, and changes nothing.
 *
 * @example Usage
 * ```ts no-run
 * import { examine } from "@x/auth/cli";
 *
 * const { findings } = await examine("https://example.com");
 * for (const { level, id, says, fix } of findings) console.log(level, id, says, fix);
 * ```
 *
 * @param url The address of the site, with the path of the service if it is neither `/auth` nor `/api/auth`.
 * @param options What else to look at, and how long to wait.
 * @returns What is wrong, and the callback URLs to register. A site that does not answer is a finding.
 * @throws {InvalidConfig} if the URL or an option cannot be used.
 */
export async function examine(url: string, options: DoctorOptions = {}): Promise<DoctorReport> {
  return await (await doctoring()).examine(url, options);
}

/**
 * Runs the command with its arguments. It writes nothing.
 *
 * @example Usage
 * ```ts
 * import { runCommand } from "@x/auth/cli";
 * import assert from "node:assert/strict";
 *
 * const { code, output } = await runCommand(["schema", "sql", "--dialect", "sqlite"]);
 *
 * assert.equal(code, 0);
 * assert.match(output, /create table/);
 * ```
 *
 * @param args The arguments after the name of the command.
 * @param terminal Where it runs.
 * @returns What to write where, and the exit code.
 */
export async function runCommand(args: readonly string[], terminal: CommandTerminal = {}): Promise<CommandResult> {
  const [name, ...rest] = args;
  if (name === undefined || name === "--help" || name === "-h") return { code: 0, output: helpText(), error: "" };
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) return wrong(`Unknown command "${name}": the commands are ${Object.keys(COMMANDS).join(", ")}`);
  try {
    return { ...await command.run(rest, terminal), error: "" };
  } catch (error) {
    if (error instanceof AuthError) return wrong(error.message, name);
    throw error;
  }
}

/** Runs the command with the arguments of the process, writes what it says, and sets the exit code. */
export async function main(): Promise<void> {
  const { stdout, stderr } = process;
  const progress = (requests: number, what: string): void => {
    // One line that is overwritten. What is asked may be the address of a stranger.
    const shown = what.replace(/[^\x20-\x7e]/g, "?").slice(0, 60);
    stderr.write(`\r\x1b[K${requests} requests: ${shown}`);
  };
  const { code, output, error } = await runCommand(process.argv.slice(2), {
    hasColors: stdout.isTTY === true && !systemRuntime.env("NO_COLOR"),
    progress: stderr.isTTY === true ? progress : undefined,
  });
  if (stderr.isTTY === true) stderr.write("\r\x1b[K");
  stdout.write(output);
  stderr.write(error);
  process.exitCode = code;
}

function secretCommand([arg, ...more]: readonly string[]): string {
  if (arg === "--help" || arg === "-h") return "Usage: npx @x/auth secret >> .env\n";
  // Somebody may have given the secret that they have: a history of commands keeps it.
  if (arg !== undefined && (arg !== "--json" || more.length > 0)) throw new InvalidConfig("Leave out all but --json");
  const secret = randomText(systemRuntime, 33);
  return arg === undefined ? `AUTH_SECRET=${secret}\n` : `${JSON.stringify({ version: 1, secret })}\n`;
}

function wrong(message: string, name = ""): CommandResult {
  const help = ["npx @x/auth", name, "--help"].filter(Boolean).join(" ");
  return { code: WRONG_USAGE, output: "", error: `${message}\nSee ${help}\n` };
}

function helpText(): string {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name}  ${summary}\n`);
  return `Usage: npx @x/auth COMMAND [options]\n\n${rows.join("")}\nEach has its own help: npx @x/auth schema --help\n`;
}

// Without waiting: a module that waits makes bundlers split all others in another way.
if (import.meta.main) main();
