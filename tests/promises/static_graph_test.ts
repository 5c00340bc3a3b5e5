import { test } from "node:test";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

// What is promised here is asked of Deno itself; the other runtimes have no such questions.
const skip = !("Deno" in globalThis);

interface Dependency {
  readonly code?: { readonly specifier: string };
  readonly isDynamic?: boolean;
}

interface ModuleGraph {
  readonly roots: readonly string[];
  readonly redirects: Readonly<Record<string, string>>;
  readonly modules: readonly { readonly specifier: string; readonly dependencies?: readonly Dependency[] }[];
}

async function deno(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(Deno.execPath(), args, { maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/** Lists what a program loads as soon as it imports the entry point: no types, nothing lazy. */
async function reachedFrom(entry: string): Promise<string[]> {
  const { roots, redirects, modules } = JSON.parse(await deno("info", "--json", entry)) as ModuleGraph;
  const reached = new Set<string>(roots);
  for (const specifier of reached) {
    const found = modules.find((module) => module.specifier === (redirects[specifier] ?? specifier));
    for (const { code, isDynamic } of found?.dependencies ?? []) {
      if (code && !isDynamic) reached.add(code.specifier);
    }
  }
  return [...reached];
}

function packagesIn(reached: readonly string[]): string[] {
  const names = reached.map((specifier) => /^npm:\/?((?:@[^/]+\/)?[^/@]+)/.exec(specifier)?.[1]);
  return [...new Set(names)].filter((name) => name !== undefined).sort();
}

test("mod.ts statically reaches no package", { skip }, async () => {
  assert.deepEqual(packagesIn(await reachedFrom("mod.ts")), []);
});

test("mod.ts reaches pages and the ways of signing in only when they are needed, and no provider or adapter at all", {
  skip,
}, async () => {
  const reached = await reachedFrom("mod.ts");
  assert.ok(reached.some((specifier) => specifier.endsWith("/src/service/respond.ts")), "the graph was not followed");
  const lazy = /\/src\/(oauth|email|credentials|pages|providers)\/|\/adapters\/|\/sign_in\/admit/;
  assert.deepEqual(reached.filter((specifier) => lazy.test(specifier)), []);
});

test("the subpaths ./errors and ./jwt need no package", { skip }, async () => {
  assert.deepEqual(packagesIn(await reachedFrom("src/errors.ts")), []);
  assert.deepEqual(packagesIn(await reachedFrom("src/jwt.ts")), []);
});

test("the graphs of the rooms reach their packages: what the other tests rely on", { skip }, async () => {
  assert.deepEqual(packagesIn(await reachedFrom("src/oauth/mod.ts")), ["oauth4webapi"]);
  assert.deepEqual(packagesIn(await reachedFrom("src/pages/render.tsx")), ["preact", "preact-render-to-string"]);
  assert.deepEqual(packagesIn(await reachedFrom("src/email/mod.ts")), []);
  assert.deepEqual(packagesIn(await reachedFrom("src/providers/nodemailer.ts")), []);
});

test("importing and creating touch nothing and need no permission", { skip }, async () => {
  const output = await deno("run", "--no-prompt", "--deny-env", "--no-check", "tests/promises/_import_probe.ts");
  const { atImport, atRequest } = JSON.parse(output) as { readonly [at: string]: readonly string[] };
  assert.deepEqual(atImport, []);
  // Proves that the probe sees what happens.
  for (const door of ["querySync", "getRandomValues", "digest"]) assert.ok(atRequest?.includes(door), door);
});
