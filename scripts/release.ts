/**
 * Prepares a release and shows what would be published. It publishes nothing: `.github/workflows/release.yml` does that
 * when a tag is pushed.
 *
 * The gate says which version comes next, and "Unreleased" of the changelog becomes its section. The package is built
 * from the last commit in two folders, which have to give the same bytes. The first program of the README runs on each
 * runtime with what was built. The files for the release end up in `npm/release`.
 *
 * @example Usage
 * ```sh
 * deno run -A scripts/release.ts                     # a dry run: the tree stays as it is
 * deno run -A scripts/release.ts --version 1.0.0     # with a higher version than the changes need
 * deno run -A scripts/release.ts --write             # writes the version and the changelog, to commit and tag
 * deno run -A scripts/release.ts --tag v1.0.0        # what the workflow does: takes both from the tagged commit
 * ```
 *
 * @module
 */
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { SNAPSHOTS } from "../tests/compatibility/all.ts";
import { EMBEDDED_PACKAGES } from "./npm/embed.ts";
import type { Manifest } from "./npm/manifest.ts";
import { run } from "./npm/run.ts";
import { printLine } from "./print.ts";
import { build, checkOut, sameBytes } from "./release/build.ts";
import { missingReasons, notesOf, releaseChangelog } from "./release/changelog.ts";
import { changesSince, lastOf } from "./release/last.ts";
import { type LockFile, sbomOf } from "./release/sbom.ts";
import { type DryRun, dryRunOfJsr, dryRunOfNpm, tryOn, tryOnDeno } from "./release/trials.ts";
import { type Level, versionFor, versionOfTag } from "./release/version.ts";

const OUTPUT = "npm/release";

/** What is released. */
interface Plan {
  readonly last: string;
  readonly level: Level;
  readonly version: string;
  readonly changelog: string;
  /** The section of the changelog. */
  readonly notes: string;
}

/** What the command line asks for. */
interface Asked {
  readonly version?: string | undefined;
  readonly tag?: string | undefined;
}

async function planRelease({ version: asked, tag }: Asked): Promise<Plan> {
  const tagged = tag === undefined ? undefined : versionOfTag(tag, await run("git", ["show", "HEAD:deno.json"]));
  const changelog = await run("git", ["show", "HEAD:CHANGELOG.md"]);
  const tags = (await run("git", ["tag", "--merged", "HEAD"])).split("\n");
  const last = lastOf(tags, changelog, tagged);
  const { level, reasons } = await changesSince(last, SNAPSHOTS);
  const version = versionFor(last.version, level, tagged ?? asked);
  const day = new Date().toISOString().slice(0, 10);
  const after = tagged === undefined ? releaseChangelog(changelog, { version, day, reasons }) : changelog;
  const notes = notesOf(after, version);
  const [missing] = missingReasons(notes, reasons);
  if (missing !== undefined) throw new Error(`CHANGELOG.md does not say what breaks in ${version}: ${missing}`);
  return { last: last.version, level, version, changelog: after, notes };
}

async function writeSbom(folder: string, tarball: Uint8Array, path: string): Promise<string> {
  const manifest = JSON.parse(await Deno.readTextFile(`${folder}/npm/package/package.json`)) as Manifest;
  const lock = JSON.parse(await Deno.readTextFile(`${folder}/deno.lock`)) as LockFile;
  const bom = sbomOf({
    name: manifest.name,
    version: manifest.version,
    tarball,
    timestamp: new Date((await run("git", ["log", "-1", "--format=%cI"])).trim()).toISOString(),
    dependencies: Object.entries(manifest.dependencies ?? {}).map(([name, range]) => `${name}@${range}`),
    embedded: EMBEDDED_PACKAGES,
  }, lock);
  await Deno.writeTextFile(path, `${JSON.stringify(bom, null, 2)}\n`);
  const inside = bom.components.filter(({ properties }) => properties).length;
  return `${path}: ${bom.components.length} packages, ${inside} of them inside the tarball`;
}

/** Writes the digests of files in the form that `sha256sum --check` reads. @returns its lines. */
async function writeSums(paths: readonly string[]): Promise<string[]> {
  const lines = await Promise.all(paths.map(async (path) => {
    const digest = createHash("sha256").update(await Deno.readFile(path)).digest("hex");
    return `${digest}  ${path.slice(OUTPUT.length + 1)}`;
  }));
  await Deno.writeTextFile(`${OUTPUT}/SHA256SUMS`, `${lines.join("\n")}\n`);
  return lines;
}

