/**
 * Finds mistakes in a configuration, and reads what can be meant in one way only. It is loaded late, so that the names of
 * all options and the words about them are no part of what every program starts with.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import { findMemberMistakes } from "./check_members.ts";
import { findValueMistakes } from "./check_values.ts";
import { Findings } from "./findings.ts";

export { shapeProblems } from "./check_shape.ts";
export { mendConfig } from "./mend.ts";
export { mendProvider } from "./mend_provider.ts";
export { noProvider, providerFindings } from "./check_provider_members.ts";
export { unreadyProviders } from "./check_ready.ts";
export { adapterProblem } from "./check_values.ts";

/** Finds names that no option has, and values that do not mean what they look like. @param config As it was written. */
export function findMistakes(config: AuthConfig): Findings {
  const found = new Findings();
  findMemberMistakes(config, found);
  findValueMistakes(config, found);
  return found;
}
