/**
 * What the factories of providers are called with.
 *
 * @module
 */
import { InvalidConfig } from "../kernel/errors.ts";
import { isObject, isThenable, kindOf } from "../kernel/objects.ts";

/**
 * Gives the options that a factory was called with. JavaScript lets one pass anything.
 *
 * @throws {InvalidConfig} if they are not an object.
 */
export function optionsFor<O extends object>(id: string, options: O): O {
  if (isObject(options) && !isThenable(options)) return options;
  // `condition && { … }` may give false or an empty text.
  if (options !== null && !options) return {} as O;
  throw new InvalidConfig(
    `Cannot use provider "${id}": its options are ${
      kindOf(options)
    }, and must be an object; write them in \`{ }\`, or ` +
      "leave them out",
  );
}
