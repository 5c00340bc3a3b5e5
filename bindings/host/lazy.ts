/**
 * What a binding loads when it is needed.
 *
 * @module
 */

// Without `once()`: bundlers remove a function that is not called from files for browsers, but not a call.
/** Loads what the binding for Qwik City does on the server. */
export const qwik = (): Promise<typeof import("./qwik.ts")> => import("./qwik.ts");
