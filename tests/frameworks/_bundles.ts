/** An application that bundlers make files for browsers of, with what it must not and what it may import. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { QUIET, run } from "../../scripts/npm/run.ts";
import { builtPackage, nodeEnvironment } from "./_examples.ts";
import { runNpm } from "./_programs.ts";

/** What stands in the files of whoever ships the service. */
export const CLIENT_SECRET = "canary-of-a-client-secret";

const PACKAGES = {
  "esbuild": "0.28.2",
  "jsdom": "31.0.1",
  "next": "16.4.6",
  "react": "19.3.1",
  "react-dom": "19.3.1",
  "vite": "8.3.8",
  "vitest": "5.1.1",
  "webpack": "5.113.0",
};

const FILES: Readonly<Record<string, string>> = {
  "auth.js": `
import { NextAuth } from "@x/auth/next";
import { github } from "@x/auth/providers/github";
export const { auth, handlers } = NextAuth({ providers: [github({ clientId: "id", clientSecret: "${CLIENT_SECRET}" })] });
`,
  "leak.js": 'import { auth } from "./auth.js";\ndocument.title = String(auth);\n',
  "unused.js": 'import { createAuth } from "@x/auth";\ndocument.title = "Nothing of it is called";\n',
  "fine.ts": `
import type { Session } from "@x/auth";
import type { NextAuthResult } from "@x/auth/next";
import { getSession } from "@x/auth/client";
import { account } from "@x/auth/client/account";
import { useAccount } from "@x/auth/client/account/react";
import { SignInError } from "@x/auth/errors";
import { useSession } from "@x/auth/react";
const session: Session | null = await getSession();
const auth: NextAuthResult | null = null;
document.title = String([session, auth, useSession, account, useAccount, SignInError]);
`,
  "worker.js": `
import { createAuth } from "@x/auth";
import { github } from "@x/auth/providers/github";
const secret = "a secret of at least 32 characters, for a worker";
const { handler } = createAuth({ secret, trustHost: true, providers: [github({ clientId: "id", clientSecret: "x" })] });
export default { fetch: (request) => handler(request) };
`,
  "ask.js": `
const { default: worker } = await import("./out/worker.js");
console.log(await (await worker.fetch(new Request("https://localhost/auth/session"))).text());
`,
  "site_test.js": `
// @vitest-environment jsdom
import { createAuth } from "@x/auth";
import { github } from "@x/auth/providers/github";
import { expect, test } from "vitest";
test("the service works where jsdom is", async () => {
  expect(document.nodeType).toBe(9);
  const secret = "a secret of at least 32 characters, for tests";
  const { handler } = createAuth({ secret, trustHost: true, providers: [github({ clientId: "id", clientSecret: "x" })] });
  expect(await (await handler(new Request("http://localhost/auth/session"))).json()).toBe(null);
});
`,
  "vite.config.js": `
export default {
  build: { lib: { entry: process.env.ENTRY, formats: ["es"], fileName: "vite" }, outDir: "out", emptyOutDir: false },
  test: { include: ["site_test.js"] },
};
`,
  "webpack.js": `
import webpack from "webpack";
const output = { path: import.meta.dirname + "/out" };
const compiler = webpack({ mode: "none", entry: "./" + process.env.ENTRY, output, experiments: { outputModule: true } });
compiler.run((error, done) => {
  if (!error && !done.hasErrors()) return;
  console.error(error ?? done.toString("errors-only"));
  process.exitCode = 1;
});
`,
  "app/layout.jsx": `
export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
  "app/page.jsx": `
"use client";
import { auth } from "../auth.js";
export default function Page() {
  return <button type="button" onClick={() => auth()}>Go</button>;
}
`,
};

/** How to make files for browsers of `ENTRY`. */
export interface Bundler {
  readonly name: string;
  /** The program, and what it is given. */
  args(entry: string): readonly string[];
}

const esbuild = (...args: readonly string[]) => ["esbuild", "--bundle", "--format=esm", "--outdir=out", ...args];

/** Those that take a file. */
export const BUNDLERS: readonly Bundler[] = [
  { name: "esbuild", args: (entry) => esbuild(entry) },
  { name: "esbuild with a condition of its own", args: (entry) => esbuild(entry, "--conditions=custom") },
  { name: "Vite", args: () => ["vite", "build"] },
  { name: "webpack", args: () => ["./webpack.js"] },
];

/** Those of Next, which take its pages. */
export const OF_NEXT: readonly Bundler[] = [
  { name: "Turbopack", args: () => ["next", "build"] },
  { name: "the webpack of Next", args: () => ["next", "build", "--webpack"] },
];

/** As Wrangler bundles for Cloudflare: it sets `browser`, too. */
export const WRANGLER: Bundler = {
  name: "Wrangler",
  args: (entry) => esbuild(entry, "--conditions=workerd,worker,browser", "--platform=browser", "--external:node:*"),
};

const PROGRAMS: Readonly<Record<string, string>> = {
  esbuild: "node_modules/esbuild/bin/esbuild",
  next: "node_modules/next/dist/bin/next",
  vite: "node_modules/vite/bin/vite.js",
  vitest: "node_modules/vitest/vitest.mjs",
};

/** The application, installed. */
export interface Bundled {
  /** Runs a program on Node. @throws {Error} with the end of its output, if it fails. */
  run(args: readonly string[], entry?: string): Promise<string>;
  bundle(bundler: Bundler, entry: string): Promise<string>;
}

/** Installs the application, unless it is there. */
export async function installBundled(): Promise<Bundled> {
  const folder = resolve("npm/frameworks/bundles");
  const env = await nodeEnvironment();
  const dependencies = { ...PACKAGES, "@x/auth": `file:${await builtPackage()}` };
  const manifest = JSON.stringify({ private: true, type: "module", dependencies });
  const done = `${folder}/node_modules/.done`;
  for (const name of ["out", ".next", "app"]) rmSync(`${folder}/${name}`, { recursive: true, force: true });
  for (const [name, text] of Object.entries({ ...FILES, "package.json": manifest })) {
    mkdirSync(dirname(`${folder}/${name}`), { recursive: true });
    writeFileSync(`${folder}/${name}`, text.trimStart());
  }
  if (!existsSync(done) || readFileSync(done, "utf8") !== manifest) {
    rmSync(done, { force: true });
    const args = ["install", ...QUIET, "--prefer-offline", "--no-package-lock"];
    await runNpm(args, { cwd: folder, env: { ...Deno.env.toObject(), ...env } }, 300);
    writeFileSync(done, manifest);
  }
  const start: Bundled["run"] = ([program = "", ...args], entry = "") => {
    return run("node", [PROGRAMS[program] ?? program, ...args], { cwd: folder, env: { ...env, ENTRY: entry } });
  };
  return { run: start, bundle: (bundler, entry) => start(bundler.args(entry), entry) };
}
