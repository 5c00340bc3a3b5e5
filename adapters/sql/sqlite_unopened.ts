/**
 * Says why a SQLite file cannot be opened or written.
 *
 * @module
 */
import { AdapterError } from "../../src/kernel/errors.ts";

/** What is asked about files: a part of `node:fs`. */
export interface FileFacts {
  statSync(path: string, options: { readonly throwIfNoEntry: false }): { isDirectory(): boolean } | undefined;
}

/**
 * Makes the error of a file that cannot be used.
 *
 * @param path The path as it was given.
 * @param cause What SQLite threw.
 * @param files `undefined` in a runtime without files.
 * @returns `null` if the error is not about the file itself.
 */
export function unopened(path: string, cause: unknown, files: FileFacts | undefined): AdapterError | null {
  const why = reasonOf(path, cause instanceof Error ? cause.message : String(cause), files);
  return why === null ? null : new AdapterError(`Cannot open the SQLite file ${JSON.stringify(path)}: ${why}`, {
    cause,
    logCode: "sqlite-unopened",
  });
}

function reasonOf(path: string, message: string, files: FileFacts | undefined): string | null {
  if (/not a database|file is encrypted/i.test(message)) {
    return "it is not a SQLite database, or it is encrypted. Set another path, or move the file away";
  }
  if (/readonly database|read-only/i.test(message)) {
    return "it cannot be written. Let the user that runs this program write the file and its folder, or set another path";
  }
  if (!/unable to open|cannot open|SQLITE_CANTOPEN|permission denied|requires .+ access/i.test(message)) return null;
  if (kindOf(path, files) === "folder") return "it is a folder. Set the path of a file in it, such as auth.db";
  const folder = parentOf(path);
  if (kindOf(folder, files) === "nothing") {
    return `the folder ${
      JSON.stringify(folder)
    } does not exist. Create it, or set another path: a path that does not begin ` +
      "with / starts at the folder in which the program was started";
  }
  if (kindOf(folder, files) === "file") return `${JSON.stringify(folder)} is a file, not a folder. Set another path`;
  return "this program may not read or create it. Give it the permission, or set another path";
}

function parentOf(path: string): string {
  const [, folder] = /^(.*)[/\\][^/\\]*$/s.exec(path) ?? [];
  return folder === "" ? "/" : folder ?? ".";
}

function kindOf(path: string, files: FileFacts | undefined): "folder" | "file" | "nothing" | undefined {
  try {
    const found = files?.statSync(path, { throwIfNoEntry: false });
    return files && (found ? found.isDirectory() ? "folder" : "file" : "nothing");
  } catch {
    return undefined; // for lack of permission
  }
}
