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

export { configProblems } from "./check_config.ts";
export { unreadyProviders } from "./check_ready.ts";
export { configWarnings } from "./check_warnings.ts";
export { mendConfig } from "./mend.ts";
export { checkProviders } from "./providers.ts";

/** Finds names that no option has, and values that do not mean what they look like. @param config As it was written. */
export function findMistakes(config: AuthConfig): Findings {
  const found = new Findings();
  findMemberMistakes(config, found);
  findValueMistakes(config, found);
  return found;
}
