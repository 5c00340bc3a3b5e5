/**
 * A cache for configuration objects that the caller may change between two requests. Web frameworks change them, and so do
 * functions that return one object for several tenants. An entry is found by the contents of the object.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import { isFeature } from "../contract/feature.ts";
import { isPlainObject } from "../kernel/objects.ts";

interface Remembered<T> {
  /** What the configuration held. */
  readonly contents: unknown;
  readonly made: T;
}

/** The most contents of one object that are remembered. It may serve two mount points, or a few tenants, in turn. */
const MOST = 4;

/** How deep a configuration is looked at: as far as the keys in the metadata of a client in the options of a provider. */
const DEPTH = 9;

/**
 * Remembers what is made of each configuration, as long as nothing in it changes.
 *
 * @param make Gets a copy, which does not change while modules load, and a function that forgets what it made.
 */
export function byContents<T>(make: (config: AuthConfig, forget: () => void) => T): (config: AuthConfig) => T {
  const known = new WeakMap<AuthConfig, readonly Remembered<T>[]>();
  return (config) => {
    const all = known.get(config) ?? [];
    const [latest] = all;
    if (latest && isUnchanged(latest.contents, config, DEPTH)) return latest.made;
    const found = all.find(({ contents }) => isUnchanged(contents, config, DEPTH)) ?? remember(config);
    known.set(config, [found, ...all.filter((each) => each !== found)].slice(0, MOST));
    return found.made;
  };

  function remember(config: AuthConfig): Remembered<T> {
    const contents = copyOf(config, DEPTH) as AuthConfig;
    const forget = () => void known.set(config, (known.get(config) ?? []).filter((each) => each !== found));
    const found: Remembered<T> = { contents, made: make(usable(contents, config), forget) };
    return found;
  }
}

// Methods of these may keep something in the object that they are called on.
function usable(copy: AuthConfig, { adapter, logger, callbacks, events }: AuthConfig): AuthConfig {
  return {
    ...copy,
    ...(adapter && { adapter }),
    ...(logger && { logger }),
    ...(isPlainObject(callbacks) && { callbacks: { ...callbacks } }),
    ...(isPlainObject(events) && { events: { ...events } }),
  };
}

// Instances of classes, such as an adapter over a connection, are the same as long as they are the same object.
function copyOf(value: unknown, depth: number): unknown {
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((member) => copyOf(member, depth - 1));
  if (!isContents(value)) return value;
  return Object.fromEntries(Reflect.ownKeys(value).map((name) => [name, copyOf(value[name as string], depth - 1)]));
}

function isUnchanged(before: unknown, now: unknown, depth: number): boolean {
  if (depth === 0 || (typeof now !== "object" && typeof before !== "object")) return Object.is(before, now);
  if (Array.isArray(before)) {
    return Array.isArray(now) && before.length === now.length &&
      before.every((member, at) => isUnchanged(member, now[at], depth - 1));
  }
  if (!isContents(before) || !isContents(now)) return Object.is(before, now);
  const names = Reflect.ownKeys(now) as string[];
  return names.length === Reflect.ownKeys(before).length &&
    names.every((name) => Object.hasOwn(before, name) && isUnchanged(before[name], now[name], depth - 1));
}

// Nothing changes in a feature, and a copy is none.
function isContents(value: unknown): value is Record<string, unknown> {
  return isPlainObject(value) && !isFeature(value);
}
