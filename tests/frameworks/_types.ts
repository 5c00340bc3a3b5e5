/** Compiles the examples, as their users do. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { blocksOf } from "../../scripts/docs/blocks.ts";
import { QUIET, run } from "../../scripts/npm/run.ts";
import { fetchRuntime } from "../../scripts/npm/runtimes.ts";

const HOME = resolve("npm/frameworks/.compilers");

/** The compilers, by the folder that npm puts them in. */
const FOLDERS = { "5.9.3": "typescript-5", "7.0.2": "typescript-7" } as const;

/** The version of a compiler. */
export type Compiler = keyof typeof FOLDERS;

export const COMPILERS: readonly Compiler[] = ["5.9.3", "7.0.2"];

/** Where an example makes its service. */
interface Service {
  /** The module, below the folder of the example. */
  readonly module: string;
  /** How many things `signIn` takes before the provider: what the framework hands to handlers. */
  readonly contexts: 0 | 1 | 2;
  /** What is compiled. @default ["tsconfig.json"] */
  readonly projects?: readonly string[];
}

const SERVICES: Readonly<Record<string, Service>> = {
  "astro": { module: "src/auth", contexts: 1 },
  "elysia": { module: "auth", contexts: 1 },
  "express": { module: "auth", contexts: 2 },
  "fastify": { module: "auth", contexts: 2 },
  "hono": { module: "auth", contexts: 1 },
  "nest": { module: "src/auth", contexts: 2 },
  "next": { module: "auth", contexts: 0 },
  "nuxt": { module: "server/utils/auth", contexts: 1, projects: ["tsconfig.json", ".nuxt/tsconfig.server.json"] },
  "oak": { module: "auth", contexts: 1 },
  "qwik": { module: "src/routes/plugin@auth", contexts: 1 },
  "react-router": { module: "app/auth.server", contexts: 1 },
  "solid-start": { module: "src/auth", contexts: 1 },
  "sveltekit": { module: "src/lib/server/auth", contexts: 1 },
  "tanstack-start": { module: "src/auth", contexts: 1 },
};

/** Uses a service as its types do not allow. It compiles only if the compiler notices each mistake. */
function mistakes({ module, contexts }: Service): string {
  const signIn = `${contexts ? "auth." : ""}signIn(${"given, ".repeat(contexts)}`;
  return `import { auth${contexts ? "" : ", signIn"} } from "./${basename(module)}.js";
declare const given: never;
declare const session: typeof auth.$infer.Session;
export const id: string | undefined = session.user.id;
// @ts-expect-error: the session has no such member
export const role: unknown = session.user.role;
export const fine: unknown = ${signIn}"credentials", { username: "ada", password: "lovelace" });
// @ts-expect-error: there is no such provider
export const provider: unknown = ${signIn}"credential");
// @ts-expect-error: the form has no such field
export const field: unknown = ${signIn}"credentials", { user: "ada" });
`;
}

/** The programs of the page of a framework that are files of its example, by their paths. */
function programsOf(example: string): Map<string, string> {
  const page = `docs/frameworks/${example}.md`;
  const programs = new Map<string, string>();
  for (const { line, inExample, code } of blocksOf(page, readFileSync(page, "utf8"))) {
    if (!inExample) continue;
    if (programs.has(inExample)) throw new Error(`${page}:${line}: another block is ${inExample} already`);
    programs.set(inExample, code);
  }
  return programs;
}

/**
 * Compiles an example that is installed, and built if it has to be: with the programs of the page of its framework, and
 * with mistakes beside it.
 *
 * @throws {Error} with what the compiler says, or if it does not compile the example at all.
 */
export async function compile(compiler: Compiler, folder: string, example: string): Promise<void> {
  if (!existsSync(`${folder}/tsconfig.json`)) throw new Error("Cannot find the tsconfig.json of the example");
  const service = SERVICES[example];
  if (!service) throw new Error("Cannot find the example in the list of services");
  await (compilers ??= install());
  const { command } = await fetchRuntime("node-24", "npm/runtimes");
  const tsc = `${HOME}/node_modules/${FOLDERS[compiler]}/bin/tsc`;
  const options = ["--noEmit", "--strict", "--incremental", "false", "--pretty", "false", "--listFiles"];
  const wrong = `${dirname(service.module)}/mistakes.ts`;
  const added = programsOf(example).set(wrong, mistakes(service));
  for (const [path, code] of added) {
    mkdirSync(dirname(`${folder}/${path}`), { recursive: true });
    writeFileSync(`${folder}/${path}`, code);
  }
  try {
    const files: string[] = [];
    for (const project of service.projects ?? ["tsconfig.json"]) {
      files.push(...(await run(command, [tsc, "-p", project, ...options], { cwd: folder })).split(/\r?\n/));
    }
    // A tsconfig.json that names other projects, or other folders, has nothing to complain about.
    for (const file of [`${service.module}.ts`, ...added.keys()].map((file) => resolve(folder, file))) {
      if (!files.includes(file)) throw new Error(`Cannot find ${file} among what the tsconfig.json compiles`);
    }
  } finally {
    // A build would take them for parts of the example.
    for (const path of added.keys()) {
      rmSync(`${folder}/${path}`);
      const before = `examples/${example}/${path}`;
      if (existsSync(before)) cpSync(before, `${folder}/${path}`);
    }
  }
}

let compilers: Promise<void> | undefined;

async function install(): Promise<void> {
  const wanted = COMPILERS.map((version) => [FOLDERS[version], `npm:typescript@${version}`]);
  const manifest = JSON.stringify({ private: true, dependencies: Object.fromEntries(wanted) });
  const done = `${HOME}/node_modules/.done`;
  if (existsSync(done) && Deno.readTextFileSync(done) === manifest) return;
  mkdirSync(HOME, { recursive: true });
  writeFileSync(`${HOME}/package.json`, manifest);
  await run("npm", ["install", ...QUIET, "--prefer-offline", "--no-package-lock"], { cwd: HOME });
  writeFileSync(done, manifest);
}
