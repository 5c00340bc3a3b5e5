/**
 * Programs of earlier releases, compiled against the types of this one: the blocks of their pages, their examples as far
 * as this checkout has what they import, and their tests of types. A line for each program: whether it compiles.
 *
 * @module
 */
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Block, blocksOf } from "../../scripts/docs/blocks.ts";
import { flagsOf, writeBlocks, writeConfig } from "../../scripts/docs/run.ts";
import { takeRelease } from "./_history.ts";
import type { Change, Snapshot, Verdict } from "./_snapshot.ts";

/** The releases before this one, by their commits. */
const RELEASES = ["63e0b3a", "026cf0b"];

/** Where the programs are written, and what is needed there to compile them. */
const HOME = "npm/compatible";

/** What imports the package, and nothing that this checkout does not have. */
const ALONE = [
  "examples/node/main.ts",
  "examples/bun/main.ts",
  "examples/hono/app.ts",
  "examples/hono/auth.ts",
  "examples/hono/main.ts",
  "examples/hono/pages.ts",
  "tests/stories/types_authjs_test.ts",
  "tests/stories/types_bindings_test.ts",
];

/** A program: its release and where it stands there, its file, and the folder of those that belong to it. */
export interface Program {
  readonly name: string;
  readonly file: string;
  readonly folder: string;
}

async function compileAll(): Promise<string[]> {
  const programs = RELEASES.flatMap((commit) => {
    const { folder, remove } = takeRelease(commit);
    try {
      return [...writtenBlocks(folder, commit), ...copied(folder, commit)];
    } finally {
      remove();
    }
  });
  const errors = await compile(programs);
  return programs.map(({ name, file }) => `${name} ${errors.get(file) ?? "compiles"}`);
}

function writtenBlocks(release: string, commit: string): Program[] {
  const docs = join(release, "docs");
  const names = existsSync(docs) ? readdirSync(docs, { recursive: true, encoding: "utf8" }) : [];
  const pages = ["README.md", ...names.map((name) => `docs/${name}`).filter((path) => path.endsWith(".md")).sort()];
  const blocks = pages.flatMap((page) => blocksOf(page, readFileSync(join(release, page), "utf8"))).filter(runsHere);
  return writeBlocks(blocks, join(HOME, commit, "blocks")).map(({ block: { page, line }, file, folder }) => {
    return { name: `${commit} ${page}:${line}`, file, folder };
  });
}

/** What runs on others only may import what Deno does not have here. */
function runsHere({ runsOn }: Block): boolean {
  return runsOn.some((kind) => kind === "deno" || kind === "browser");
}

function copied(release: string, commit: string): Program[] {
  return ALONE.filter((path) => existsSync(join(release, path))).map((path) => {
    const file = resolve(HOME, commit, path);
    cpSync(join(release, path), file);
    return { name: `${commit} ${path}`, file, folder: dirname(file) };
  });
}

/** Compiles programs. @returns the first error of each file that has one. */
export async function compile(programs: readonly Program[]): Promise<Map<string, string>> {
  writeConfig(HOME);
  // What an application declares for itself does not hold in the others.
  const declares = ({ file }: Program): boolean => /\bdeclare (?:module|global)\b/.test(readFileSync(file, "utf8"));
  const apart = new Set(programs.filter(declares).map(({ folder }) => folder));
  const errors = new Map<string, string>();
  for (const group of Map.groupBy(programs, ({ folder }) => apart.has(folder) ? folder : "").values()) {
    const args = ["check", ...flagsOf(HOME), ...group.map(({ file }) => file)];
    const command = new Deno.Command(Deno.execPath(), { args, env: { NO_COLOR: "1" } });
    const { success, stderr } = await command.output();
    const said = new TextDecoder().decode(stderr);
    const found = errorsIn(said, group);
    if (!success && found.size === 0) throw new Error(said);
    for (const [file, error] of found) errors.set(file, error);
  }
  return errors;
}

/** Reads what the compiler says: an error, its code in several lines, and its place. */
function errorsIn(said: string, programs: readonly Program[]): Map<string, string> {
  const byUrl = new Map(programs.map(({ file }) => [pathToFileURL(file).href, file]));
  const errors = new Map<string, string>();
  for (const [, text = "", url = ""] of said.matchAll(/(TS\d+ \[ERROR\]: .*)\n[^]*?\n +at (file:\S+?):\d+:\d+/g)) {
    const file = byUrl.get(url);
    if (file === undefined) throw new Error(said);
    if (!errors.has(file)) errors.set(file, text.replace(" [ERROR]", ""));
  }
  return errors;
}

/** The release and the program. */
export function keyOf(line: string): string {
  return line.split(" ", 2).join(" ");
}

/** Judges a change: what compiled compiles. */
export function judge(change: Change): Verdict {
  const [after, before] = [change.kind === "removed" ? "" : change.after, change.kind === "added" ? "" : change.before];
  if (after.endsWith(" compiles")) return { level: "minor" };
  if (before && !before.endsWith(" compiles")) return { level: "patch" };
  const [release = "", program = ""] = (after || before).split(" ");
  const why = after.slice(keyOf(after).length + 1).replace(/\.$/, "");
  return { level: "major", breaks: `programs such as ${program} of release ${release}${why && `: ${why}`}` };
}

export const PROGRAMS: Snapshot = {
  id: "programs",
  unit: `programs of ${RELEASES.join(" and ")}`,
  needs: "history",
  current: compileAll,
  keyOf,
  judge,
};
