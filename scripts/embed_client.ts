/**
 * Writes the script of the sign-in page into a module as text, because not every runtime can import a file as text.
 *
 * Both files are committed: JSR publishes the sources as they are, without a build step. A unit test fails when they
 * differ (tests/unit/pages/passkey_script_test.ts).
 *
 * @example Usage
 * ```sh
 * deno run --allow-read --allow-write=src/pages scripts/embed_client.ts
 * ```
 *
 * @module
 */
import { printLine } from "./print.ts";

/** The source of the script. */
export const CLIENT = "src/pages/passkey_client.js";

/** The module that is generated. */
const MODULE = "src/pages/passkey_script.ts";

/** Removes comments and indentation from the script. @throws {SyntaxError} if it would end the module or the page. */
export function embedded(source: string): string {
  const text = source.replace(/\/\*\*[^]*?\*\/|^\s*\/\/.*$/gm, "").replace(/^\s+/gm, "").trimEnd();
  // The first three have a meaning in the template string of the module, the others in the HTML of the page.
  const found = ["`", "${", "\\", "</script", "<!--"].find((piece) => text.toLowerCase().includes(piece));
  if (found) throw new SyntaxError(`Cannot embed the script: write it without ${found}`);
  return text;
}

function moduleOf(text: string): string {
  return `/**
 * The script of the sign-in page as text, generated from passkey_client.js by scripts/embed_client.ts.
 *
 * @module
 */

/** The script that browsers get. */
export const PASSKEY_SCRIPT: string = \`${text}\`;
`;
}

if (import.meta.main) {
  const text = embedded(Deno.readTextFileSync(CLIENT));
  Deno.writeTextFileSync(MODULE, moduleOf(text));
  printLine(`Wrote ${text.length} characters of script to ${MODULE}`);
}