function tell(step: string, result: string): void {
  printLine(`${step.padEnd(11)}${result}`);
}

function wordsOf(result: DryRun): string {
  return result.ok ? "a dry run of publishing works" : `not asked, because it cannot be reached (${result.why})`;
}

function nextSteps(
  { version }: Plan,
  { tag, written }: { readonly tag: boolean; readonly written: boolean },
): string[] {
  const commit = [
    `commit   git commit --message "Release ${version}" deno.json CHANGELOG.md`,
    `tag      git tag --sign --message "Release ${version}" v${version}`,
    `push     git push --atomic origin main v${version}`,
  ];
  const publish = `publish  @x/auth@${version} to npm and to JSR, by .github/workflows/release.yml`;
  if (tag) return ["Nothing was published. The next jobs of the workflow do this:", publish];
  const head = written
    ? "deno.json and CHANGELOG.md were written. What is left:"
    : "This was a dry run. A release is --write, and then:";
  return [head, ...commit, publish];
}

/** Builds, tries and describes a release. The folders for it are removed by the caller. */
async function release(plan: Plan, work: string): Promise<void> {
  const folders = [`${work}/first`, `${work}/second/deeper`] as const;
  for (const folder of folders) await checkOut(folder, plan);
  const [first, second] = [await build(folders[0]), await build(folders[1])];
  const bytes = sameBytes(await Deno.readFile(first), await Deno.readFile(second));
  const tarball = `${OUTPUT}/${first.split("/").at(-1)}`;
  await Deno.writeFile(tarball, bytes);
  tell("build", `${tarball}: ${(bytes.length / 1000).toFixed(0)} kB, the same bytes in two folders`);
  const sbom = tarball.replace(/\.tgz$/, ".cdx.json");
  tell("sbom", await writeSbom(folders[0], bytes, sbom));
  await Deno.writeTextFile(`${OUTPUT}/notes.md`, `${plan.notes}\n`);
  for (const line of await writeSums([tarball, sbom])) tell("sha256", line);
  tell("install", `${await tryOnDeno(folders[0])}: the first program of the README works`);
  for (const runtime of ["node-22", "node-24", "bun"] as const) {
    const name = await tryOn(runtime, { runtimes: "npm/runtimes", tarball });
    tell("", `${name}: the first program of the README works`);
  }
  tell("npm", wordsOf(await dryRunOfNpm(tarball)));
  tell("JSR", wordsOf(await dryRunOfJsr(folders[0])));
}

async function main({ write, ...asked }: Asked & { readonly write: boolean }): Promise<void> {
  const changed = await run("git", ["status", "--porcelain", "--untracked-files=no"]);
  if (changed && write) throw new Error("Commit what has changed first: --write adds to the last commit");
  if (changed) tell("note", "changes that are not committed are left out");
  await run(Deno.execPath(), ["run", "--allow-all", "--no-check", "scripts/compatible.ts"]);
  tell("gate", "no promise is broken without a reason");
  const plan = await planRelease(asked);
  tell("version", `${plan.last} → ${plan.version}: the changes are of level "${plan.level}"`);
  tell("changelog", `${plan.notes.split("\n").length} lines for ${plan.version}`);
  rmSync(OUTPUT, { recursive: true, force: true });
  await Deno.mkdir(OUTPUT, { recursive: true });
  const work = await Deno.makeTempDir({ prefix: "release-" });
  try {
    await release(plan, work);
    if (write) { for (const file of ["deno.json", "CHANGELOG.md"]) await Deno.copyFile(`${work}/first/${file}`, file); }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  for (const line of nextSteps(plan, { tag: asked.tag !== undefined, written: write })) printLine(line);
}

if (import.meta.main) {
  const options = { version: { type: "string" }, tag: { type: "string" }, write: { type: "boolean" } } as const;
  const { values: { write = false, ...asked } } = parseArgs({ args: Deno.args, options });
  try {
    await main({ ...asked, write });
  } catch (error) {
    printLine(`Not released: ${error instanceof Error ? error.message : error}`);
    Deno.exit(1);
  }
}
