/**
 * A loader for Node, which strips types but cannot compile JSX: it loads the compiled file that lies beside a page.
 *
 * @module
 */
import { registerHooks } from "node:module";

registerHooks({
  resolve: (specifier, context, next) => next(specifier.replace(/\.tsx$/, ".js"), context),
});
