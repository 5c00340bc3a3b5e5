/**
 * Builds the npm package and tests it on other runtimes, which it fetches from npm.
 *
 * By default on one version of Node, with `--bun` on Bun. With `--bun` applications are compiled, too: those that emit
 * declarations of what they export of the package, those that were written for Auth.js, and those whose types are counted,
 * because they may not cost compilers more. With `--long` on both and on every supported Node, with the slow tests, with
 * more compilers, `publint` and `attw`, and inside the bundles of applications.
 *
 * @example Usage
 * ```sh
 * deno run -A scripts/test_npm.ts
 * deno run -A scripts/test_npm.ts --bun
 * deno run -A scripts/test_npm.ts --long
 * ```
 *
 * @module
 */
import { readOverrides, readSnapshot } from "../tests/compatibility/_files.ts";
import { report } from "../tests/compatibility/_report.ts";
import { weigh } from "../tests/compatibility/_snapshot.ts";
import { TYPES } from "../tests/compatibility/types.ts";
import { buildNpm, type BuiltPackage } from "./build_npm.ts";
import { checkAuthjsTypes } from "./npm/authjs_types.ts";
import { tryBundles } from "./npm/bundles.ts";
import { checkPackage } from "./npm/check_package.ts";
import { checkDeclarations } from "./npm/declarations.ts";
import type { Manifest } from "./npm/manifest.ts";
import { failuresIn, runSuite } from "./npm/run_suite.ts";
import { fetchRuntime, nodeOnPath, type OtherRuntime } from "./npm/runtimes.ts";
import { prepareTestFolders, type TestFolders } from "./npm/test_folders.ts";
import { EXCEPTIONS, suitesFor } from "./npm/suites.ts";
import { exchangeSessions } from "./npm/exchange_sessions.ts";
import { runDocs } from "./npm/run_docs.ts";
import { tryExample } from "./npm/try_example.ts";
import { tryQuickStart } from "./npm/try_quick_starts.ts";
import { countTypes } from "./npm/type_cost.ts";
import { printLine } from "./print.ts";
import { dryRunOfNpm } from "./release/trials.ts";

const HOME = "npm";
const RUNTIMES = `${HOME}/runtimes`;

async function someNode(): Promise<OtherRuntime> {
  return await nodeOnPath() ?? await fetchRuntime("node-24", RUNTIMES);
}

async function runtimesFor(args: readonly string[]): Promise<OtherRuntime[]> {
  if (args.includes("--bun")) return [await fetchRuntime("bun", RUNTIMES)];
  if (!args.includes("--long")) return [await someNode()];
  const runtimes: OtherRuntime[] = [];
  for (const name of ["node-22", "node-24", "bun"] as const) runtimes.push(await fetchRuntime(name, RUNTIMES));
  return runtimes;
}

/** Runs every suite on every runtime and prints a summary of each in the format of `deno test`. */
async function runSuites(runtimes: readonly OtherRuntime[], folders: TestFolders, long: boolean): Promise<boolean> {
  let green = true;
  for (const runtime of runtimes) {
    for (const suite of suitesFor(runtime, long)) {
      printLine(`${runtime.name}: ${suite.name} (${suite.files.length} files)`);
      const { passed, failed, skipped, seconds, output } = await runSuite(runtime, suite, folders[suite.folder]);
      if (failed > 0) printLine(failuresIn(runtime.kind, output));
      const state = `${passed} passed | ${failed} failed | ${skipped} ignored`;
      printLine(`${failed > 0 ? "FAILED" : "ok"} | ${state} (${seconds.toFixed(0)}s)`);
      green &&= failed === 0 && passed > 0;
    }
    for (const { files, why } of EXCEPTIONS.filter(({ on }) => on === runtime.kind)) {
      printLine(`Not on ${runtime.name}: ${files.source}, because ${why}`);
    }
  }
  return green;
}

async function runExchange(runtimes: readonly OtherRuntime[], { installed }: TestFolders): Promise<boolean> {
  const { tried, problems } = await exchangeSessions(runtimes, installed);
  for (const problem of problems) printLine(problem);
  printLine(`${tried - problems.length} of ${tried} sessions open, on the runtime that created them and on the others`);
  return problems.length === 0;
}

async function tryExamples(
  runtimes: readonly OtherRuntime[],
  { installed }: TestFolders,
  { tarball }: BuiltPackage,
): Promise<void> {
  for (const runtime of runtimes) {
    await tryExample(runtime, installed);
    printLine(`The example works on ${runtime.name}`);
    await tryQuickStart(runtime, tarball);
    printLine(`The first program of the README works on ${runtime.name}`);
  }
}

async function runGuides(runtimes: readonly OtherRuntime[], { installed }: TestFolders): Promise<boolean> {
  let green = true;
  for (const runtime of runtimes) {
    const { ran, failures } = await runDocs(runtime, installed);
    for (const { name, reason } of failures) printLine(`${name}: ${reason}`);
    printLine(`${runtime.name}: ${ran - failures.length} of ${ran} programs of the guides run`);
    green &&= ran > 0 && failures.length === 0;
  }
  return green;
}

/** Compares what the types cost with what is recorded, as `deno task compatible types` does. */
function checkTypeCost(lines: readonly string[]): boolean {
  const { version } = JSON.parse(Deno.readTextFileSync("deno.json")) as { readonly version: string };
  const findings = weigh(TYPES, readSnapshot(TYPES.id), lines, readOverrides());
  for (const line of report(TYPES, lines.length, findings, version)) printLine(line);
  return findings.length === 0;
}

async function checkAsInstalled({ tarball, folder }: BuiltPackage, runtimes: readonly OtherRuntime[]): Promise<void> {
  const node = runtimes.find(({ kind }) => kind === "node");
  if (!node) throw new Error("Cannot check the package without Node");
  const manifest = JSON.parse(await Deno.readTextFile(`${folder}/package.json`)) as Manifest;
  const path = await Deno.realPath(tarball);
  await checkPackage(`${HOME}/consumer`, { tarball: path, manifest, node, progress: printLine });
  await tryBundles(`${HOME}/bundles`, { tarball: path, node, progress: printLine });
}

if (import.meta.main) {
  const long = Deno.args.includes("--long");
  printLine("Building the npm package");
  const built = await buildNpm(HOME);
  const published = await dryRunOfNpm(built.tarball);
  printLine(
    published.ok ? "npm would publish it" : `npm was not asked, because it cannot be reached: ${published.why}`,
  );
  const runtimes = await runtimesFor(Deno.args);
  const folders = await prepareTestFolders(`${HOME}/folders`, built.tarball);
  await tryExamples(runtimes, folders, built);
  // Sessions go from Node to Bun and back, too.
  const exchanging = Deno.args.includes("--bun") ? [await someNode(), ...runtimes] : runtimes;
  const green = [
    await runGuides(runtimes, folders),
    await runExchange(exchanging, folders),
    await runSuites(runtimes, folders, long),
  ];
  // The types are the same for all runtimes, and compilers take minutes: `deno task test` leaves them out.
  if (long || Deno.args.includes("--bun")) {
    const trial = { tarball: await Deno.realPath(built.tarball), node: await someNode(), progress: printLine };
    await checkDeclarations(`${HOME}/declarations`, trial);
    await checkAuthjsTypes(`${HOME}/authjs_types`, trial, long);
    green.push(checkTypeCost(await countTypes(`${HOME}/type_cost`, trial)));
  }
  if (long) await checkAsInstalled(built, runtimes);
  if (green.includes(false)) Deno.exit(1);
}
