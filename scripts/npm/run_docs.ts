/**
 * Runs the programs of README.md and the guides on Node and Bun, against the installed package.
 *
 * @module
 */
import { type Outcome, pages, programsFor, readBlocks, runPrograms, writeBlocks } from "../docs/run.ts";
import type { OtherRuntime } from "./runtimes.ts";

/** Runs the programs that are for a runtime, below a folder with the package. */
export async function runDocs({ kind, command }: OtherRuntime, installed: string): Promise<Outcome> {
  const home = `${installed}/docs`;
  const written = writeBlocks(readBlocks(pages()), `${home}/blocks`);
  const flags = kind === "node" ? ["--disable-warning=ExperimentalWarning"] : [];
  return await runPrograms([command, ...flags], programsFor(kind, written, home), home);
}
