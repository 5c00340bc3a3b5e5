/**
 * A loader for Node, which strips types but cannot compile JSX: it loads the pages from the package instead of the
 * sources.
 *
 * @module
 */
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.endsWith(".tsx")) return next(specifier, context);
    const [path] = /\/src\/pages\/[a-z_]+(?=\.tsx$)/.exec(
      new URL(specifier, context.parentURL).pathname,
    ) ?? [];
    const main = next("@x/auth", { ...context, parentURL: import.meta.url }).url;
    return { url: new URL(`.${path}.js`, main).href, shortCircuit: true };
  },
});
