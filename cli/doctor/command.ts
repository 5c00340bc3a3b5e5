/**
 * The subcommand `doctor`.
 *
 * @module
 */
import { InvalidConfig } from "../../src/kernel/errors.ts";
import type { AskRuntime } from "./ask.ts";
import { examine } from "./doctor.ts";
import { parseArguments } from "../terminal/arguments.ts";
import { EXIT_CODES } from "../terminal/exit_codes.ts";
import { exitCodeOf, jsonLines, textOf } from "./print.ts";

export { examine };

/** What is printed for `--help`. */
export const DOCTOR_HELP = `Asks a running site from outside what is wrong with its sign-in.
It signs nobody in. It works for sites with @x/auth or Auth.js.

Usage: npx @x/auth doctor URL [options]

Options:
  --code CODE       also what auth.check() finds: the code is in the log of the
                    site, in development, with the feature doctor()
  --http URL        where the site answers by http, if not at port 80
  --no-providers    send nothing to the providers
  --timeout SECONDS for each request (10); all take nine times as long at most
  --json            one object a line as JSON: version, kind, and more
  --help            this text

Exit codes:
  ${EXIT_CODES.sound}   sound, or notes only
  ${EXIT_CODES.errors}   errors
  ${EXIT_CODES.usage}   an argument is wrong
  ${EXIT_CODES.warnings}   warnings, and no errors
`;

const OPTIONS = {
  code: { type: "string" },
  help: { type: "boolean", short: "h" },
  http: { type: "string" },
  json: { type: "boolean" },
  "no-providers": { type: "boolean" },
  timeout: { type: "string" },
} as const;

/** Where a command runs. */
export interface Terminal {
  /** Whether the standard output takes colours. */
  readonly hasColors?: boolean | undefined;
  /** Told what the command does at the moment. */
  readonly progress?: ((requests: number, what: string) => void) | undefined;
  /** What is asked with, for tests. */
  readonly runtime?: AskRuntime | undefined;
}

/** Runs the subcommand. @throws {InvalidConfig} if an argument is wrong. */
export async function doctorCommand(
  args: readonly string[],
  { hasColors = false, progress, runtime }: Terminal = {},
): Promise<{ readonly code: number; readonly output: string }> {
  const { values, positionals } = parseArguments(args, OPTIONS);
  if (values.help) return { code: EXIT_CODES.sound, output: DOCTOR_HELP };
  const [url, ...more] = positionals;
  if (url === undefined) throw new InvalidConfig("Name the site: npx @x/auth doctor https://example.com");
  if (more.length > 0) throw new InvalidConfig("Name one site only");
  const { code, http, timeout } = values;
  const report = await examine(url, {
    code,
    http,
    progress,
    providers: !values["no-providers"],
    ...(timeout !== undefined && { timeout: timeout === "" ? NaN : Number(timeout) }),
  }, runtime);
  return { code: exitCodeOf(report), output: values.json ? jsonLines(report) : textOf(report, hasColors) };
}
