/**
 * Turns the modules of the npm package into few files: what every start needs is one file, and what is loaded late is a
 * file of its own each. A runtime spends about half a millisecond on a file, however short it is.
 *
 * The types stay a file for each source, because nothing loads them in production.
 *
 * @module
 */
import { readdirSync, rmSync } from "node:fs";
import { dirname, relative } from "node:path";
import { type Plugin, rolldown } from "rolldown";
import { minifySync } from "rolldown/utils";
import { chunksOf, LIBRARIES, type ModuleLinks, SHARED } from "./chunks.ts";
import { isExternal, resolveEmbedded } from "./embed.ts";
import { entriesOf, type Manifest } from "./manifest.ts";

/** What is not a part of anybody's application, where a stack trace has to show names. */
const BESIDE = /^(?:cli|testing)\/|^(?:adapters\/conformance|chunks\/command)\.js$/;

/** Bundles the package in its folder. The files that the manifest exports keep their paths. */
export async function bundlePackage(folder: string, manifest: Manifest): Promise<void> {
  const root = await Deno.realPath(folder);
  const entries = entriesOf(manifest);
  const pathOf = (id: string): string => relative(root, id).replaceAll("\\", "/");
  let chunks: ReadonlyMap<string, string> = new Map();
  const plugin: Plugin = {
    name: "package",
    resolveId: (specifier) => resolveEmbedded(specifier, root),
    buildEnd() {
      const links = [...this.getModuleIds()].map((id): [string, ModuleLinks] => {
        const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {};
        return [pathOf(id), { now: importedIds.map(pathOf), later: dynamicallyImportedIds.map(pathOf) }];
      });
      chunks = chunksOf(new Map(links), entries);
    },
  };
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((path) => [path.replace(/\.js$/, ""), `./${path}`])),
    external: isExternal,
    plugins: [plugin],
    platform: "neutral",
    // A machine that is busy is slow. That is not an error of the package.
    checks: { pluginTimings: false, bundlerTimings: false },
    onLog(level, { code, message }) {
      // The directive of the React client: a test of the package reads it.
      if (level === "warn" && code !== "MODULE_LEVEL_DIRECTIVE") {
        throw new Error(`Cannot bundle the package: ${message}`);
      }
    },
  });
  const { output } = await bundle.generate({
    format: "es",
    entryFileNames: "[name].js",
    chunkFileNames: ({ facadeModuleId, isDynamicEntry }) =>
      isDynamicEntry && facadeModuleId ? pathOf(facadeModuleId) : "chunks/[name].js",
    // Editors show the comments of the types, and the licenses of what is embedded are in a file.
    comments: { legal: false, jsdoc: false, annotation: true },
    minifyInternalExports: false,
    codeSplitting: {
      // A group takes along what its modules import, unless an earlier group has it.
      groups: SHARED.map((name) => ({ name, test: (id) => chunks.get(pathOf(id)) === name })),
    },
  });
  await bundle.close();
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (file.endsWith(".js")) rmSync(`${folder}/${file}`);
  }
  for (const file of output) {
    await Deno.mkdir(dirname(`${folder}/${file.fileName}`), { recursive: true });
    if (file.type !== "chunk") throw new Error(`Cannot bundle the package: ${file.fileName} is not code`);
    const isBeside = BESIDE.test(file.fileName);
    const isSmall = isBeside || LIBRARIES.includes(file.name);
    const code = isSmall ? small(file.fileName, file.code, isBeside) : file.code;
    await Deno.writeTextFile(`${folder}/${file.fileName}`, code);
  }
}

/** Removes what only readers of code need. What a test prints shows the names of our classes. */
function small(name: string, text: string, ours: boolean): string {
  const { code, errors } = minifySync(name, text, {
    module: true,
    mangle: { keepNames: { class: ours, function: false } },
  });
  if (errors.length > 0) throw new Error(`Cannot make ${name} small: ${errors.map(({ message }) => message)}`);
  return code;
}
