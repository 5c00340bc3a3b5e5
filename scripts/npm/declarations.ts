/**
 * Checks that applications can emit declarations (`declaration`, `composite`) of what they export of the package: that the
 * compiler can name every type by a path that the package exports, and that whoever imports the declarations sees the same
 * types.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { makeConsumer, type Trial } from "./consumer.ts";
import { ALONE, declaringModules, readingModule } from "./declared.ts";
import { run } from "./run.ts";

const PACKAGES = ["@types/node@24", "@types/react@19"];

/** The compilers, by the folder they are installed in. */
const COMPILERS = { "typescript-5-9": "5.9", "typescript-7-0": "7.0" } as const;

const RESOLUTIONS = [["esnext", "bundler"], ["nodenext", "nodenext"]] as const;

/** A compiler with the settings of an application. */
interface Try {
  readonly compiler: keyof typeof COMPILERS;
  readonly module: string;
  readonly resolution: string;
  /** The folder of its applications. */
  readonly home: string;
}

const TRIES = Object.keys(COMPILERS).flatMap((name) =>
  RESOLUTIONS.map(([module, resolution]): Try => {
    const compiler = name as Try["compiler"];
    return { compiler, module, resolution, home: `${resolution}-${compiler}` };
  })
);

/** Installs the package and compiles the applications. @throws {Error} with what the compilers say. */
export async function checkDeclarations(folder: string, { tarball, node, progress }: Trial): Promise<void> {
  const modules = declaringModules();
  const forgotten = (await pathsOfServices()).filter((path) => {
    return !Object.values(modules).some((text) => text.includes(` from "${path}";`));
  });
  if (forgotten.length > 0) throw new Error(`Cannot check the declarations of ${forgotten}: no module imports them`);
  await makeConsumer(folder, Object.assign({}, ...TRIES.map((each) => projectsOf(each, modules))), [
    tarball,
    ...PACKAGES,
    ...Object.entries(COMPILERS).map(([name, version]) => `${name}@npm:typescript@${version}`),
  ]);
  const compile = ({ compiler }: Try, args: readonly string[]): Promise<string> =>
    run(node.command, [`node_modules/${compiler}/bin/tsc`, ...args], { cwd: folder });
  const needed = new Set<string>();
  for (const each of TRIES) {
    progress(`TypeScript ${COMPILERS[each.compiler]}, composite projects, moduleResolution ${each.resolution}`);
    await compile(each, ["--build", ...["reader", ...Object.keys(ALONE)].map((name) => `${each.home}/${name}`)]);
    for (const line of Object.keys(modules).flatMap((name) => neededBy(`${folder}/${each.home}/application`, name))) {
      needed.add(line);
    }
  }
  await Deno.writeTextFile(`${folder}/needed.ts`, [...needed].sort().join("\n"));
  for (const each of TRIES.slice(-1)) {
    const options = ["--module", each.module, "--moduleResolution", each.resolution, "--target", "es2022"];
    await compile(each, ["--noEmit", "--strict", "--skipLibCheck", ...options, "needed.ts"]);
  }
}

/** Lists the paths of the bindings and of the clients. */
async function pathsOfServices(): Promise<string[]> {
  const { name, exports } = JSON.parse(await Deno.readTextFile("deno.json")) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, string>>;
  };
  return Object.keys(exports).filter((path) => /^\.\/(?:bindings|client)\//.test(exports[path] ?? ""))
    .map((path) => name + path.slice(1));
}

/** The files of the application and of its reader, by path. */
function projectsOf({ home, module, resolution }: Try, modules: Readonly<Record<string, string>>): object {
  const compilerOptions = {
    ...{ composite: true, strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true },
    ...{ module, moduleResolution: resolution, target: "es2022", types: ["node"], rootDir: ".", outDir: "out" },
  };
  const references = [{ path: "../application" }];
  const config = JSON.stringify({ compilerOptions, include: ["*.ts"] });
  return {
    ...Object.fromEntries(Object.entries(modules).map(([name, text]) => [`${home}/application/${name}`, text])),
    [`${home}/application/tsconfig.json`]: config,
    ...Object.fromEntries(
      Object.entries(ALONE).flatMap(([name, text]) => [
        [`${home}/${name}/alone.ts`, text],
        [`${home}/${name}/tsconfig.json`, config],
      ]),
    ),
    [`${home}/reader/reader.ts`]: readingModule(),
    [`${home}/reader/tsconfig.json`]: JSON.stringify({ compilerOptions, include: ["*.ts"], references }),
  };
}

/**
 * Imports the types that the declaration of a module takes from paths which the module does not import. The compiler finds
 * them there because other modules of the application import those paths: in an application without these, it has to find
 * them at the path of the service.
 */
function neededBy(folder: string, name: string): string[] {
  const source = readFileSync(`${folder}/${name}`, "utf8");
  const [, own] = /^import .* from "(@x\/[^"]+)"/m.exec(source) ?? [];
  if (!own) return [];
  const declaration = readFileSync(`${folder}/out/${name.replace(/\.ts$/, ".d.ts")}`, "utf8");
  const named = [...declaration.matchAll(/\bimport\("(@x\/[^"]+)"\)\.(\w+)/g)];
  return named.filter(([, path = ""]) => !source.includes(`"${path}"`) && !path.includes("/providers/"))
    .map(([, , type]) => `export type { ${type} as ${type}_${name.replace(".ts", "")} } from "${own}";`);
}
