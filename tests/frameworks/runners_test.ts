/** The tests of an application, as docs/testing.md prints them, with the packed package, under the runners that people use. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { before, describe, test } from "node:test";
import { readBlocks } from "../../scripts/docs/run.ts";
import { QUIET, run } from "../../scripts/npm/run.ts";
import { builtPackage, nodeEnvironment } from "./_examples.ts";
import { runNpm } from "./_programs.ts";

const PACKAGES = { hono: "4.13.19", jest: "30.5.2", vitest: "5.1.2" };

/** The packages of the applications that are in examples, in the same versions. */
const OF_EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  next: ["next", "react", "react-dom", "@types/react"],
  sveltekit: ["@sveltejs/kit", "@sveltejs/vite-plugin-svelte", "svelte", "vite", "typescript", "@types/node"],
};

/** The line of the guide that imports `test`. */
const PRINTED = `import { test } from "node:test";`;

/** A runner of tests. */
interface Runner {
  readonly name: string;
  /** The line that imports `test`. */
  readonly imports: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** What it prints after five tests that passed. */
  readonly passed: RegExp;
}

const VITEST: Runner = {
  name: "vitest",
  imports: `import { test } from "vitest";`,
  command: ["node", resolve("npm/frameworks/runners/node_modules/vitest/vitest.mjs"), "run"],
  passed: /Tests\s+5 passed/,
};

const RUNNERS: readonly Runner[] = [
  { name: "node-test", imports: PRINTED, command: ["node", "--test"], passed: /pass 5\b/ },
  {
    name: "deno",
    imports: "const { test } = Deno;",
    command: ["deno", "test", "--allow-all", "--no-check"],
    passed: /ok \| 5 passed/,
  },
  { name: "bun", imports: `import { test } from "bun:test";`, command: ["bun", "test"], passed: /5 pass\b/ },
  VITEST,
  {
    name: "jest",
    imports: `import { test } from "@jest/globals";`,
    command: ["node", "node_modules/jest/bin/jest.js"],
    env: { NODE_OPTIONS: "--experimental-vm-modules", NODE_NO_WARNINGS: "1" },
    passed: /Tests:\s+5 passed/,
  },
];

/** Jest runs no TypeScript by itself. */
const JEST = { extensionsToTreatAsEsm: [".ts"], transform: { "\\.ts$": "<rootDir>/strip_types.cjs" } };
const STRIP_TYPES = `const { stripTypeScriptTypes } = require("node:module");
module.exports = { process: (code) => ({ code: stripTypeScriptTypes(code) }) };
`;

const VITE_CONFIG = `import { sveltekit } from "@sveltejs/kit/vite";
export default { plugins: [sveltekit()] };
`;

/** What the compiler is told where no framework tells it. */
const TSCONFIG = JSON.stringify({
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: "es2024",
    module: "esnext",
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ["node"],
  },
});

/** Writes what the guide prints: the application of Hono, and those of frameworks, each with the same tests. */
function writeApplications(folder: string): void {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(`${folder}/${path}`), { recursive: true });
    writeFileSync(`${folder}/${path}`, text);
  };
  const blocks = readBlocks(["docs/testing.md"]).filter(({ file }) => file !== undefined);
  const tests = blocks.find(({ file }) => file === "app.test.ts")?.code ?? "";
  const testsFor = ({ imports }: Runner): string => tests.replace(PRINTED, imports);
  for (const { file, vitest, code } of blocks) {
    if (vitest) write(`${vitest}/${file}`, code);
    else if (file === "create_app.ts") write(file, code);
  }
  for (const runner of RUNNERS) write(`${runner.name}.test.ts`, testsFor(runner));
  write("next/app.test.ts", testsFor(VITEST));
  write("sveltekit/src/app.test.ts", testsFor(VITEST));
  write("sveltekit/src/app.html", readFileSync("examples/sveltekit/src/app.html", "utf8"));
  write("sveltekit/vite.config.js", VITE_CONFIG);
  write("sveltekit/tsconfig.json", readFileSync("examples/sveltekit/tsconfig.json", "utf8"));
  write("next/tsconfig.json", TSCONFIG);
  write("next/package.json", `{ "type": "module" }`);
  write("sveltekit/package.json", readFileSync("examples/sveltekit/package.json", "utf8"));
  write("strip_types.cjs", STRIP_TYPES);
}

/** Reads the version of each package of an example. */
function versionsOf([name, packages]: readonly [string, readonly string[]]): [string, string][] {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(`examples/${name}/package.json`, "utf8"));
  return packages.map((each) => [each, dependencies[each] ?? devDependencies[each]]);
}

async function installProject(folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  const ofExamples = Object.fromEntries(Object.entries(OF_EXAMPLES).flatMap(versionsOf));
  const dependencies = { ...PACKAGES, ...ofExamples, "@x/auth": `file:${await builtPackage()}` };
  const manifest = JSON.stringify({ private: true, type: "module", jest: JEST, dependencies });
  mkdirSync(folder, { recursive: true });
  for (const name of Object.keys(OF_EXAMPLES)) rmSync(`${folder}/${name}`, { recursive: true, force: true });
  writeFileSync(`${folder}/package.json`, manifest);
  writeApplications(folder);
  const done = `${folder}/node_modules/.done`;
  if (existsSync(done) && readFileSync(done, "utf8") === manifest) return;
  rmSync(done, { force: true });
  await runNpm(["install", ...QUIET, "--prefer-offline", "--no-package-lock"], { cwd: folder, env }, 300);
  writeFileSync(done, manifest);
}

describe("the tests of the guide", () => {
  const folder = resolve("npm/frameworks/runners");
  let environments: Readonly<Record<string, Readonly<Record<string, string>>>> = {};

  before(async () => {
    environments = {
      bun: await nodeEnvironment("bun"),
      deno: await nodeEnvironment("deno"),
      node: await nodeEnvironment(),
    };
    await installProject(folder, { ...Deno.env.toObject(), ...environments.node });
  });

  async function runTests({ command: [program, ...args], env, passed }: Runner, path: string): Promise<void> {
    const { NODE_ENV: _, ...environment } = environments[program] ?? {};
    const options = { cwd: resolve(folder, dirname(path)), env: { ...environment, NO_COLOR: "1", ...env } };
    const output = await run("sh", ["-c", 'exec "$@" 2>&1', "sh", program, ...args, basename(path)], options);
    assert.match(output, passed);
  }

  for (const runner of RUNNERS) {
    test(`pass for an application of Hono under ${runner.name}`, () => runTests(runner, `${runner.name}.test.ts`));
  }

  test("pass for an application of Next under vitest", () => runTests(VITEST, "next/app.test.ts"));

  test("pass for an application of SvelteKit under vitest", () => runTests(VITEST, "sveltekit/app.test.ts"));

  for (const name of Object.keys(OF_EXAMPLES)) {
    test(`are compiled with the application of ${name}`, async () => {
      const options = { cwd: `${folder}/${name}`, env: { ...environments.node, NO_COLOR: "1" } };
      const modules = "../node_modules";
      if (name === "sveltekit") await run("node", [`${modules}/@sveltejs/kit/svelte-kit.js`, "sync"], options);
      assert.equal(await run("sh", ["-c", `node ${modules}/typescript/bin/tsc --noEmit 2>&1`], options), "");
    });
  }
});
