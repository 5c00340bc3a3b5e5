/** The same tests of an application, with the packed package, under the runners that people use. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { before, describe, test } from "node:test";
import { QUIET, run } from "../../scripts/npm/run.ts";
import { builtPackage, nodeEnvironment } from "./_examples.ts";
import { runNpm } from "./_programs.ts";

const SOURCE = "tests/frameworks/runners";
const PACKAGES = { hono: "4.13.19", jest: "30.5.2", vitest: "5.1.2" };

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

const JEST = { NODE_OPTIONS: "--experimental-vm-modules", NODE_NO_WARNINGS: "1" };

const RUNNERS: readonly Runner[] = [
  { name: "node-test", imports: `import { test } from "node:test";`, command: ["node", "--test"], passed: /pass 5\b/ },
  {
    name: "deno",
    imports: "const { test } = Deno;",
    command: ["deno", "test", "--allow-all"],
    passed: /ok \| 5 passed/,
  },
  { name: "bun", imports: `import { test } from "bun:test";`, command: ["bun", "test"], passed: /5 pass\b/ },
  {
    name: "vitest",
    imports: `import { test } from "vitest";`,
    command: ["node", "node_modules/vitest/vitest.mjs", "run"],
    passed: /Tests\s+5 passed/,
  },
  {
    name: "jest",
    imports: `import { test } from "@jest/globals";`,
    command: ["node", "node_modules/jest/bin/jest.js"],
    env: JEST,
    passed: /Tests:\s+5 passed/,
  },
];

async function installProject(folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  const dependencies = { ...PACKAGES, "@x/auth": `file:${await builtPackage()}` };
  const manifest = JSON.stringify({ private: true, type: "module", jest: { transform: {} }, dependencies });
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/package.json`, manifest);
  writeFileSync(`${folder}/app.js`, readFileSync(`${SOURCE}/app.js`));
  for (const { name, imports } of RUNNERS) {
    const written = readFileSync(`${SOURCE}/app_test.js`, "utf8");
    writeFileSync(`${folder}/${name}.test.js`, written.replace(`import { test } from "node:test";`, imports));
  }
  const done = `${folder}/node_modules/.done`;
  if (existsSync(done) && readFileSync(done, "utf8") === manifest) return;
  rmSync(done, { force: true });
  await runNpm(["install", ...QUIET, "--prefer-offline", "--no-package-lock"], { cwd: folder, env }, 300);
  writeFileSync(done, manifest);
}

describe("the tests of an application", () => {
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

  for (const { name, command: [program, ...args], env, passed } of RUNNERS) {
    test(`pass under ${name}`, async () => {
      const { NODE_ENV: _, ...environment } = environments[program] ?? {};
      const options = { cwd: folder, env: { ...environment, NO_COLOR: "1", ...env } };
      const output = await run("sh", ["-c", 'exec "$@" 2>&1', "sh", program, ...args, `${name}.test.js`], options);
      assert.match(output, passed);
    });
  }
});
