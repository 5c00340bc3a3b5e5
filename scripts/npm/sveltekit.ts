/**
 * What only the npm package has for SvelteKit: components, which are files of Svelte, and types that are global. JSR takes
 * neither.
 *
 * @module
 */

/** Where the components are, in the sources and in the package. */
const FOLDER = "client/sveltekit";

/** How the package exports the components. Tools that know the condition `svelte` compile them. */
export const COMPONENTS = {
  "./sveltekit/components": { types: `./${FOLDER}/components.d.mts`, svelte: `./${FOLDER}/components.mjs` },
} as const;

/**
 * Types that a program has because it imports `@x/auth/sveltekit`: `event.locals.auth()` needs no declaration, and the
 * function that chooses a configuration gets the event of SvelteKit.
 */
const GLOBAL = `
// @ts-ignore: SvelteKit is installed where this is used
import type { RequestEvent } from "@sveltejs/kit";
import type { SvelteKitSessionOf } from "./host/sveltekit.js";
declare module "./host/sveltekit.js" {
  interface SvelteKitRequestEvent extends RequestEvent {}
}
declare global {
  namespace App {
    interface Locals {
      /** Gives the session; \`null\` if nobody is signed in. */
      auth(): Promise<SvelteKitSessionOf<Locals> | null>;
    }
  }
}
`;

/** Adds them to the package in a folder. */
export async function addSvelteKit(folder: string): Promise<void> {
  const types = `${folder}/bindings/sveltekit.d.ts`;
  await Deno.writeTextFile(types, await Deno.readTextFile(types) + GLOBAL);
  await Deno.mkdir(`${folder}/${FOLDER}`, { recursive: true });
  for (const { name } of Deno.readDirSync(FOLDER)) {
    await Deno.copyFile(`${FOLDER}/${name}`, `${folder}/${FOLDER}/${name}`);
  }
}
