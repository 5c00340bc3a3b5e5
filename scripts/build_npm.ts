/**
 * Builds the npm package: `npm/package` and, beside it, the tarball. The same sources give the same bytes.
 *
 * `deno pack` turns the sources into JavaScript and types; what it leaves out of package.json is added here, and what
 * must not be shipped makes the build fail.
 *
 * @example Usage
 * ```sh
 * deno run -A scripts/build_npm.ts
 * ```
 *
 * @module
 */
import { EMBEDDED, embedLibrary } from "./npm/embed.ts";
import { removeFolder } from "./npm/folders.ts";
import { completeManifest, type Manifest } from "./npm/manifest.ts";
import { npm, run } from "./npm/run.ts";
import { say } from "./say.ts";
import { isFile } from "./source_files.ts";

/** A package that was built. */
export interface BuiltPackage {
  /** Its files, unpacked. */
  readonly folder: string;
  /** What is published and installed. */
  readonly tarball: string;
}

/** Builds the package below a folder. Runs at the root of the project. */
export async function buildNpm(into: string): Promise<BuiltPackage> {
  const folder = `${into}/package`;
  await removeFolder(folder);
  await Deno.mkdir(into, { recursive: true });
  await unpack(into);
  await embedLibrary(folder);
  const manifest = completeManifest(JSON.parse(await Deno.readTextFile(`${folder}/package.json`)) as Manifest);
  await Deno.writeTextFile(`${folder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
  await Deno.copyFile("CHANGELOG.md", `${folder}/CHANGELOG.md`);
  const problems = [...filesBelow(folder)].flatMap((file) =>
    problemsOf(file, Deno.readTextFileSync(`${folder}/${file}`))
  );
  const missing = targetsOf(manifest).filter((target) => !isFile(`${folder}/${target}`));
  problems.push(...missing.map((target) => `${target} is exported, but does not exist`));
  if (problems.length > 0) throw new Error(`Cannot build the package: ${problems.join("; ")}`);
  const [packed] = JSON.parse(await npm(["pack", "./package", "--json", "--ignore-scripts"], into));
  return { folder, tarball: `${into}/${(packed as { readonly filename: string }).filename}` };
}

async function unpack(into: string): Promise<void> {
  const packed = `${into}/packed.tgz`;
  // Inline source maps would hold the paths of this machine.
  await run(Deno.execPath(), ["pack", "--no-source-maps", "--allow-dirty", `--output=${packed}`]);
  await run("tar", ["-xzf", "packed.tgz"], { cwd: into });
  await Deno.remove(packed);
}

function* filesBelow(folder: string, inside = ""): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(`${folder}/${inside}`)) {
    if (isDirectory) yield* filesBelow(folder, `${inside}${name}/`);
    else yield inside + name;
  }
}

function targetsOf({ exports }: Manifest): string[] {
  return Object.values(exports).flatMap((target) => typeof target === "string" ? [target] : Object.values(target));
}

const SHIPPED =
  /^(?:(?:mod|(?:adapters|src)\/.+)\.(?:js|d\.ts)|package\.json|README\.md|LICENSE|CHANGELOG\.md|THIRD_PARTY\.md)$/;

/** Says what is wrong with a file of the package. */
export function problemsOf(file: string, text: string): string[] {
  const problems: string[] = [];
  if (!SHIPPED.test(file)) problems.push(`${file} is not meant to be shipped`);
  if (text.includes("sourceMappingURL") || text.includes("file:///")) problems.push(`${file} tells where it was made`);
  if (/\bfrom "(?:jsr|npm|https?):/.test(text)) problems.push(`${file} imports what npm does not know`);
  if (text.includes(`from "${EMBEDDED}`)) problems.push(`${file} imports what is part of the package`);
  // `deno pack` writes relative imports of the types anew; one that was left would lead nowhere.
  if (/\bfrom "\.[^"]*\.tsx?"/.test(text)) problems.push(`${file} imports a source`);
  return problems;
}

if (import.meta.main) {
  const { tarball } = await buildNpm("npm");
  const { size } = await Deno.stat(tarball);
  say(`${tarball}: ${(size / 1000).toFixed(0)} kB`);
}
