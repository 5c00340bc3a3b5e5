/**
 * What each framework does with a file `.env`. It is loaded when the secret is missing.
 *
 * @module
 */

const IF = "if it is in a file `.env`: ";

/** For the frameworks whose dev server reads the file, and whose built server does not. */
const BUILT = `${IF}only the dev server reads that; start the built one with \`node --env-file=.env\``;

/** What the log adds where the secret is missing. */
export const ENV_HINTS = {
  astro:
    `${IF}Astro does not put that into \`process.env\`; call \`process.loadEnvFile()\` in astro.config and start the built ` +
    'server with `node --env-file=.env`, or pass each variable, as in `secret: getSecret("AUTH_SECRET")` with ' +
    '`import { getSecret } from "astro:env/server"`',
  nuxt: BUILT,
  qwik: BUILT,
  "react-router": BUILT,
  "solid-start": BUILT,
  sveltekit: `${IF}SvelteKit does not put that into \`process.env\`; call \`process.loadEnvFile()\` in ` +
    'vite.config, or pass each variable, as in `secret: AUTH_SECRET` with `import { AUTH_SECRET } from "$app/env/private"` ' +
    '(SvelteKit 2: `env.AUTH_SECRET` of "$env/dynamic/private")',
  "tanstack-start": BUILT,
} as const;
