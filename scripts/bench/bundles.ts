/**
 * Compares the size of bundles.
 *
 * @module
 */
import { builtinModules } from "node:module";
import { gzipSync } from "node:zlib";
import { type Comparison, writeTable } from "./comparison.ts";
import { CONCLUSIONS } from "./conclusions.ts";
import { load } from "./packages.ts";
import type { Rounds } from "./measure.ts";
import { PROGRAMS } from "./programs.ts";
import type { Progress } from "./report.ts";
import { type InstalledLibraries, LIBRARIES, type Library } from "./installed.ts";

interface Output {
  readonly entryPoint?: string;
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
}

interface Esbuild {
  build(options: Readonly<Record<string, unknown>>): Promise<{
    readonly metafile: { readonly outputs: Readonly<Record<string, Output>> };
    readonly outputFiles: readonly { readonly path: string; readonly contents: Uint8Array }[];
  }>;
  stop(): Promise<void>;
}

/** Compares the compressed size of a program with one provider. */
export async function compareBundles(libraries: InstalledLibraries, progress: Progress): Promise<string> {
  const esbuild = (await load<{ readonly default: Esbuild }>("esbuild")).default;
  const atStart: [Library, number[]][] = [];
  const total: [Library, number[]][] = [];
  try {
    for (const library of LIBRARIES) {
      progress(`bundle of ${library}`);
      const sizes = await measureBundle(esbuild, library, await libraries.folderOf(library));
      atStart.push([library, [sizes.atStart / 1000]]);
      total.push([library, [sizes.total / 1000]]);
    }
  } finally {
    await esbuild.stop();
  }
  const row = (name: string, rounds: Rounds): Comparison => ({ name, rounds, notes: ["lazy"] });
  const rows = [row("entry and its static imports", new Map(atStart)), row("all chunks", new Map(total))];
  const title = "One provider bundled, in kB (minified, gzip)";
  return writeTable({ title, rows, show: (size) => size.toFixed(1), conclusion: CONCLUSIONS.bundle });
}

async function measureBundle(
  esbuild: Esbuild,
  library: Library,
  folder: string,
): Promise<{ readonly atStart: number; readonly total: number }> {
  const { metafile, outputFiles } = await esbuild.build({
    stdin: { contents: PROGRAMS[library], resolveDir: folder, loader: "ts" },
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    // Takes the variant for Deno where a package has one. Built-in modules do not count.
    conditions: ["deno", "module"],
    external: ["node:*", ...builtinModules],
    outdir: "out",
    logLevel: "error",
  });
  const { outputs } = metafile;
  const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === "<stdin>");
  const needed = staticallyNeeded(outputs, entry);
  const sizes = outputFiles.map(({ path, contents }) => {
    const name = Object.keys(outputs).find((output) => path.endsWith(`/${output}`)) ?? "";
    return { size: gzipSync(contents, { level: 9 }).length, needed: needed.has(name) };
  });
  const sum = (of: typeof sizes): number => of.reduce((total, { size }) => total + size, 0);
  return { atStart: sum(sizes.filter((file) => file.needed)), total: sum(sizes) };
}

function staticallyNeeded(outputs: Readonly<Record<string, Output>>, entry: string | undefined): Set<string> {
  const needed = new Set(entry === undefined ? [] : [entry]);
  // A loop over a set also visits what is added during the loop.
  for (const name of needed) {
    for (const { path, kind, external } of outputs[name]?.imports ?? []) {
      if (kind === "import-statement" && !external) needed.add(path);
    }
  }
  if (needed.size === 0) throw new Error("Cannot measure a bundle without an entry");
  return needed;
}
