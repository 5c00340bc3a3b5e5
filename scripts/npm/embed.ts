/**
 * Puts the WebAuthn library into the npm package as one file.
 *
 * The library consists of two dozen packages, and some have to run before others. Nitro and other bundlers split lazily
 * loaded code into one chunk a package and run them in another order, so the application does not start. One file keeps
 * the order. The licenses of all parts are published with it.
 *
 * @module
 */
import { isFile } from "../source_files.ts";
import { run } from "./run.ts";

/** The package that is embedded, with all its dependencies. */
export const EMBEDDED = "@simplewebauthn/server";

const SOURCE = "src/webauthn/library";

/** The file with the names, versions and licenses of the embedded packages. */
export const NOTICE = "THIRD_PARTY.md";

/** Bundles the library into the package, in place of the file that imports it. @param folder What `deno pack` wrote. */
export async function embedLibrary(folder: string): Promise<void> {
  const target = `${folder}/${SOURCE}.js`;
  await run(Deno.execPath(), ["bundle", "--quiet", "--frozen", `--output=${target}`, `${SOURCE}.ts`]);
  const bundle = await Deno.readTextFile(target);
  await Deno.writeTextFile(`${folder}/${NOTICE}`, await noticeOf(packagesIn(bundle)));
  await Deno.writeTextFile(target, withoutLocalPaths(bundle));
}

/** A package that is part of a bundle. */
interface Part {
  readonly name: string;
  readonly version: string;
  /** Its folder on this machine. */
  readonly folder: string;
}

/** The path that the bundler writes in a comment before each module, and uses as the name of some. */
const MODULE_PATH = /(?<=\/\/ |")[^"\n]*?\/npm\/[^/"\n]+\/((?:@[^/"\n]+\/)?[^/"\n]+)\/(\d[^/"\n]*)\//g;

/** Lists the packages of a bundle. */
function packagesIn(bundle: string): Part[] {
  const parts = new Map<string, Part>();
  for (const [folder, name = "", version = ""] of bundle.matchAll(MODULE_PATH)) {
    parts.set(`${name} ${version}`, { name, version, folder });
  }
  return [...parts.values()].sort((a, b) => `${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1);
}

/** Removes the paths of this machine from a bundle. */
export function withoutLocalPaths(bundle: string): string {
  return bundle.replace(MODULE_PATH, "$1/");
}

async function noticeOf(parts: readonly Part[]): Promise<string> {
  const sections = [
    `# Parts of ${SOURCE}.js\n\nThis file holds ${EMBEDDED} and its dependencies, bundled, each under its own license.\n`,
  ];
  for (const { name, version, folder } of parts) {
    const license = ["LICENSE", "LICENSE.md", "LICENSE.txt"].map((file) => folder + file).find(isFile);
    if (!license) throw new Error(`Cannot put ${name} ${version} into the package: it has no license file`);
    const text = await Deno.readTextFile(license);
    sections.push(`## ${name} ${version}\n\n${text.replaceAll("\r\n", "\n").trim()}\n`);
  }
  return sections.join("\n");
}
