/**
 * Writes the scripts of the built-in pages into modules as text, because not every runtime can import a file as text.
 *
 * All files are committed: JSR publishes the sources as they are, without a build step. Unit tests fail when they differ
 * (tests/unit/pages/*_script_test.ts).
 *
 * @example Usage
 * ```sh
 * deno run --allow-read --allow-write=src/pages scripts/embed_client.ts
 * ```
 *
 * @module
 */
import { printLine } from "./print.ts";

/** A script, and the module that is generated of it. */
export interface EmbeddedScript {
  /** What it is, for the comment of the module. */
  readonly what: string;
  readonly source: string;
  readonly module: string;
  /** The constant that the module exports. */
  readonly name: string;
}

/** The scripts. */
export const SCRIPTS = {
  passkey: {
    what: "script of passkeys",
    source: "src/pages/passkey_client.js",
    module: "src/pages/passkey_script.ts",
    name: "PASSKEY_SCRIPT",
  },
  signals: {
    what: "script that tells the device of passkeys",
    source: "src/pages/signals_client.js",
    module: "src/pages/signals_script.ts",
    name: "SIGNALS_SCRIPT",
  },
  password: {
    what: "script of fields for passwords",
    source: "src/pages/password_client.js",
    module: "src/pages/password_script.ts",
    name: "PASSWORD_SCRIPT",
  },
  challenge: {
    what: "script of the proof of work",
    source: "src/pages/challenge_client.js",
    module: "src/pages/challenge_script.ts",
    name: "CHALLENGE_SCRIPT",
  },
} as const satisfies Readonly<Record<string, EmbeddedScript>>;

/** Removes comments and indentation from the script. @throws {SyntaxError} if it would end the module or the page. */
export function embedded(source: string): string {
  const text = source.replace(/\/\*\*[^]*?\*\/|^\s*\/\/.*$/gm, "").replace(/^\s+/gm, "").trimEnd();
  // The first three have a meaning in the template string of the module, the others in the HTML of the page.
  const found = ["`", "${", "\\", "</script", "<!--"].find((piece) => text.toLowerCase().includes(piece));
  if (found) throw new SyntaxError(`Cannot embed the script: write it without ${found}`);
  return text;
}

function moduleOf({ what, source, name }: EmbeddedScript, text: string): string {
  return `/**
 * The ${what} as text, generated from ${source.split("/").at(-1)} by scripts/embed_client.ts.
 *
 * @module
 */

/** The script that browsers get. */
export const ${name}: string = \`${text}\`;
`;
}

if (import.meta.main) {
  for (const script of Object.values(SCRIPTS)) {
    const text = embedded(Deno.readTextFileSync(script.source));
    Deno.writeTextFileSync(script.module, moduleOf(script, text));
    printLine(`Wrote ${text.length} characters of script to ${script.module}`);
  }
}
