/**
 * Modules that are loaded when a request first needs them.
 *
 * The first request that needs a module waits until it is loaded. A module that failed to load is tried again.
 *
 * @module
 */

/** Gives a module, loading it on first use. */
export type Load<Module> = () => Promise<Module>;

/** Remembers a module once it is loaded. Not the promise: an import that fails must not fail for ever. */
export function once<Module>(load: Load<Module>): Load<Module> {
  let loaded: Module | undefined;
  return async () => loaded ??= await load();
}
