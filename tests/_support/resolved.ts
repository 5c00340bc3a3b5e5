import { checkConfig } from "../../src/config/check_config.ts";
import type { AuthConfig } from "../../src/contract/config.ts";
import { readConfig } from "../../src/config/read_config.ts";
import { freezeConfig, type ResolvedConfig } from "../../src/config/resolve.ts";
import type { Runtime } from "../../src/kernel/runtime.ts";

/** Resolves a configuration at once, and asks the rules in any case. */
export function resolveNow(config: AuthConfig, runtime: Runtime): ResolvedConfig {
  const facts = readConfig(config, runtime.env);
  return freezeConfig(facts, checkConfig(facts), runtime);
}
