/**
 * What is wrong with a configuration, and what deserves a look. It is loaded late: of most configurations there is nothing
 * to say.
 *
 * @module
 */
import type { PagesOptions } from "../contract/config.ts";
import type { ConfigError } from "../kernel/errors.ts";
import { guardAdapter, type Storage } from "../storage/guard.ts";
import type { UnreadyProviders } from "./check_ready.ts";
import { lookWarnings, ownPagesOf } from "./check_looks.ts";
import { envWarnings } from "./check_env.ts";
import { configWarnings } from "./check_warnings.ts";
import type { MergedProvider } from "./merge_provider.ts";
import { type BrokenProvider, checkProviders } from "./providers.ts";
import type { ConfigFacts } from "./read_config.ts";
import { basicProblems, problemsTogether } from "./rules.ts";
import { unknownInConfig } from "./unknown_names.ts";
import type { Warning } from "./warning.ts";

export { unreadyProviders } from "./check_ready.ts";

/** What the rules say of a configuration. */
export interface CheckedConfig {
  /** What is wrong with the whole service, the most basic first. */
  readonly problems: readonly ConfigError[];
  readonly warnings: readonly Warning[];
  /** The names of `pages` that are the service's own, so that they would redirect to themselves. */
  readonly ownPages: readonly (keyof PagesOptions)[];
  /** The providers that can be used. */
  readonly providers: readonly MergedProvider[];
  readonly brokenProviders: ReadonlyMap<string, BrokenProvider>;
  /** What is wrong with providers, and with entries that are not providers. */
  readonly providerProblems: readonly ConfigError[];
  /** The adapter, guarded, if there is one. */
  readonly storage: Storage | null;
}

/** Checks a configuration. @param unready What providers lack. */
export function checkConfig(facts: ConfigFacts, unready: UnreadyProviders = new Map()): CheckedConfig {
  const { given, config, found } = facts;
  const storage = config.adapter ? guardAdapter(config.adapter) : null;
  const { providers, broken, problems, warnings } = checkProviders(facts, storage, unready);
  const unknown = unknownInConfig(given);
  const ownPages = ownPagesOf(facts);
  return {
    ownPages,
    problems: [
      ...basicProblems(facts),
      ...unknown.problems,
      ...found.problems,
      ...problemsTogether({ ...facts, providers }, storage),
    ],
    warnings: Object.freeze([
      ...found.warnings,
      ...warnings,
      ...unknown.warnings,
      ...envWarnings(facts),
      ...lookWarnings(facts, ownPages),
      ...configWarnings({ ...facts, providers }),
    ]),
    providers,
    brokenProviders: broken,
    providerProblems: problems,
    storage,
  };
}
