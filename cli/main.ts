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
 * npx @x/auth session < cookie.txt
 * npx @x/auth test-session --user ada@example.com --playwright > state.json
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
import type { SessionOptions, SessionReport } from "./session/report.ts";
import type { TestSession, TestSessionOptions } from "./session/test_session.ts";
import { EXIT_CODES } from "./terminal/exit_codes.ts";
import { visible } from "./terminal/visible.ts";

export type { TableId } from "../adapters/sql/schema.ts";
export type { CallbackUrl, DoctorOptions, DoctorReport, Finding, Level } from "./doctor/finding.ts";
export { drizzleSchema } from "./schema/drizzle.ts";
export type { ModelOptions, SchemaOptions, SqlDialect } from "./schema/options.ts";
export { prismaSchema } from "./schema/prisma.ts";
export { sqlSchema } from "./schema/sql.ts";
export type { SessionFinding, SessionOptions, SessionReport, SessionVerdict } from "./session/report.ts";
export type { TestSession, TestSessionOptions } from "./session/test_session.ts";

/** What a command has to say, and how it ended. */
export interface CommandResult {
  /** 0 if all is well, 1 for errors that were found, 2 if an argument is wrong, 3 for warnings only. */
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
  /** Reads the standard input, for `session`. @default there is none */
  readonly input?: (() => Promise<string>) | undefined;
}

type Said = Pick<CommandResult, "code" | "output">;

interface Command {
  readonly summary: string;
  readonly run: (args: readonly string[], terminal: CommandTerminal) => Said | Promise<Said>;
}

const doctoring = once(() => import("./doctor/command.ts"));
const sessions = once(() => import("./session/command.ts"));

const COMMANDS: Readonly<Record<string, Command>> = {
  doctor: {
    summary: "asks a running site what is wrong with its sign-in",
    run: async (args, terminal) => await (await doctoring()).doctorCommand(args, terminal),
  },
  schema: {
    summary: "prints the tables: as models of Prisma, as tables of Drizzle, as SQL",
    run: (args) => ({ code: EXIT_CODES.sound, output: schemaCommand(args) }),
  },
  secret: {
    summary: "prints a new AUTH_SECRET, as a line of .env",
    run: (args) => ({ code: EXIT_CODES.sound, output: secretCommand(args) }),
  },
  session: {
    summary: "says what is in a session cookie, or why it is refused",
    run: async (args, { input }) => await (await sessions()).sessionCommand(args, input),
  },
  "test-session": {
    summary: "makes a session cookie for tests in a browser",
    run: async (args) => await (await sessions()).testSessionCommand(args),
  },
};

/** Characters of the standard input that are read at most. No command takes as much. */
const MOST_INPUT = 64 * 1024;

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
 * Says what is in a session cookie, or why the service refuses it. It sends nothing.
 *
 * @example Usage
 * ```ts
 * import { examineSession } from "@x/auth/cli";
 * import { encode } from "@x/auth/jwt";
 * import assert from "node:assert/strict";
 *
 * const secret = "a random text of at least 32 characters";
 * const token = await encode({ token: { sub: "42" }, secret, salt: "authjs.session-token" });
 * const { cookies } = await examineSession(`Cookie: authjs.session-token=${token}`, { secret });
 *
 * assert.equal(cookies[0]?.verdict, "opens");
 * assert.equal(cookies[0]?.claims?.sub, "42");
 * ```
 *
 * @param text A `Cookie` header, lines of `Set-Cookie`, or the value alone; 32 KiB at most.
 * @param options The secret and the name, where they are not the usual ones.
 * @returns What was found of each session cookie.
 * @throws {InvalidConfig} if there is nothing to look at, or no secret for it.
 */
export async function examineSession(text: string, options: SessionOptions = {}): Promise<SessionReport> {
  return await (await sessions()).examineSession(text, options);
}

/**
 * Makes a session cookie for tests in a browser: of a session that is encrypted in the cookie, for one day. Make stored
 * sessions with `signInAs()` of `@x/auth/testing`.
 *
 * @example Usage
 * ```ts
 * import { testSession } from "@x/auth/cli";
 *
 * export async function cookieHeader(user: string): Promise<string> {
 *   const { cookies } = await testSession({ user, url: "http://localhost:3000" });
 *   return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
 * }
 * ```
 *
 * @param options Who is signed in, and where.
 * @returns The cookies.
 * @throws {InvalidConfig} unless `NODE_ENV` or `DENO_ENV` is `test`, and the site is on this machine.
 */
export async function testSession(options: TestSessionOptions): Promise<TestSession> {
  return await (await sessions()).testSession(options);
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
  const { stdin, stdout, stderr } = process;
  const progress = (requests: number, what: string): void => {
    // One line that is overwritten. What is asked may be the address of a stranger.
    const shown = what.replace(/[^\x20-\x7e]/g, "?").slice(0, 60);
    stderr.write(`\r\x1b[K${requests} requests: ${shown}`);
  };
  const { code, output, error } = await runCommand(process.argv.slice(2), {
    hasColors: stdout.isTTY === true && !systemRuntime.env("NO_COLOR"),
    progress: stderr.isTTY === true ? progress : undefined,
    input: stdin.isTTY === true ? undefined : readInput,
  });
  if (stderr.isTTY === true) stderr.write("\r\x1b[K");
  stdout.write(output);
  stderr.write(error);
  process.exitCode = code;
}

async function readInput(): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of process.stdin) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > MOST_INPUT) break;
  }
  return text;
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
  return { code: EXIT_CODES.usage, output: "", error: `${visible(message)}\nSee ${help}\n` };
}

function helpText(): string {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(14)}${summary}\n`);
  return `Usage: npx @x/auth COMMAND [options]\n\n${rows.join("")}\nEach has its own help: npx @x/auth schema --help\n`;
}

// Without waiting: a module that waits makes bundlers split all others in another way.
if (import.meta.main) main();
