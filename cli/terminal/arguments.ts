/**
 * The arguments of a subcommand.
 *
 * @module
 */
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { InvalidConfig } from "../../src/kernel/errors.ts";

/** Reads arguments. @throws {InvalidConfig} if there is an option that is not known, or one without its value. */
export function parseArguments<Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
): ReturnType<typeof parseArgs<{ args: string[]; allowPositionals: true; options: Options }>> {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new InvalidConfig(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
