/**
 * Sets up the folders in which Node and Bun run the tests, with the npm package installed as in an application.
 *
 * @module
 */
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { transformSync } from "rolldown/utils";
import { printLine } from "../print.ts";
import { sourcesBelow } from "../source_files.ts";
import { npm, QUIET } from "./run.ts";

/** The folders in which tests run. The package and what the tests need are installed above both. */
export interface TestFolders {
  /** Holds the tests without the sources, so that every import comes from the package. */
  readonly installed: string;
  /** Holds the tests and the sources. */
  readonly source: string;
}

/** Packages that are needed on Deno only, or in a browser. */
const DENO_ONLY = ["axe-core", "playwright-core", "rolldown"];

/** Packages that tests need everywhere but on Deno. */
const NOT_FOR_DENO: Readonly<Record<string, string>> = {
  "@deno/kv": "^0.14.0",
  // On Deno it would bring the TypeScript compiler.
  "@trpc/server": "^11.25.2",
  // Peers of Elysia, which Deno installs by itself.
  "@sinclair/typebox": "^0.34.52",
  "exact-mirror": "^0.2.7",
  "file-type": "^22.3.0",
};

/** Installs the tarball and copies the tests. */
export async function prepareTestFolders(folder: string, tarball: string): Promise<TestFolders> {
  await Deno.mkdir(folder, { recursive: true });
  await install(folder, tarball);
  const folders = { installed: `${folder}/installed`, source: `${folder}/source` };
  for (const each of Object.values(folders)) {
    rmSync(each, { recursive: true, force: true });
    for (const name of ["tests", "testing", "examples", "scripts"]) {
      cpSync(name, `${each}/${name}`, { recursive: true });
    }
    await Deno.writeTextFile(`${each}/package.json`, '{ "type": "module" }\n');
  }
  for (const name of ["adapters", "bindings", "cli", "client", "migrate", "src"]) {
    cpSync(name, `${folders.source}/${name}`, { recursive: true });
  }
  compileJsx(folders.source);
  return folders;
}

/** Compiles the files with JSX, which Node cannot run, to JavaScript beside them, and lets the others import that. */
function compileJsx(folder: string): void {
  for (const path of [...sourcesBelow(`${folder}/src`), ...sourcesBelow(`${folder}/tests/unit`)]) {
    const text = readFileSync(path, "utf8").replaceAll(/(?<=from ")(\.[^"]+)\.tsx(?=")/g, "$1.js");
    if (!path.endsWith(".tsx")) {
      writeFileSync(path, text);
      continue;
    }
    const { code, errors } = transformSync(path, text);
    if (errors.length > 0) throw new Error(`Cannot compile ${path}: ${errors.map(({ message }) => message)}`);
    writeFileSync(path.replace(/\.tsx$/, ".js"), code);
  }
}

async function install(folder: string, tarball: string): Promise<void> {
  const { name, imports } = JSON.parse(await Deno.readTextFile("deno.json")) as {
    readonly name: string;
    readonly imports: Readonly<Record<string, string>>;
  };
  // Named after its content: npm installs a file name that it knows from its cache.
  const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(tarball));
  const file = `${new Uint8Array(digest).slice(0, 8).toHex()}.tgz`;
  const packages = Object.entries(imports).filter(([name]) => !DENO_ONLY.includes(name));
  const versions = packages.map(([name, specifier]) => {
    // npm understands the `npm:` specifier of a package that has another name here.
    return [name, specifier.startsWith(`npm:${name}@`) ? specifier.slice(`npm:${name}@`.length) : specifier];
  });
  const dependencies = { ...Object.fromEntries(versions), ...NOT_FOR_DENO, [name]: `file:${file}` };
  const manifest = JSON.stringify({ private: true, type: "module", dependencies });
  const done = `${folder}/node_modules/.done`;
  if (existsSync(done) && readFileSync(done, "utf8") === manifest) return;
  printLine("Installing the package and what its tests need");
  await Deno.copyFile(tarball, `${folder}/${file}`);
  await Deno.writeTextFile(`${folder}/package.json`, manifest);
  // Two of these packages want different versions of a peer dependency that neither of them loads.
  await npm(["install", ...QUIET, "--legacy-peer-deps", "--no-package-lock"], folder);
  await Deno.writeTextFile(done, manifest);
}
