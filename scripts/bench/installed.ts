/**
 * Installs the libraries with npm in a temporary folder, so that the repository itself gets no `node_modules`.
 *
 * @module
 */
import { buildNpm } from "../build_npm.ts";
import { makeConsumer } from "../npm/consumer.ts";
import { npm } from "../npm/run.ts";
import { sourcesBelow } from "../source_files.ts";
import { PACKAGES } from "./packages.ts";
import type { Progress } from "./report.ts";
import type { SideName } from "./sides/side.ts";

/** The libraries that are installed. */
export const LIBRARIES = ["@x/auth", "@auth/core", "better-auth"] as const satisfies readonly SideName[];

/** The name of an installed library. */
export type Library = typeof LIBRARIES[number];

/** The libraries, which are installed when they are first asked for. */
export interface InstalledLibraries {
  /** A folder for one library, which holds its `node_modules`. */
  readonly folderOf: (library: Library) => Promise<string>;
  /** A folder with all libraries side by side and the programs of the benchmark. */
  readonly together: () => Promise<string>;
  /** The size of the package itself as it is downloaded, in bytes. */
  readonly packedSizeOf: (library: Library) => Promise<number>;
  /** Removes the temporary folder. */
  readonly remove: () => Promise<void>;
}

/** Makes a place for the libraries; ours is built as it would be published. */
export async function installLibraries(progress: Progress): Promise<InstalledLibraries> {
  const root = await Deno.makeTempDir({ prefix: "bench-" });
  const remove = (): Promise<void> => Deno.remove(root, { recursive: true });
  try {
    progress("building the npm package of @x/auth");
    const { tarball } = await buildNpm(`${root}/built`);
    const packageOf = (library: Library): string => library === "@x/auth" ? tarball : PACKAGES[library] ?? library;
    const folders = new Map<string, Promise<string>>();
    const folderFor = (name: string, fill: (folder: string) => Promise<void>): Promise<string> => {
      const folder = `${root}/${folders.size}`;
      const made = folders.get(name) ?? fill(folder).then(() => folder);
      folders.set(name, made);
      return made;
    };
    return {
      folderOf: (library) =>
        folderFor(library, async (folder) => {
          progress(`npm install ${library}`);
          await makeConsumer(folder, {}, [packageOf(library)]);
        }),
      together: () =>
        folderFor("together", async (folder) => {
          progress("npm install of all libraries");
          await makeConsumer(folder, {}, [tarball, ...BESIDE.map((name) => PACKAGES[name] ?? name)]);
          for (const file of [...sourcesBelow("scripts/bench"), "scripts/print.ts"]) await copyTo(folder, file);
        }),
      packedSizeOf: async (library) => {
        const [{ size }] = JSON.parse(await npm(["pack", "--dry-run", "--json", packageOf(library)], root));
        return size;
      },
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** What only programs on other runtimes import. On Deno, the other packages are imported from npm. */
const BESIDE = ["@auth/core", "better-auth", "@auth/express", "@auth/pg-adapter", "express", "pg"];

async function copyTo(folder: string, file: string): Promise<void> {
  await Deno.mkdir(`${folder}/${file.slice(0, file.lastIndexOf("/"))}`, { recursive: true });
  await Deno.copyFile(file, `${folder}/${file}`);
}
