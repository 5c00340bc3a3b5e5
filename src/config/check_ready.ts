/**
 * Asks providers what they lack before they are used.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { type ConfigError, InvalidConfig } from "../kernel/errors.ts";
import { isObject } from "../kernel/objects.ts";
import type { Runtime } from "../kernel/runtime.ts";

/** What providers lack, by the provider as it was written. */
export type UnreadyProviders = ReadonlyMap<unknown, ConfigError>;

/** Asks each provider that can say what it lacks. One that cannot say it counts as ready. */
export async function unreadyProviders({ providers }: AuthConfig, runtime: Runtime): Promise<UnreadyProviders> {
  const unready = new Map<unknown, ConfigError>();
  const all: readonly unknown[] = Array.isArray(providers) ? providers : [];
  await Promise.all(all.map(async (provider) => {
    if (!isObject(provider) || typeof provider.lacks !== "function") return;
    const lack = await answerOf(provider as { lacks(): unknown }, runtime);
    if (lack === null) return;
    const what = `Cannot use provider "${String(provider.id).slice(0, 64)}": ${lack}`;
    unready.set(provider, new InvalidConfig(what, { logCode: "package-missing" }));
  }));
  return unready;
}

/** Seconds that a provider may take to say what it lacks. No request is answered meanwhile. */
const DEADLINE = 5;

async function answerOf(provider: { lacks(): unknown }, runtime: Runtime): Promise<string | null> {
  try {
    const lack = await withDeadline(runtime, DEADLINE, "a provider", () => provider.lacks());
    return typeof lack === "string" ? lack : null;
  } catch {
    return null;
  }
}
