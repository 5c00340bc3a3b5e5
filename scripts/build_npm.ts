/**
 * Builds the npm package: `npm/package` and, beside it, the tarball. The same sources give the same bytes.
 *
 * `deno pack` compiles the sources to JavaScript and types. This script completes package.json, embeds
 * libraries, makes few files of many modules, and fails on anything that must not be published.
 *
 * @example Usage
 * ```sh
 * deno run -A scripts/build_npm.ts
 * ```
 *
 * @module
 */
import { readdirSync, rmSync } from "node:fs";
import { fullText, indexText } from "./docs/llms.ts";
import { bundlePackage } from "./npm/bundle.ts";
import { EMBEDDED_PACKAGES, embedLibraries } from "./npm/embed.ts";
import { COMMAND, completeManifest, type Manifest } from "./npm/manifest.ts";
import { npm, run } from "./npm/run.ts";
import { writeRefusals } from "./npm/server_only.ts";
import { addSvelteKit } from "./npm/sveltekit.ts";
import { printLine } from "./print.ts";
import { isFile } from "./source_files.ts";

/** The built package. */
export interface BuiltPackage {
  /** Its files, unpacked. */
  readonly folder: string;
  /** The archive to publish. */
  readonly tarball: string;
}

/** Builds the package below a folder. Call it at the root of the project. */
export async function buildNpm(into: string): Promise<BuiltPackage> {
  const folder = `${into}/package`;
  rmSync(folder, { recursive: true, force: true });
  await Deno.mkdir(into, { recursive: true });
  await unpack(into);
  await embedLibraries(folder);
  const manifest = completeManifest(JSON.parse(await Deno.readTextFile(`${folder}/package.json`)) as Manifest);
  await bundlePackage(folder, manifest);
  await writeRefusals(folder, manifest);
  await nameTheCore(folder);
  await addSvelteKit(folder);
  await Deno.writeTextFile(`${folder}/${COMMAND.file}`, COMMAND.text);
  // On one line: of the paths that it exports, a fifth would be spaces.
  await Deno.writeTextFile(`${folder}/package.json`, `${JSON.stringify(manifest)}\n`);
  await Deno.writeTextFile(`${folder}/llms.txt`, indexText());
  await Deno.writeTextFile(`${folder}/llms-full.txt`, fullText());
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    isFile(`${folder}/${file}`)
  );
  const problems = files.flatMap((file) => problemsOf(file, Deno.readTextFileSync(`${folder}/${file}`)));
  const missing = targetsOf(manifest).filter((target) => !isFile(`${folder}/${target}`));
  problems.push(...missing.map((target) => `${target} is exported, but does not exist`));
  if (problems.length > 0) throw new Error(`Cannot build the package: ${problems.join("; ")}`);
  const [packed] = JSON.parse(await npm(["pack", "./package", "--json", "--ignore-scripts"], into));
  return { folder, tarball: `${into}/${(packed as { readonly filename: string }).filename}` };
}

async function unpack(into: string): Promise<void> {
  const packed = `${into}/packed.tgz`;
  // Inline source maps would contain paths of this machine.
  await run(Deno.execPath(), ["pack", "--no-source-maps", "--allow-dirty", `--output=${packed}`]);
  await run("tar", ["-xzf", "packed.tgz"], { cwd: into });
  await Deno.remove(packed);
}

/** What applications add to by `declare module`. */
const AUGMENTED = ["mod", "src/adapters", "src/jwt"];

/**
 * Lets the types of each binding and client name those of `@x/auth`. TypeScript finds a module for `declare module` only
 * where some file of the program imports it, and an application may import its binding alone.
 */
async function nameTheCore(folder: string): Promise<void> {
  const named = AUGMENTED.map((name) => `import type {} from "../${name}.js";\n`).join("");
  for (const layer of ["bindings", "client"]) {
    for (const file of readdirSync(`${folder}/${layer}`).filter((name) => name.endsWith(".d.ts"))) {
      const text = await Deno.readTextFile(`${folder}/${layer}/${file}`);
      await Deno.writeTextFile(`${folder}/${layer}/${file}`, named + text);
    }
  }
}

function targetsOf({ exports }: Manifest): string[] {
  return Object.values(exports).flatMap((target) => typeof target === "string" ? [target] : Object.values(target));
}

const PUBLISHED =
  /^(?:(?:mod|(?:adapters|bindings|browser|chunks|cli|client|migrate|testing|src)\/.+)\.(?:js|d\.ts)|client\/sveltekit\/\w+\.(?:svelte|mjs|d\.mts)|package\.json|README\.md|LICENSE|THIRD_PARTY\.md|llms(?:-full)?\.txt)$/;

/** Finds what must not be published in a file of the package. */
export function problemsOf(file: string, text: string): string[] {
  const problems: string[] = [];
  if (!PUBLISHED.test(file)) problems.push(`${file} must not be published`);
  if (text.includes("sourceMappingURL") || text.includes("file:///")) {
    problems.push(`${file} contains a source map or a path of this machine`);
  }
  // Guides show programs, which may import what they like.
  if (!/\.[jt]s$/.test(file)) return problems;
  if (/\bfrom\s*"(?:jsr|npm|https?):/.test(text)) problems.push(`${file} imports from outside npm`);
  for (const name of EMBEDDED_PACKAGES) {
    if (new RegExp(`\\bfrom\\s*"${name}["/]`).test(text)) problems.push(`${file} imports ${name}, which is embedded`);
  }
  // `deno pack` rewrites relative imports of types; one that it missed would not resolve.
  if (/\bfrom\s*"\.[^"]*\.tsx?"/.test(text)) problems.push(`${file} imports a TypeScript source`);
  return problems;
}

if (import.meta.main) {
  const { tarball } = await buildNpm("npm");
  const { size } = await Deno.stat(tarball);
  printLine(`${tarball}: ${(size / 1000).toFixed(0)} kB`);
}
