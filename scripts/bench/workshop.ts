/**
 * Installed copies of the libraries, in a temporary folder: the repository itself gets no `node_modules`.
 *
 * @module
 */
import { buildNpm } from "../build_npm.ts";
import { npm, QUIET } from "../npm/run.ts";
import { PACKAGES } from "./packages.ts";
import type { Progress } from "./progress.ts";
import type { SideName } from "./sides/side.ts";

/** The libraries that are installed. */
export const LIBRARIES = ["@x/auth", "@auth/core", "better-auth"] as const satisfies readonly SideName[];

/** Names one of them. */
export type Library = typeof LIBRARIES[number];

/** Installed libraries, each alone in its folder. */
export interface Workshop {
  /** The folder of a library, which holds its `node_modules`. */
  readonly folderOf: (library: Library) => string;
  /** The bytes of the package itself, as it is downloaded. */
  readonly packedOf: (library: Library) => Promise<number>;
  readonly remove: () => Promise<void>;
}

/** Installs each library, with npm: ours as it would be published. */
export async function openWorkshop(progress: Progress): Promise<Workshop> {
  const root = await Deno.makeTempDir({ prefix: "bench-" });
  const remove = (): Promise<void> => Deno.remove(root, { recursive: true });
  const folderOf = (library: Library): string => `${root}/${LIBRARIES.indexOf(library)}`;
  try {
    progress("the npm package of @x/auth");
    const { tarball } = await buildNpm(`${root}/built`);
    const packageOf = (library: Library): string => library === "@x/auth" ? tarball : PACKAGES[library] ?? library;
    for (const library of LIBRARIES) {
      progress(`npm install ${library}`);
      await Deno.mkdir(folderOf(library));
      await Deno.writeTextFile(`${folderOf(library)}/package.json`, `{ "private": true, "type": "module" }\n`);
      await npm(["install", ...QUIET, packageOf(library)], folderOf(library));
    }
    const packedOf = async (library: Library): Promise<number> => {
      const [{ size }] = JSON.parse(await npm(["pack", "--dry-run", "--json", packageOf(library)], root));
      return size;
    };
    return { folderOf, packedOf, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
