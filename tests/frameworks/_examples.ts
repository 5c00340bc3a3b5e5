/** The examples whose frameworks the stories are told in, and how each is installed and started. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, resolve } from "node:path";
import { buildNpm } from "../../scripts/build_npm.ts";
import { QUIET } from "../../scripts/npm/run.ts";
import { fetchRuntime } from "../../scripts/npm/runtimes.ts";
import { printLine } from "../../scripts/print.ts";
import { runNpm } from "./_programs.ts";

/** An example below `examples`. */
export interface Example {
  readonly name: string;
  /** The path of the service by default. */
  readonly basePath: string;
  /** Whether it has to be built. */
  readonly built: boolean;
  /** The folder below `examples`. @default the name */
  readonly folder?: string;
  /** Where it is kept, if it is no example for users. @default the folder below `examples` */
  readonly source?: string;
  /** Other versions of packages than those of its package.json: with them it is installed by itself. */
  readonly dependencies?: Readonly<Record<string, string>>;
  /** Folders below `tests/frameworks/over` whose files are added, or take the place of those of the example. */
  readonly over?: readonly string[];
  /** The script of its package.json that starts it. @default "start" */
  readonly script?: string;
  /** Environment variables that it is started with. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What it runs on, besides Node. */
  readonly runtime?: "bun" | "deno";
  /** Whether the path is that of a file, and moves by no setting. */
  readonly fixedPath?: true;
  /** Whether it has the page `/client`, which uses the browser client. */
  readonly client?: true;
  /** Whether guards cannot see what the router of the framework loads in advance. */
  readonly hidesPrefetch?: true;
  /** The folders with what browsers get, below that of the example. Nothing of `auth.ts` may be in them. */
  readonly browserFiles?: readonly string[];
}

const EXPRESS_4 = { express: "4.22.3", "@types/express": "4.17.25" };

// adapter-node takes it that visitors come over https, unless a proxy in front of it says otherwise: here this says so.
const OVER_HTTP = `import { subscribe } from "node:diagnostics_channel";
subscribe("http.server.request.start", ({ request }) => request.headers["x-forwarded-proto"] = "http");`;

