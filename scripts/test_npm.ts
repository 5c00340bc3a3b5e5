/**
 * Builds the npm package and tests it on other runtimes, which it fetches from npm.
 *
 * By default on one Node and on Bun; with `--long` on every Node, with the tests that take longer, in the eyes of the
 * compiler and of the linters of packages, and in the bundles that applications are made into.
 *
 * @example Usage
 * ```sh
 * deno run -A scripts/test_npm.ts
 * deno run -A scripts/test_npm.ts --long
 * ```
 *
 * @module
 */
import { buildNpm, type BuiltPackage } from "./build_npm.ts";
import { tryBundles } from "./npm/bundles.ts";
import { consume } from "./npm/consumer.ts";
import type { Manifest } from "./npm/manifest.ts";
import { failuresIn, runSuite } from "./npm/run_suite.ts";
import { fetchRuntime, nodeOfPath, type OtherRuntime } from "./npm/runtimes.ts";
import { openStage, type Stage } from "./npm/stage.ts";
import { EXCEPTIONS, suitesFor } from "./npm/suites.ts";
import { travel } from "./npm/travel.ts";
import { tryExample } from "./npm/try_example.ts";
import { say } from "./say.ts";

const HOME = "npm";
const RUNTIMES = `${HOME}/runtimes`;

async function runtimesFor(long: boolean): Promise<OtherRuntime[]> {
  const names = long ? ["node-22", "node-24", "bun"] as const : ["bun"] as const;
  const nodes = long ? [] : [await nodeOfPath() ?? await fetchRuntime("node-24", RUNTIMES)];
  for (const name of names) nodes.push(await fetchRuntime(name, RUNTIMES));
  return nodes;
}

/** Runs every suite on every runtime and says how each went, in the words of `deno test`. */
async function runSuites(runtimes: readonly OtherRuntime[], stage: Stage, long: boolean): Promise<boolean> {
  let green = true;
  for (const runtime of runtimes) {
    for (const suite of suitesFor(runtime, long)) {
      say(`${runtime.name}: ${suite.name} (${suite.files.length} files)`);
      const { passed, failed, skipped, seconds, output } = await runSuite(runtime, suite, stage[suite.place]);
      if (failed > 0) say(failuresIn(runtime.kind, output));
      const state = `${passed} passed | ${failed} failed | ${skipped} ignored`;
      say(`${failed > 0 ? "FAILED" : "ok"} | ${state} (${seconds.toFixed(0)}s)`);
      green &&= failed === 0 && passed > 0;
    }
    for (const { files, why } of EXCEPTIONS.filter(({ on }) => on === runtime.kind)) {
      say(`Not on ${runtime.name}: ${files.source}, because ${why}`);
    }
  }
  return green;
}

async function travels(runtimes: readonly OtherRuntime[], { installed }: Stage): Promise<boolean> {
  const { tried, problems } = await travel(runtimes, installed);
  for (const problem of problems) say(problem);
  say(`${tried - problems.length} of ${tried} sessions open on another runtime, or on the same`);
  return problems.length === 0;
}

async function tries(runtimes: readonly OtherRuntime[], { installed }: Stage): Promise<void> {
  for (const runtime of runtimes) {
    await tryExample(runtime, installed);
    say(`The example greets strangers on ${runtime.name}`);
  }
}

async function consumes({ tarball, folder }: BuiltPackage, runtimes: readonly OtherRuntime[]): Promise<void> {
  const node = runtimes.find(({ kind }) => kind === "node");
  if (!node) throw new Error("Cannot look at the package: there is no Node");
  const manifest = JSON.parse(await Deno.readTextFile(`${folder}/package.json`)) as Manifest;
  const path = await Deno.realPath(tarball);
  await consume(`${HOME}/consumer`, { tarball: path, manifest, node, progress: say });
  await tryBundles(`${HOME}/bundles`, { tarball: path, node, progress: say });
}

if (import.meta.main) {
  const long = Deno.args.includes("--long");
  say("Building the npm package");
  const built = await buildNpm(HOME);
  const runtimes = await runtimesFor(long);
  const stage = await openStage(`${HOME}/stage`, built.tarball);
  await tries(runtimes, stage);
  const green = [await travels(runtimes, stage), await runSuites(runtimes, stage, long)];
  if (long) await consumes(built, runtimes);
  if (green.includes(false)) Deno.exit(1);
}
