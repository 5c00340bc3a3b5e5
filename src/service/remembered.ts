/**
 * Engines of configuration objects that their owner may change between two requests, as bindings of web frameworks do.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import { isPlainObject } from "../kernel/objects.ts";
import { createEngine, type Engine } from "./engine.ts";

interface Remembered {
  /** What the configuration held. */
  readonly contents: unknown;
  readonly engine: Engine;
}

/** The most engines of one object. A binding may serve two mount points with it, in turn. */
const MOST = 4;

/** How deep a configuration is looked at: as far as the parameters of an endpoint of a provider. */
const DEPTH = 6;

const known = new WeakMap<AuthConfig, Remembered[]>();

/** Gives the engine of a configuration: the one from before, unless something in the configuration has changed. */
export function engineOf(config: AuthConfig): Engine {
  // What is no object is a problem, which is reported.
  if (typeof config !== "object" || config === null) return createEngine(config);
  const [latest, ...older] = known.get(config) ?? [];
  if (latest && isUnchanged(latest.contents, config, DEPTH)) return latest.engine;
  const found = older.find(({ contents }) => isUnchanged(contents, config, DEPTH)) ??
    { contents: copyOf(config, DEPTH), engine: createEngine(config) };
  const others = [...(latest ? [latest] : []), ...older].filter((each) => each !== found);
  known.set(config, [found, ...others].slice(0, MOST));
  return found.engine;
}

// Instances of classes, such as an adapter over a connection, are the same as long as they are the same object.
function copyOf(value: unknown, depth: number): unknown {
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((member) => copyOf(member, depth - 1));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Reflect.ownKeys(value).map((name) => [name, copyOf(value[name as string], depth - 1)]));
}

function isUnchanged(before: unknown, now: unknown, depth: number): boolean {
  if (Object.is(before, now)) return true;
  if (depth === 0) return false;
  if (Array.isArray(before)) {
    return Array.isArray(now) && before.length === now.length &&
      before.every((member, at) => isUnchanged(member, now[at], depth - 1));
  }
  if (!isPlainObject(before) || !isPlainObject(now)) return false;
  const names = Reflect.ownKeys(now) as string[];
  return names.length === Reflect.ownKeys(before).length &&
    names.every((name) => Object.hasOwn(before, name) && isUnchanged(before[name], now[name], depth - 1));
}
