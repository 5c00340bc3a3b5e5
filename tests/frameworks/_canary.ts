/** Searches what browsers get for what must stay on the server. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { SECRETS } from "./_examples.ts";

/**
 * Searches the files that a build made for browsers.
 *
 * @param folder The folder of the example.
 * @param browserFiles Folders and files in it.
 * @returns How many files were searched, in all of them.
 * @throws {Error} if one has a secret, or if there is nothing to search: a folder that has moved must not go unseen.
 */
export function searchForSecrets(folder: string, browserFiles: readonly string[]): number {
  const files = browserFiles.map((name) => filesIn(`${folder}/${name}`));
  const empty = browserFiles.filter((_, index) => files[index]?.length === 0);
  if (empty.length > 0) throw new Error(`Cannot find a file for browsers in ${empty.join(", ")}`);
  const found = files.flat().flatMap((file) => {
    return secretsIn(textOf(file)).map((name) => `${name} is in ${file.slice(folder.length + 1)}`);
  });
  if (found.length > 0) throw new Error(found.join("\n"));
  return files.flat().length;
}

/** Lists the names of the secrets that a text has. */
export function secretsIn(text: string): string[] {
  const isIn = (secret: string): boolean => text.includes(secret) || text.includes(btoa(secret).replace(/=+$/, ""));
  return Object.entries(SECRETS).filter(([, secret]) => isIn(secret)).map(([name]) => name);
}

function filesIn(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => `${parentPath}/${name}`);
}

// Some builds add compressed copies, or only those.
function textOf(file: string): string {
  const bytes = readFileSync(file);
  if (file.endsWith(".gz")) return gunzipSync(bytes).toString("latin1");
  if (file.endsWith(".br")) return brotliDecompressSync(bytes).toString("latin1");
  return bytes.toString("latin1");
}
