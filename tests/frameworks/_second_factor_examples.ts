/**
 * The examples with second factors and an account page.
 *
 * @module
 */
import { chosenExamples, type Example } from "./_examples.ts";

/** An example, and where its service is. */
export interface Setting {
  readonly example: Example;
  /** The path of the service that has both. */
  readonly basePath: string;
}

/** The settings of the chosen examples. Next takes long to build, so it has a second service beside the first. */
export function secondFactorExamples(): readonly Setting[] {
  return chosenExamples().flatMap((example) => {
    const { name, basePath } = example;
    switch (name) {
      case "next":
        return [{ example, basePath: "/api/admin-auth" }];
      case "express":
      case "hono":
      case "sveltekit":
        return [{
          example: { ...example, name: `${name}-second-factor`, folder: name, over: [`second-factor/${name}`] },
          basePath,
        }];
      default:
        return [];
    }
  });
}
