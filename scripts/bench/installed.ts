/**
 * Installs the libraries with npm in a temporary folder, so that the repository itself gets no `node_modules`.
 *
 * @module
 */
import { buildNpm } from "../build_npm.ts";
import { makeConsumer } from "../npm/consumer.ts";
import { npm, QUIET } from "../npm/run.ts";
import { sourcesBelow } from "../source_files.ts";
import { PACKAGES } from "./packages.ts";
import type { Progress } from "./report.ts";
import type { SideName } from "./sides/side.ts";

/** The libraries that are installed. */
export const LIBRARIES = ["@x/auth", "@auth/core", "better-auth"] as const satisfies readonly SideName[];

/** The name of an installed library. */
export type Library = typeof LIBRARIES[number];

/** The installed libraries, each in a folder of its own. */
export interface InstalledLibraries {
  /** The folder of a library, which holds its `node_modules`. */
  readonly folderOf: (library: Library) => string;
  /** A folder with all libraries side by side and the programs of the benchmark. It is made when it is first asked for. */
  readonly together: () => Promise<string>;
  /** The size of the package itself as it is downloaded, in bytes. */
  readonly packedSizeOf: (library: Library) => Promise<number>;
  /** Removes the temporary folder. */
  readonly remove: () => Promise<void>;
}

/** Installs each library; ours is built as it would be published. */
export async function installLibraries(progress: Progress): Promise<InstalledLibraries> {
  const root = await Deno.makeTempDir({ prefix: "bench-" });
  const remove = (): Promise<void> => Deno.remove(root, { recursive: true });
  const folderOf = (library: Library): string => `${root}/${LIBRARIES.indexOf(library)}`;
  try {
    progress("building the npm package of @x/auth");
    const { tarball } = await buildNpm(`${root}/built`);
    const packageOf = (library: Library): string => library === "@x/auth" ? tarball : PACKAGES[library] ?? library;
    for (const library of LIBRARIES) {
      progress(`npm install ${library}`);
      await Deno.mkdir(folderOf(library));
      await Deno.writeTextFile(`${folderOf(library)}/package.json`, `{ "private": true, "type": "module" }\n`);
      await npm(["install", ...QUIET, packageOf(library)], folderOf(library));
    }
    const packedSizeOf = async (library: Library): Promise<number> => {
      const [{ size }] = JSON.parse(await npm(["pack", "--dry-run", "--json", packageOf(library)], root));
      return size;
    };
    let together: Promise<string> | undefined;
    return {
      folderOf,
      packedSizeOf,
      remove,
      together: () => together ??= installTogether(`${root}/together`, tarball, progress),
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** What only programs on other runtimes import. On Deno, the other packages are imported from npm. */
const BESIDE = ["@auth/core", "better-auth", "@auth/express", "@auth/pg-adapter", "express", "pg", "postgres"];

async function installTogether(folder: string, tarball: string, progress: Progress): Promise<string> {
  progress("npm install all libraries");
  await makeConsumer(folder, {}, [tarball, ...BESIDE.map((name) => PACKAGES[name] ?? name)]);
  for (const file of sourcesBelow("scripts/bench")) await copyTo(folder, file);
  await copyTo(folder, "scripts/print.ts");
  return folder;
}

async function copyTo(folder: string, file: string): Promise<void> {
  await Deno.mkdir(`${folder}/${file.slice(0, file.lastIndexOf("/"))}`, { recursive: true });
  await Deno.copyFile(file, `${folder}/${file}`);
}
