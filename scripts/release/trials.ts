/**
 * What somebody does with a release: install it in an empty folder and run the first program. And what publishing would
 * do, without doing it.
 *
 * @module
 */
import { cpSync, rmSync } from "node:fs";
import { firstProgram, tryFirstProgram } from "../npm/quick_starts.ts";
import { npm, run } from "../npm/run.ts";
import { fetchRuntime, type RuntimeName } from "../npm/runtimes.ts";
import { tryQuickStart } from "../npm/try_quick_starts.ts";

/** Installs the tarball in an empty folder and runs the first program of the README. @returns the name of the runtime. */
export async function tryOn(runtime: RuntimeName, { runtimes, tarball }: {
  /** Where runtimes are kept for the next time. */
  readonly runtimes: string;
  readonly tarball: string;
}): Promise<string> {
  const found = await fetchRuntime(runtime, runtimes);
  await tryQuickStart(found, tarball);
  return found.name;
}

/**
 * Runs the first program of the README on Deno, with the files that JSR would get and no others.
 *
 * @param sources The folder to publish from.
 */
export async function tryOnDeno(sources: string): Promise<string> {
  const program = firstProgram(await Deno.readTextFile(`${sources}/README.md`), "deno");
  const { name, version, publish } = JSON.parse(await Deno.readTextFile(`${sources}/deno.json`)) as JsrPackage;
  const home = await Deno.makeTempDir({ prefix: "first-" });
  const folder = `${home}/site`;
  try {
    for (const path of publish.include) cpSync(`${sources}/${path}`, `${home}/package/${path}`, { recursive: true });
    await Deno.mkdir(folder);
    // What `deno add` would write, and where the package is as long as it is not published.
    const config = { links: ["../package"], imports: { [name]: `jsr:${name}@${version}` } };
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(config));
    const place = { folder, command: Deno.execPath(), flags: ["--no-prompt"] };
    await tryFirstProgram(program, place);
    if (program.inOwnWay) await tryFirstProgram({ ...program, source: program.inOwnWay }, place);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  return `Deno ${Deno.version.deno}`;
}

interface JsrPackage {
  readonly name: string;
  readonly version: string;
  readonly publish: { readonly include: readonly string[] };
}

/** How a dry run of publishing went: well, or not at all. */
export type DryRun = { readonly ok: true } | { readonly ok: false; readonly why: string };

/** Asks npm to publish the tarball, and to stop before it does. */
export async function dryRunOfNpm(tarball: string): Promise<DryRun> {
  // npm takes `a/b.tgz` for a repository on GitHub, and an absolute path for a file.
  const path = await Deno.realPath(tarball);
  const args = ["publish", "--dry-run", "--access=public", "--ignore-scripts", "--fetch-retries=0", path];
  return await unlessOffline(() => npm(args, "."));
}

/** Asks Deno to publish to JSR, and to stop before it does. */
export async function dryRunOfJsr(sources: string): Promise<DryRun> {
  const args = ["publish", "--dry-run", "--allow-dirty", "--quiet"];
  return await unlessOffline(() => run(Deno.execPath(), args, { cwd: sources }));
}

/** What npm, Deno and the system say when a registry cannot be reached, or has no time. */
const OFFLINE = /\b(?:E429|E5\d\d|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|dns error)\b/;

/** Without a network there is nothing to ask. Any other error is one of the release. */
export async function unlessOffline(ask: () => Promise<unknown>): Promise<DryRun> {
  try {
    await ask();
    return { ok: true };
  } catch (error) {
    const [why] = OFFLINE.exec(error instanceof Error ? error.message : `${error}`) ?? [];
    if (why === undefined) throw error;
    return { ok: false, why };
  }
}
