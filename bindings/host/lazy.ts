/**
 * What a binding loads when it is needed.
 *
 * @module
 */

/** Loads what the binding for Qwik City does on the server. */
export const qwik = (): Promise<typeof import("./qwik.ts")> => import("./qwik.ts");
