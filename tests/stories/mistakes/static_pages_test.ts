/** Pages that are made when the site is built, and read the session. Those of SvelteKit and Astro are in frameworks_test.ts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthConfig } from "@x/auth";
import { credentials } from "@x/auth/providers/credentials";
import { nuxt, reactRouter, solid } from "./_frameworks.ts";
import { type Handler, type Mistake, SECRET, tellMistakes } from "./_table.ts";
import { HERE } from "./_visitor.ts";

const ada = credentials({ credentials: { name: {} }, authorize: () => ({ id: "1", name: "Ada" }) });

/** Pages that are made when the site is built, and how the log says to make them for each request. */
const STATIC: readonly (readonly [name: string, page: string, make: () => Handler, remedy: string])[] = [
  ["React Router", "/pricing", () => reactRouter({ providers: [ada] }), "react-router.config"],
  ["Nuxt", "/news", () => nuxt({ providers: [ada] }), "leave it out of `prerender`"],
  ["SolidStart", "/imprint", () => solid({ providers: [ada] }), "leave it out of `prerender`"],
];

tellMistakes(STATIC.map(([name, page, make, remedy]): Mistake => ({
  name: `a page of ${name} that is made when the site is built reads the session`,
  env: { IS_RR_BUILD_REQUEST: "yes" },
  make,
  ask: () => new Request(`${HERE}${page}`, { headers: { "x-nitro-prerender": page } }),
  see: { status: 200, text: /^null$/ },
  code: "session-in-static-page",
  level: "warn",
  log: new RegExp(`${page} asked for the session and is made once for everybody`),
  says: [remedy],
})));

test("a page of Nuxt or SolidStart that a visitor asks for is none that Nitro makes, whatever its headers say", async (t) => {
  const lines: unknown[] = [];
  t.mock.method(globalThis.console, "warn", (...parts: unknown[]) => void lines.push(parts));
  const config: AuthConfig = { providers: [ada], secret: SECRET };
  const headers = { "x-nitro-prerender": "/visited", host: "localhost:3000" };
  for (const ask of [nuxt(config, "192.0.2.1"), solid(config)]) {
    assert.equal(await (await ask(new Request(`${HERE}/visited`, { headers }))).json(), null);
  }
  assert.deepEqual(lines, []);
});