/** All examples. */
export const EXAMPLES: readonly Example[] = [
  { name: "astro", basePath: "/auth", built: true, browserFiles: ["dist/client"] },
  { name: "elysia", basePath: "/auth", built: false, runtime: "bun" },
  { name: "elysia-node", folder: "elysia", basePath: "/auth", built: false, script: "start:node" },
  { name: "express", basePath: "/auth", built: false },
  { name: "express-4", folder: "express", basePath: "/auth", built: false, dependencies: EXPRESS_4 },
  { name: "fastify", basePath: "/auth", built: false },
  { name: "hono", basePath: "/auth", built: false },
  { name: "hono-bun", folder: "hono", basePath: "/auth", built: false, script: "start:bun", runtime: "bun" },
  { name: "hono-deno", folder: "hono", basePath: "/auth", built: false, script: "start:deno", runtime: "deno" },
  { name: "nest", basePath: "/auth", built: true },
  { name: "nest-fastify", folder: "nest", basePath: "/auth", built: true, environment: { PLATFORM: "fastify" } },
  {
    name: "next",
    basePath: "/api/auth",
    built: true,
    fixedPath: true,
    client: true,
    hidesPrefetch: true,
    over: ["next"],
    browserFiles: [".next/static"],
  },
  { name: "nuxt", basePath: "/auth", built: true, browserFiles: [".output/public"] },
  { name: "oak", basePath: "/auth", built: false, runtime: "deno" },
  { name: "qwik", basePath: "/auth", built: true, browserFiles: ["dist"] },
  { name: "react-router", basePath: "/auth", built: true, over: ["react-router"], browserFiles: ["build/client"] },
  { name: "solid-start", basePath: "/auth", built: true, client: true, browserFiles: [".output/public"] },
  {
    name: "sveltekit",
    basePath: "/auth",
    built: true,
    client: true,
    over: ["sveltekit"],
    environment: {
      PROTOCOL_HEADER: "x-forwarded-proto",
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(OVER_HTTP)}`,
    },
    browserFiles: ["build/client", "build/prerendered"],
  },
  { name: "tanstack-start", basePath: "/auth", built: true, browserFiles: ["dist/client"] },
];

/** Examples with other settings, by the example they are made of. The stories that hold in all are not told in them. */
const VARIANTS: readonly (Example & { readonly folder: string })[] = [
  { name: "astro-i18n", folder: "astro", basePath: "/auth", built: true, over: ["astro-i18n"] },
  { name: "next-i18n", folder: "next", basePath: "/api/auth", built: true, over: ["next", "next-i18n"] },
];

/** Lists the variants of the examples to test. */
export function chosenVariants(): readonly Example[] {
  const names = chosenExamples().map(({ name }) => name);
  return VARIANTS.filter(({ folder }) => names.includes(folder));
}

/**
 * Lists the examples to test: all, or those that `FRAMEWORKS` names.
 *
 * @throws {Error} if there is none of a name.
 */
export function chosenExamples(): readonly Example[] {
  const names = Deno.env.get("FRAMEWORKS")?.split(/[ ,]+/).filter(Boolean) ?? EXAMPLES.map(({ name }) => name);
  const unknown = names.filter((name) => !EXAMPLES.some((example) => example.name === name));
  if (unknown.length > 0) throw new Error(`Cannot find an example named ${unknown.join(", ")}`);
  return EXAMPLES.filter(({ name }) => names.includes(name));
}

/** Where everything is kept between runs. */
const HOME = "npm/frameworks";

/** What must not be in what browsers get. They look like nothing else. */
export const SECRETS = {
  AUTH_SECRET: "canary-of-the-tests-longer-than-32-characters",
  DATABASE: "canary-of-the-database.db",
  clientSecret: "demo-secret",
} as const;

/** Seconds that installing or building one example may take: more is a failure of it, not of those that follow. */
const LIMIT = 300;

/** What an example runs with: its runtime first on the path, nothing reported, and nothing else of this process. */
export async function nodeEnvironment(runtime?: Example["runtime"]): Promise<Record<string, string>> {
  const commands = [(await fetchRuntime("node-24", "npm/runtimes")).command];
  if (runtime === "bun") commands.unshift((await fetchRuntime("bun", "npm/runtimes")).command);
  if (runtime === "deno") commands.unshift(Deno.execPath());
  return {
    PATH: [...commands.map(dirname), Deno.env.get("PATH") ?? ""].join(delimiter),
    HOME: Deno.env.get("HOME") ?? "",
    NODE_ENV: "production",
    ASTRO_TELEMETRY_DISABLED: "1",
    NEXT_TELEMETRY_DISABLED: "1",
    NUXT_TELEMETRY_DISABLED: "1",
  };
}

/** Whether an example has a folder of its own to install and to build, apart from that of another one. */
export function isInstalledByItself({ folder, dependencies, over }: Example): boolean {
  return folder === undefined || dependencies !== undefined || over !== undefined;
}

const installed = new Map<string, Promise<string>>();

/** Copies an example, installs it with the package of this tree, and builds it, once. Gives its folder. */
export function installExample(example: Example): Promise<string> {
  const name = isInstalledByItself(example) ? example.name : example.folder ?? example.name;
  const known = installed.get(name) ?? install(name, example);
  installed.set(name, known);
  // Whoever waits for it hears of its failure. It may begin before somebody does.
  known.catch(() => {});
  return known;
}

async function install(name: string, example: Example): Promise<string> {
  const folder = resolve(HOME, name);
  const source = example.source ?? `examples/${example.folder ?? name}`;
  const sources = [source, ...example.over?.map((added) => `tests/frameworks/over/${added}`) ?? []];
  const env = await nodeEnvironment(example.runtime);
  const manifest = manifestOf(source, example, await builtPackage());
  const [installed, built] = [`${folder}/node_modules/.done`, `${folder}/node_modules/.built`];
  const digest = await digestOf(sources, manifest);
  if (textIn(built) === digest) return folder;
  copyExample(sources, folder);
  writeFileSync(`${folder}/package.json`, manifest);
  rmSync(built, { force: true });
  const before = textIn(installed);
  if (before !== manifest) {
    const begun = performance.now();
    // With another tarball alone, npm keeps the rest.
    if (withoutTarball(before) !== withoutTarball(manifest)) {
      rmSync(`${folder}/node_modules`, { recursive: true, force: true });
    }
    rmSync(installed, { force: true });
    // Without `NODE_ENV=production` npm installs what a build needs too.
    const args = ["install", ...QUIET, "--prefer-offline", "--no-package-lock", "--include=dev"];
    // With the settings of this machine: npm may need a proxy, or certificates.
    await runNpm(args, { cwd: folder, env: { ...Deno.env.toObject(), ...env } }, LIMIT);
    writeFileSync(installed, manifest);
    printLine(`${name}: installed in ${secondsSince(begun)}`);
  }
  if (example.built) {
    const begun = performance.now();
    const { AUTH_SECRET, DATABASE } = SECRETS;
    await runNpm(["run", "build"], { cwd: folder, env: { ...env, AUTH_SECRET, DATABASE } }, LIMIT);
    printLine(`${name}: built in ${secondsSince(begun)}`);
  }
  writeFileSync(built, digest);
  return folder;
}

function manifestOf(source: string, { dependencies }: Example, tarball: string): string {
  const manifest = JSON.parse(readFileSync(`${source}/package.json`, "utf8"));
  for (const [name, version] of Object.entries({ ...dependencies, "@x/auth": `file:${tarball}` })) {
    const kind = manifest.devDependencies?.[name] ? "devDependencies" : "dependencies";
    manifest[kind][name] = version;
  }
  return JSON.stringify(manifest, null, 2);
}

// By it a later run, or another file of tests, knows that nothing has changed.
async function digestOf(sources: readonly string[], manifest: string): Promise<string> {
  const entries = sources.flatMap((source) => readdirSync(source, { recursive: true, withFileTypes: true }));
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => `${parentPath}/${name}`);
  const files = paths.filter(isCopied).sort();
  const all = [manifest, SECRETS, ...files.flatMap((file) => [file, readFileSync(file, "latin1")])];
  const bytes = new TextEncoder().encode(JSON.stringify(all));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

function isCopied(path: string): boolean {
  return !path.split(/[\\/]/).includes("node_modules");
}

function textIn(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

// What an example no longer has must not stay in the copy: many frameworks make routes of files.
function copyExample(sources: readonly string[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (name !== "node_modules") rmSync(`${folder}/${name}`, { recursive: true, force: true });
  }
  for (const source of sources) cpSync(source, folder, { recursive: true, filter: isCopied });
}

function withoutTarball(manifest: string): string {
  return manifest.replace(/"file:[^"]*"/, "");
}

export function secondsSince(begun: number): string {
  return `${((performance.now() - begun) / 1000).toFixed(0)} s`;
}

let tarball: Promise<string> | undefined;

/** Builds the package once. It is named after its content: npm installs a file name that it knows from its cache. */
export function builtPackage(): Promise<string> {
  tarball ??= (async () => {
    const built = await buildNpm("npm");
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await Deno.readFile(built.tarball)));
    const file = resolve(HOME, `${digest.slice(0, 8).toHex()}.tgz`);
    mkdirSync(HOME, { recursive: true });
    for (const name of readdirSync(HOME)) if (name.endsWith(".tgz")) rmSync(`${HOME}/${name}`);
    await Deno.copyFile(built.tarball, file);
    return file;
  })();
  return tarball;
}
