/**
 * Asks providers what they lack before they are used.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import { type ConfigError, InvalidConfig } from "../kernel/errors.ts";
import { isObject } from "../kernel/objects.ts";

/** What providers lack, by the provider as it was written. */
export type UnreadyProviders = ReadonlyMap<unknown, ConfigError>;

/** Asks each provider that can say what it lacks. One that cannot say it counts as ready. */
export async function unreadyProviders({ providers }: AuthConfig): Promise<UnreadyProviders> {
  const unready = new Map<unknown, ConfigError>();
  for (const provider of Array.isArray(providers) ? providers as readonly unknown[] : []) {
    const lack = isObject(provider) && typeof provider.lacks === "function" ? await answerOf(provider) : null;
    if (lack === null || !isObject(provider)) continue;
    const what = `Cannot use provider "${String(provider.id).slice(0, 64)}": ${lack}`;
    unready.set(provider, new InvalidConfig(what, { logCode: "package-missing" }));
  }
  return unready;
}

async function answerOf(provider: object): Promise<string | null> {
  try {
    const lack: unknown = await (provider as { lacks(): unknown }).lacks();
    return typeof lack === "string" ? lack : null;
  } catch {
    return null;
  }
}
