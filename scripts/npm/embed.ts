/**
 * The library of the ceremonies, put into the npm package in one piece.
 *
 * It is two dozen packages, some of which must be run before others. Bundlers of applications that cut what is loaded
 * late into chunks by package, as Nitro does, run them in another order, and the application does not start. What is one
 * file has one order. The licenses of all parts go with it.
 *
 * @module
 */
import { isFile } from "../source_files.ts";
import { run } from "./run.ts";

/** The package that is put in, with all that it needs. */
export const EMBEDDED = "@simplewebauthn/server";

const SOURCE = "src/webauthn/library";

/** Where the names, versions and licenses of what was put in stand. */
export const NOTICE = "THIRD_PARTY.md";

/** Puts the library into a package that `deno pack` made, in place of the file that imports it. */
export async function embedLibrary(folder: string): Promise<void> {
  const target = `${folder}/${SOURCE}.js`;
  await run(Deno.execPath(), ["bundle", "--quiet", "--frozen", `--output=${target}`, `${SOURCE}.ts`]);
  const bundle = await Deno.readTextFile(target);
  await Deno.writeTextFile(`${folder}/${NOTICE}`, await noticeOf(packagesIn(bundle)));
  await Deno.writeTextFile(target, withoutPlaces(bundle));
}

/** A package that is part of a bundle. */
interface Part {
  readonly name: string;
  readonly version: string;
  /** Where it lies on this machine. */
  readonly folder: string;
}

/** What the bundler writes before each module, and as the name of some: the path of it, from where it runs. */
const PLACE = /(?<=\/\/ |")[^"\n]*?\/npm\/[^/"\n]+\/((?:@[^/"\n]+\/)?[^/"\n]+)\/(\d[^/"\n]*)\//g;

/** Lists the packages of a bundle. */
function packagesIn(bundle: string): Part[] {
  const parts = new Map<string, Part>();
  for (const [folder, name = "", version = ""] of bundle.matchAll(PLACE)) {
    parts.set(`${name} ${version}`, { name, version, folder });
  }
  return [...parts.values()].sort((a, b) => `${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1);
}

/** Takes out of a bundle where its modules were on this machine. */
export function withoutPlaces(bundle: string): string {
  return bundle.replace(PLACE, "$1/");
}

async function noticeOf(parts: readonly Part[]): Promise<string> {
  const sections = [
    `# What is part of ${SOURCE}.js\n\nThis file holds ${EMBEDDED} and what it needs, bundled, each under its own license.\n`,
  ];
  for (const { name, version, folder } of parts) {
    const license = ["LICENSE", "LICENSE.md", "LICENSE.txt"].map((file) => folder + file).find(isFile);
    if (!license) throw new Error(`Cannot put ${name} ${version} into the package: it has no license`);
    const text = await Deno.readTextFile(license);
    sections.push(`## ${name} ${version}\n\n${text.replaceAll("\r\n", "\n").trim()}\n`);
  }
  return sections.join("\n");
}
