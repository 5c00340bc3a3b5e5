/**
 * Installed copies of the libraries, in a temporary folder: the repository itself gets no `node_modules`.
 *
 * @module
 */
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
  readonly remove: () => Promise<void>;
}

/** Installs what each library is made of, with npm. */
export async function openWorkshop(progress: Progress): Promise<Workshop> {
  const root = await Deno.makeTempDir({ prefix: "bench-" });
  const folders = new Map<Library, string>();
  const remove = (): Promise<void> => Deno.remove(root, { recursive: true });
  try {
    for (const library of LIBRARIES) {
      const packages = await packagesOf(library);
      progress(`npm install ${packages.join(" ")}`);
      const folder = `${root}/${folders.size}`;
      await Deno.mkdir(folder);
      await Deno.writeTextFile(`${folder}/package.json`, `{ "private": true, "type": "module" }\n`);
      await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages], folder);
      folders.set(library, folder);
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { folderOf: (library) => folders.get(library) ?? root, remove };
}

/** What npm is told: the others in the version that is compared, and what our own files import. */
async function packagesOf(library: Library): Promise<string[]> {
  if (library !== "@x/auth") return [PACKAGES[library] ?? library];
  const info = await run(Deno.execPath(), ["info", "--json", "--no-lock", "mod.ts"], ".");
  const { modules } = JSON.parse(info) as { modules: readonly { readonly npmPackage?: string }[] };
  // After the version Deno tells which peers a package got.
  const imported = modules.map(({ npmPackage }) => npmPackage?.match(/^@?[^@]+@[^_]+/)?.[0]);
  return [...new Set(imported)].filter((name) => name !== undefined);
}

async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args: [...args], cwd, stdin: "null" }).output();
  if (success) return new TextDecoder().decode(stdout);
  throw new Error(`Cannot run ${command} ${args.join(" ")}: ${new TextDecoder().decode(stderr).slice(-500)}`);
}
