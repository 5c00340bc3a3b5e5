/**
 * Puts the script of the sign-in page into a module: not every runtime can import a file as text.
 *
 * @example Usage
 * ```sh
 * deno run --allow-read --allow-write=src/pages scripts/embed_client.ts
 * ```
 *
 * @module
 */
import { say } from "./say.ts";

/** The script, as it is written. */
export const CLIENT = "src/pages/passkey_client.js";

/** The module that holds it. */
const MODULE = "src/pages/passkey_script.ts";

/** Makes of the script what browsers are sent: the same without comments and indentation. */
export function embedded(source: string): string {
  const text = source.replace(/\/\*\*[^]*?\*\/|^\s*\/\/.*$/gm, "").replace(/^\s+/gm, "").trimEnd();
  // The first three end or open a piece of the module that holds it; the others, of the page.
  const found = ["`", "${", "\\", "</script", "<!--"].find((piece) => text.toLowerCase().includes(piece));
  if (found) throw new SyntaxError(`Cannot embed the script: write it without ${found}`);
  return text;
}

function moduleOf(text: string): string {
  return `/**
 * The script of the sign-in page as text, made of passkey_client.js by scripts/embed_client.ts.
 *
 * @module
 */

/** What browsers are sent. */
export const PASSKEY_SCRIPT: string = \`${text}\`;
`;
}

if (import.meta.main) {
  const text = embedded(Deno.readTextFileSync(CLIENT));
  Deno.writeTextFileSync(MODULE, moduleOf(text));
  say(`${MODULE} holds ${text.length} characters of script`);
}
