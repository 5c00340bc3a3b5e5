/**
 * Releases before this one, out of the history of the repository.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** The release before this one. */
export const BEFORE = "026cf0b";

/** A release, in a folder of its own. */
export interface Release {
  readonly folder: string;
  /** Removes the folder. */
  remove(): void;
}

/** Files of this release that run in every release. They import the package by its name. */
const PROGRAMS = [
  "tests/compatibility/_release",
  "tests/_support/authenticator.ts",
  "testing/kit/authenticator.ts",
];

/**
 * Writes the files of a commit into a folder, with the programs that each release runs.
 *
 * @throws {Error} if this clone does not have the commit.
 */
export function takeRelease(commit: string): Release {
  const known = spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`]);
  if (known.status !== 0) {
    throw new Error(
      `Cannot compare with release ${commit}: this clone does not have its commit. Fetch the whole history ` +
        "(`git fetch --unshallow`; `fetch-depth: 0` of actions/checkout), and run this again",
    );
  }
  const folder = mkdtempSync(join(tmpdir(), `release-${commit}-`));
  const script = 'git archive "$1" | tar -x -C "$2"';
  const written = spawnSync("sh", ["-c", script, "sh", commit, folder], { encoding: "utf8" });
  if (written.status !== 0 || written.stderr) throw new Error(`Cannot write release ${commit}: ${written.stderr}`);
  for (const path of PROGRAMS) cpSync(path, join(folder, path), { recursive: true });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs a program in the folder of a release until it ends, and gives what it prints. @throws {Error} if it fails. */
export function runIn(folder: string, program: string, args: readonly string[] = [], input = ""): string {
  const command = ["run", "--no-check", "--allow-all", `tests/compatibility/_release/${program}`, ...args];
  // What a release warns of is no matter here.
  const options = {
    cwd: folder,
    encoding: "utf8",
    input,
    maxBuffer: 1e8,
    env: { ...process.env, NO_COLOR: "1" },
  } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, command, options);
  if (status !== 0) throw new Error(`${program} fails in ${folder}: ${stderr}`);
  return stdout;
}
