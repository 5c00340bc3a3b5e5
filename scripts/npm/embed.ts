/**
 * Puts packages into the npm package, each as one file, so that applications install fewer packages.
 *
 * SimpleWebAuthn consists of two dozen packages, and some have to run before others. Nitro and other bundlers split
 * lazily loaded code into one chunk a package and run them in another order, so the application does not start. One file
 * keeps the order. Of uqr one function is used. The licenses of all parts are published with them.
 *
 * @module
 */
import { isFile } from "../source_files.ts";
import { run } from "./run.ts";

/** What is embedded. */
interface Embedded {
  /** The packages that the sources import, without what these depend on. */
  readonly packages: readonly string[];
  /** The source to bundle: it exports what is used. */
  readonly source: string;
  /** Its place in the package. */
  readonly target: string;
}

const EMBEDDED: readonly Embedded[] = [
  {
    packages: ["@simplewebauthn/server"],
    source: "src/webauthn/library.ts",
    target: "src/webauthn/library.js",
  },
  {
    packages: ["uqr"],
    source: "src/second_factor/qr_library.ts",
    target: "src/second_factor/qr_library.js",
  },
];

/** The packages that are embedded, so that users need not install them. */
export const EMBEDDED_PACKAGES: readonly string[] = EMBEDDED.flatMap(({ packages }) => packages);

/** The file with the names, versions and licenses of the embedded packages. */
export const NOTICE = "THIRD_PARTY.md";

/** Bundles the libraries into the package. @param folder What `deno pack` wrote. */
export async function embedLibraries(folder: string): Promise<void> {
  const parts: Part[] = [];
  for (const { source, target } of EMBEDDED) {
    await run(Deno.execPath(), ["bundle", "--quiet", "--frozen", `--output=${folder}/${target}`, source]);
    const bundle = await Deno.readTextFile(`${folder}/${target}`);
    parts.push(...packagesIn(bundle));
    await Deno.writeTextFile(`${folder}/${target}`, withoutLocalPaths(bundle));
  }
  await Deno.writeTextFile(`${folder}/${NOTICE}`, await noticeOf(parts));
}

/** Finds the file in the package that holds an embedded package. Null for any other import. */
export function resolveEmbedded(specifier: string, folder: string): string | null {
  const found = EMBEDDED.find(({ packages }) =>
    packages.some((name) => specifier === name || specifier.startsWith(`${name}/`))
  );
  return found ? `${folder}/${found.target}` : null;
}

/** Whether an import leads to a package that applications install, or to the runtime. */
export function isExternal(specifier: string): boolean {
  return /^[^./]/.test(specifier) && resolveEmbedded(specifier, "") === null;
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
  return [...parts.values()];
}

/** Removes the paths of this machine from a bundle. */
export function withoutLocalPaths(bundle: string): string {
  return bundle.replace(MODULE_PATH, "$1/");
}

async function noticeOf(parts: readonly Part[]): Promise<string> {
  const sections = [
    "# Packages that are part of this one\n\nThe files of this package hold the following ones, each under its own license.\n",
  ];
  for (const { name, version, folder } of parts.toSorted((a, b) => keyOf(a) < keyOf(b) ? -1 : 1)) {
    const license = ["LICENSE", "LICENSE.md", "LICENSE.txt"].map((file) => folder + file).find(isFile);
    if (!license) throw new Error(`Cannot put ${name} ${version} into the package: it has no license file`);
    const text = await Deno.readTextFile(license);
    sections.push(`## ${name} ${version}\n\n${text.replaceAll("\r\n", "\n").trim()}\n`);
  }
  return sections.join("\n");
}

function keyOf({ name, version }: Part): string {
  return `${name} ${version}`;
}
