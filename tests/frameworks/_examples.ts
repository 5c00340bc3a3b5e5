/** The examples whose frameworks the stories are told in, and how each is installed and started. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { buildNpm } from "../../scripts/build_npm.ts";
import { QUIET, run } from "../../scripts/npm/run.ts";
import { fetchRuntime } from "../../scripts/npm/runtimes.ts";

/** An example below `examples`. */
export interface Example {
  readonly name: string;
  /** The path of the service by default. */
  readonly basePath: string;
  /** Whether it has to be built. */
  readonly built: boolean;
  /** The folders with what browsers get. */
  readonly browserFiles?: readonly string[];
}

const EXAMPLES: readonly Example[] = [
  { name: "express", basePath: "/auth", built: false },
  { name: "fastify", basePath: "/auth", built: false },
  { name: "hono", basePath: "/auth", built: false },
  { name: "qwik", basePath: "/auth", built: true, browserFiles: ["dist"] },
];

/** Lists the examples to test: all, or those that `FRAMEWORKS` names. */
export function chosenExamples(): readonly Example[] {
  const names = Deno.env.get("FRAMEWORKS")?.split(/[ ,]+/) ?? EXAMPLES.map(({ name }) => name);
  return EXAMPLES.filter(({ name }) => names.includes(name));
}

/** Where everything is kept between runs. */
const HOME = "npm/frameworks";

/** What an example runs with: Node first on the path, nothing reported to anybody, and nothing else of this process. */
export async function nodeEnvironment(): Promise<Record<string, string>> {
  const { command } = await fetchRuntime("node-24", "npm/runtimes");
  return {
    PATH: dirname(command) + delimiter + (Deno.env.get("PATH") ?? ""),
    HOME: Deno.env.get("HOME") ?? "",
    NODE_ENV: "production",
    ASTRO_TELEMETRY_DISABLED: "1",
    NEXT_TELEMETRY_DISABLED: "1",
    NUXT_TELEMETRY_DISABLED: "1",
  };
}

/** Copies an example, installs it with the package of this tree, and builds it. Gives its folder. */
export async function installExample({ name, built }: Example): Promise<string> {
  const folder = `${Deno.cwd()}/${HOME}/${name}`;
  const tarball = await builtPackage();
  mkdirSync(folder, { recursive: true });
  cpSync(`examples/${name}`, folder, { recursive: true });
  const manifest = JSON.parse(readFileSync(`examples/${name}/package.json`, "utf8"));
  manifest.dependencies["@x/auth"] = `file:${tarball}`;
  const text = JSON.stringify(manifest, null, 2);
  const [done, env] = [`${folder}/node_modules/.done`, await nodeEnvironment()];
  if (!existsSync(done) || readFileSync(done, "utf8") !== text) {
    writeFileSync(`${folder}/package.json`, text);
    rmSync(`${folder}/node_modules`, { recursive: true, force: true });
    // Without `NODE_ENV=production` npm installs what a build needs too.
    const args = ["install", ...QUIET, "--prefer-offline", "--no-package-lock", "--include=dev"];
    await run("npm", args, { cwd: folder, env });
    writeFileSync(done, text);
  }
  writeFileSync(`${folder}/package.json`, text);
  if (built) await run("npm", ["run", "build"], { cwd: folder, env });
  return folder;
}

let tarball: Promise<string> | undefined;

/** Builds the package once. It is named after its content: npm installs a file name that it knows from its cache. */
function builtPackage(): Promise<string> {
  tarball ??= (async () => {
    const built = await buildNpm("npm");
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await Deno.readFile(built.tarball)));
    const file = `${Deno.cwd()}/${HOME}/${digest.slice(0, 8).toHex()}.tgz`;
    mkdirSync(HOME, { recursive: true });
    await Deno.copyFile(built.tarball, file);
    return file;
  })();
  return tarball;
}
