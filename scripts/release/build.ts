/**
 * Builds a release from the last commit, in folders of their own.
 *
 * @module
 */
import { run } from "../npm/run.ts";
import { withVersion } from "./version.ts";

/** What a release changes in the last commit. */
export interface Contents {
  readonly version: string;
  readonly changelog: string;
}

/** Copies the last commit into a folder and gives it the version. */
export async function checkOut(folder: string, { version, changelog }: Contents): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const archive = `${folder}.tar`;
  await run("git", ["archive", `--output=${archive}`, "HEAD"]);
  await run("tar", ["-xf", archive, "-C", folder]);
  await Deno.remove(archive);
  const config = await Deno.readTextFile(`${folder}/deno.json`);
  await Deno.writeTextFile(`${folder}/deno.json`, withVersion(config, version));
  await Deno.writeTextFile(`${folder}/CHANGELOG.md`, changelog);
  await run(Deno.execPath(), ["fmt", "--quiet", "CHANGELOG.md"], { cwd: folder });
}

/** Builds the package in a folder of its own. @returns the path of the tarball. */
export async function build(folder: string): Promise<string> {
  await run(Deno.execPath(), ["run", "--allow-all", "--frozen", "scripts/build_npm.ts"], { cwd: folder });
  const [tarball] = Array.from(Deno.readDirSync(`${folder}/npm`)).filter(({ name }) => name.endsWith(".tgz"));
  if (!tarball) throw new Error("scripts/build_npm.ts wrote no tarball");
  return `${folder}/npm/${tarball.name}`;
}

/** The bytes of two builds. @throws {Error} if they differ: then nobody could tell what was published. */
export function sameBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === second.length && first.every((byte, at) => byte === second[at])) return first;
  throw new Error("The package has other bytes when it is built again in another folder");
}
