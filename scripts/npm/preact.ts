/**
 * The parts of preact that the pages use. `scripts/npm/embed.ts` puts them into the npm package.
 *
 * @module
 */
export { Fragment } from "preact";
export { jsx, jsxs } from "preact/jsx-runtime";
export { renderToString } from "preact-render-to-string";
