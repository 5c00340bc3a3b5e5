/**
 * Which tests run on Node and Bun.
 *
 * The stories run against the installed package, the unit tests against the sources. The other folders run on Deno only:
 * `promises` and most of `long` test this repository and its scripts, `e2e` tests pages in a browser, and `security`
 * attacks decisions that do not depend on the runtime.
 *
 * @module
 */
import { sourcesBelow } from "../source_files.ts";
import type { OtherRuntime } from "./runtimes.ts";

/** Tests that run together. */
export interface Suite {
  readonly name: string;
  /** The folder of `TestFolders` that they run in. */
  readonly folder: "installed" | "source";
  readonly files: readonly string[];
  /** A module to load before them. */
  readonly preload?: string | undefined;
}

/** Replaces `Response` and `Headers`, as a host may do. */
const HOSTILE = "tests/_support/hostile_preload.ts";

/** Tests that a runtime does not run, and why. */
interface Exception {
  readonly on: OtherRuntime["kind"];
  readonly files: RegExp;
  readonly why: string;
}

export const EXCEPTIONS: readonly Exception[] = [
  { on: "bun", files: /\/deno_kv[a-z_]*_test\.ts$/, why: "npm:@deno/kv does not write values there" },
];

/** Tests of adapters that take longer than all others together. */
const SLOW =
  /\/adapters\/(?:deno_kv[a-z_]*|mysql[a-z_]*|postgres[a-z_]*|redis[a-z_]*|renamed_columns|[a-z]+_contest)_test\.ts$/;

/**
 * Long tests of code that blocks the thread, which each runtime handles differently. Each runs in a process of its own:
 * together they keep Node from ending.
 */
const BLOCKING: readonly string[] = ["tests/long/sqlite_locked_test.ts", "tests/long/strain_test.ts"];

/**
 * Stories that give Auth.js a provider of email links or passkeys. It remembers that for the whole process, and from then
 * on demands an adapter in every configuration. So they run in a process of their own.
 */
const CHANGES_AUTH_JS =
  /\/(?:adapters_as_they_are|email_rows|foreign_adapters|international_rows|verification_objects)_test\.ts$/;

/** Lists the suites of a runtime. @param long Whether to include the slow ones. */
export function suitesFor({ kind }: OtherRuntime, long: boolean): Suite[] {
  const exceptions = EXCEPTIONS.filter(({ on }) => on === kind);
  const testsBelow = (folder: string): string[] =>
    sourcesBelow(folder).filter((file) =>
      file.endsWith("_test.ts") && !exceptions.some(({ files }) => files.test(file))
    );
  const units = testsBelow("tests/unit");
  const stories = testsBelow("tests/stories");
  const storySuites = (how: string, preload?: string): Suite[] => [
    {
      name: `stories, ${how}`,
      folder: "installed",
      files: stories.filter((file) => !CHANGES_AUTH_JS.test(file)),
      preload,
    },
    {
      name: `stories that change Auth.js, ${how}`,
      folder: "installed",
      files: stories.filter((file) => CHANGES_AUTH_JS.test(file)),
      preload,
    },
  ];
  const suites: Suite[] = [
    ...storySuites("against the package"),
    { name: "unit tests, against the sources", folder: "source", files: units.filter((file) => !SLOW.test(file)) },
  ];
  if (!long) return suites;
  return [
    ...suites,
    { name: "slow tests of adapters", folder: "source", files: units.filter((file) => SLOW.test(file)) },
    ...storySuites("with Response and Headers replaced", HOSTILE),
    ...BLOCKING.map((file): Suite => ({ name: `${file}, against the package`, folder: "installed", files: [file] })),
  ];
}
