/**
 * Engines of configuration objects that their owner may change between two requests, as bindings of web frameworks do.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import { byContents } from "./by_contents.ts";
import { createEngine, type Engine } from "./engine.ts";

const known = byContents((config) => createEngine(config));

/** Gives the engine of a configuration: the one from before, unless something in the configuration has changed. */
export function engineOf(config: AuthConfig): Engine {
  // What is no object is a problem, which is reported.
  return typeof config === "object" && config !== null ? known(config) : createEngine(config);
}
