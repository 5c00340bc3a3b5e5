/**
 * The subcommands `session` and `test-session`.
 *
 * @module
 */
import { InvalidConfig } from "../../src/kernel/errors.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { parseArguments } from "../terminal/arguments.ts";
import { EXIT_CODES } from "../terminal/exit_codes.ts";
import { cypressCookies, headerOf, storageState } from "./browsers.ts";
import { examineSession, type SessionRuntime } from "./inspect.ts";
import { exitCodeOf, jsonOf, textOf } from "./print.ts";
import { testSession } from "./test_session.ts";

export { examineSession, testSession };

/** What is printed for `session --help`. */
export const SESSION_HELP = `Says what is in a session cookie, or why it is refused. It sends nothing.
The secret is that of the environment: AUTH_SECRET, as the service reads it.

Usage: npx @x/auth session [options] < cookie.txt

The standard input is a Cookie header, lines of Set-Cookie, or the value alone.

Options:
  --cookie NAME  the name of the session cookie, if it was configured
  --show         also what looks like a token
  --json         one object as JSON
  --help         this text

Exit codes:
  ${EXIT_CODES.sound}   it opens
  ${EXIT_CODES.errors}   it is refused, or there is none
  ${EXIT_CODES.usage}   an argument, the input or the secret is wrong
  ${EXIT_CODES.warnings}   a stored session, or one of other software: storage decides
`;

/** What is printed for `test-session --help`. */
export const TEST_SESSION_HELP = `Makes a session cookie for browser tests, with the secret of the environment.
Only with NODE_ENV or DENO_ENV set to test, and for this machine.

Usage: npx @x/auth test-session --user ada@example.com [options]

Options:
  --user TEXT    the email address, or else the id
  --id TEXT      the id: with an adapter, that of a stored user
  --name TEXT    the name to show
  --url URL      the site (AUTH_URL, or else http://localhost:3000)
  --cookie NAME  the name of the session cookie, if it was configured
  --header       the value of a Cookie header, which is the default
  --playwright   a storageState of Playwright
  --cypress      the arguments of cy.setCookie(), as a list
  --json         one object as JSON
  --help         this text

The cookie lasts a day. It is for sessions that are encrypted in the cookie.
Stored sessions are rows: make one with signInAs() of @x/auth/testing.

Exit codes:
  ${EXIT_CODES.sound}   it was made
  ${EXIT_CODES.usage}   an argument or the secret is wrong, or this is no place for it
`;

interface Said {
  readonly code: number;
  readonly output: string;
}

const SESSION = {
  cookie: { type: "string" },
  help: { type: "boolean", short: "h" },
  json: { type: "boolean" },
  show: { type: "boolean" },
} as const;

/** Runs the subcommand `session`. @throws {InvalidConfig} if an argument, the input or the secret is wrong. */
export async function sessionCommand(
  args: readonly string[],
  input: (() => Promise<string>) | undefined,
  runtime: SessionRuntime = systemRuntime,
): Promise<Said> {
  const { values, positionals } = parseArguments(args, SESSION);
  if (values.help) return { code: EXIT_CODES.sound, output: SESSION_HELP };
  // A history of commands keeps what is typed, and a terminal cuts long lines.
  if (positionals.length > 0 || !input) {
    throw new InvalidConfig("Give the cookie on the standard input: npx @x/auth session < cookie.txt");
  }
  const { cookie, show } = values;
  const report = await examineSession(await input(), { cookie, show }, runtime);
  const output = values.json ? jsonOf(report) : textOf(report, runtime.now());
  return { code: exitCodeOf(report), output };
}

const FORMATS = ["header", "playwright", "cypress", "json"] as const;

const TEST_SESSION = {
  cookie: { type: "string" },
  cypress: { type: "boolean" },
  header: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  id: { type: "string" },
  json: { type: "boolean" },
  name: { type: "string" },
  playwright: { type: "boolean" },
  url: { type: "string" },
  user: { type: "string" },
} as const;

/** Runs the subcommand `test-session`. @throws {InvalidConfig} if it may not make one, or an argument is wrong. */
export async function testSessionCommand(
  args: readonly string[],
  runtime: SessionRuntime = systemRuntime,
): Promise<Said> {
  const { values, positionals } = parseArguments(args, TEST_SESSION);
  if (values.help) return { code: EXIT_CODES.sound, output: TEST_SESSION_HELP };
  const { user, id, name, url, cookie } = values;
  if (positionals.length > 0) throw new InvalidConfig("Name the user with --user ada@example.com, and nothing else");
  const [format = "header", ...more] = FORMATS.filter((each) => values[each]);
  if (more.length > 0) throw new InvalidConfig(`Choose one of --${FORMATS.join(", --")}`);
  const made = await testSession({ user: user ?? "", id, name, url, cookie }, runtime);
  switch (format) {
    case "header":
      return { code: EXIT_CODES.sound, output: `${headerOf(made)}\n` };
    case "json":
      return { code: EXIT_CODES.sound, output: lineOf(made) };
    case "playwright":
      return { code: EXIT_CODES.sound, output: lineOf(storageState(made)) };
    case "cypress":
      return { code: EXIT_CODES.sound, output: lineOf(cypressCookies(made)) };
  }
}

function lineOf(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
