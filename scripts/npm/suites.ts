/**
 * Which tests run on which runtime.
 *
 * The stories meet the installed package, the unit tests the sources. The other folders stay with Deno: `promises` and
 * `long` are about this repository and the scripts of it, but for what blocks a program; `e2e` needs a browser that is
 * driven once, and `security` attacks decisions of the sources that no runtime changes.
 *
 * @module
 */
import { sourcesBelow } from "../source_files.ts";
import type { OtherRuntime } from "./runtimes.ts";

/** Tests that run together. */
export interface Suite {
  readonly name: string;
  /** Which part of the stage they run in. */
  readonly place: "installed" | "source";
  readonly files: readonly string[];
  /** What is loaded before them. */
  readonly preload?: string;
}

/** Replaces `Response` and `Headers` as a host may do it. */
const HOSTILE = "tests/_support/hostile_preload.ts";

/** Which tests a runtime does not run, and why. */
interface Exception {
  readonly on: OtherRuntime["kind"];
  readonly files: RegExp;
  readonly why: string;
}

/** The exceptions. */
export const EXCEPTIONS: readonly Exception[] = [
  { on: "bun", files: /\/deno_kv[a-z_]*_test\.ts$/, why: "npm:@deno/kv does not write values there" },
];

/** Tests of stores, which take longer than all others together. */
const SLOW = /\/adapters\/(?:deno_kv[a-z_]*|postgres[a-z_]*|[a-z]+_contest)_test\.ts$/;

/**
 * Long tests of what a program is kept from, which is another thing on each runtime. Each runs in a process of its own:
 * together they keep Node from ending.
 */
const BLOCKING: readonly string[] = ["tests/long/sqlite_locked_test.ts", "tests/long/strain_test.ts"];

/** Lists what runs on a runtime; what takes longer only when asked for, and in a process of its own. */
export function suitesFor({ kind }: OtherRuntime, long: boolean): Suite[] {
  const left = EXCEPTIONS.filter(({ on }) => on === kind);
  const testsBelow = (folder: string): string[] =>
    [...sourcesBelow(folder)].filter((file) =>
      file.endsWith("_test.ts") && !left.some(({ files }) => files.test(file))
    );
  const units = testsBelow("tests/unit");
  const stories = testsBelow("tests/stories");
  const suites: Suite[] = [
    { name: "stories, against the package", place: "installed", files: stories },
    { name: "unit tests, against the sources", place: "source", files: units.filter((file) => !SLOW.test(file)) },
  ];
  if (!long) return suites;
  return [
    ...suites,
    { name: "tests of stores", place: "source", files: units.filter((file) => SLOW.test(file)) },
    { name: "stories, under a Response that shares", place: "installed", files: stories, preload: HOSTILE },
    ...BLOCKING.map((file): Suite => ({ name: `${file}, against the package`, place: "installed", files: [file] })),
  ];
}
