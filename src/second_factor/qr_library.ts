/**
 * The part of uqr that is used.
 *
 * In the npm package, `scripts/npm/embed.ts` puts that part into this file, so that applications need not install all of it.
 *
 * @module
 */
export { encode } from "uqr";
