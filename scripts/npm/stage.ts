/**
 * A folder where the tests meet the installed package, as they would in an application.
 *
 * @module
 */
import { say } from "../say.ts";
import { copyFolder, removeFolder } from "./folders.ts";
import { npm, QUIET } from "./run.ts";

/** Where the tests are run: below both, the package is installed with what the tests need. */
export interface Stage {
  /** Holds tests, and no sources: whatever is imported comes from the package. */
  readonly installed: string;
  /** Holds tests and sources. */
  readonly source: string;
}

/** Packages that no runtime but Deno needs, or only a browser. */
const DENO_ONLY = ["axe-core", "playwright-core"];

/** Packages that only the other runtimes need. */
const BESIDE: Readonly<Record<string, string>> = { "@deno/kv": "^0.14.0" };

/** Sets the stage up: installs the tarball, copies the tests. */
export async function openStage(folder: string, tarball: string): Promise<Stage> {
  await Deno.mkdir(folder, { recursive: true });
  await install(folder, tarball);
  const stage = { installed: `${folder}/installed`, source: `${folder}/source` };
  for (const place of Object.values(stage)) {
    await removeFolder(place);
    for (const name of ["tests", "examples", "scripts"]) copyFolder(name, `${place}/${name}`);
    await Deno.writeTextFile(`${place}/package.json`, '{ "type": "module" }\n');
    await Deno.writeTextFile(`${place}/tsconfig.json`, JSON.stringify({ compilerOptions: JSX }));
  }
  for (const name of ["adapters", "src"]) copyFolder(name, `${stage.source}/${name}`);
  return stage;
}

/** What Bun has to know of the sources. */
const JSX = { jsx: "react-jsx", jsxImportSource: "preact" };

async function install(folder: string, tarball: string): Promise<void> {
  const { name, imports } = JSON.parse(await Deno.readTextFile("deno.json")) as {
    readonly name: string;
    readonly imports: Readonly<Record<string, string>>;
  };
  // Named after what is in it, because npm does not look into a file of a name that it knows.
  const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(tarball));
  const file = `${new Uint8Array(digest).slice(0, 8).toHex()}.tgz`;
  const packages = Object.entries(imports).filter(([name]) => !DENO_ONLY.includes(name));
  const versions = packages.map(([name, specifier]) => {
    // A package under another name keeps its specifier, which npm understands too.
    return [name, specifier.startsWith(`npm:${name}@`) ? specifier.slice(`npm:${name}@`.length) : specifier];
  });
  const dependencies = { ...Object.fromEntries(versions), ...BESIDE, [name]: `file:${file}` };
  const manifest = JSON.stringify({ private: true, type: "module", dependencies });
  const done = `${folder}/node_modules/.done`;
  if (await textOf(done) === manifest) return;
  say("Installing the package, and what its tests need");
  await Deno.copyFile(tarball, `${folder}/${file}`);
  await Deno.writeTextFile(`${folder}/package.json`, manifest);
  // Two of these packages disagree about the version of a third that neither of them loads.
  await npm(["install", ...QUIET, "--legacy-peer-deps", "--no-package-lock"], folder);
  await Deno.writeTextFile(done, manifest);
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
