/**
 * Finds the source files of this project.
 *
 * @module
 */

/** Lists the sources below a folder, in order. None if the folder does not exist: Git keeps no empty folders. */
export function* sourcesBelow(folder: string): Generator<string> {
  for (const { name, isDirectory } of entriesOf(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory && name !== "node_modules") yield* sourcesBelow(path);
    else if (/\.(ts|tsx|js)$/.test(name)) yield path;
  }
}

function entriesOf(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Whether a file exists. */
export function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
