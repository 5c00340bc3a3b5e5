/** `check()` of every binding. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthConfig } from "@x/auth";
import { AstroAuth } from "../../../bindings/astro.ts";
import { ElysiaAuth } from "../../../bindings/elysia.ts";
import { ExpressAuth } from "../../../bindings/express.ts";
import { FastifyAuth } from "../../../bindings/fastify.ts";
import { FreshAuth } from "../../../bindings/fresh.ts";
import { HonoAuth } from "../../../bindings/hono.ts";
import { openQwik, type QwikEvent } from "../../../bindings/host/qwik.ts";
import { NestAuth } from "../../../bindings/nest.ts";
import { NextAuth } from "../../../bindings/next.ts";
import { NuxtAuth } from "../../../bindings/nuxt.ts";
import { OakAuth } from "../../../bindings/oak.ts";
import { ReactRouterAuth } from "../../../bindings/react_router.ts";
import { SolidAuth } from "../../../bindings/solid_start.ts";
import { SvelteKitAuth, type SvelteKitEvent } from "../../../bindings/sveltekit.ts";
import { TanStackStartAuth } from "../../../bindings/tanstack_start.ts";
import { InvalidConfig } from "../../../src/errors.ts";
import { recordLog, testConfig } from "../../_support/service.ts";

const SERVICES: Readonly<Record<string, (config: AuthConfig) => { check(): Promise<void> }>> = {
  Astro: AstroAuth,
  Elysia: ElysiaAuth,
  Express: ExpressAuth,
  Fastify: FastifyAuth,
  Fresh: FreshAuth,
  Hono: HonoAuth,
  Nest: NestAuth,
  Next: NextAuth,
  Nuxt: NuxtAuth,
  Oak: OakAuth,
  Qwik: (config) => openQwik(() => config),
  "React Router": ReactRouterAuth,
  SolidStart: SolidAuth,
  SvelteKit: SvelteKitAuth,
  "TanStack Start": TanStackStartAuth,
};

/** Two mistakes. */
function wrongConfig(): AuthConfig {
  return testConfig({ secret: undefined, protect: ["members"], logger: recordLog().logger });
}

/** Accepts the error of a check that found two problems. */
function tellsBoth(error: unknown): boolean {
  assert.ok(error instanceof InvalidConfig);
  assert.equal(error.problems?.length, 2);
  assert.match(error.message, /^Cannot start: the check found 2 problems\n- .*\n- /);
  return true;
}

for (const [name, serve] of Object.entries(SERVICES)) {
  test(`${name}: the check tells all that is wrong, and nothing if all is well`, async () => {
    const { check } = serve(wrongConfig());
    await assert.rejects(check(), tellsBoth);
    await serve(testConfig()).check();
  });
}

test("the check of a binding reads a configuration that a function chooses by the request", async () => {
  const seen: string[] = [];
  const auth = HonoAuth(({ url }: Request) => {
    seen.push(url);
    return wrongConfig();
  });
  await assert.rejects(auth.check(), /pass a request to `check\(\)`/);
  await assert.rejects(auth.check(new Request("http://localhost:3000/")), tellsBoth);
  assert.deepEqual(seen, ["http://localhost:3000/"]);
});

/** An event, as far as configurations see it. */
function event() {
  const request = new Request("http://localhost:3000/");
  return { request, url: new URL(request.url) } as SvelteKitEvent & QwikEvent;
}

test("SvelteKit: the check takes the event of a configuration that depends on it, and nothing while the site is built", async () => {
  const auth = SvelteKitAuth(({ url }) => url.port === "3000" ? wrongConfig() : testConfig());
  await assert.rejects(auth.check(), /pass a request to `check\(\)`/);
  await assert.rejects(auth.check(event()), tellsBoth);
  await SvelteKitAuth(wrongConfig(), { building: true }).check();
});

test("Qwik: the check takes the event of a function that takes it, and calls one that takes none once", async () => {
  const auth = openQwik(({ url }) => url.port === "3000" ? wrongConfig() : testConfig());
  await assert.rejects(auth.check(), /pass a request to `check\(\)`/);
  await assert.rejects(auth.check(event()), tellsBoth);
  let calls = 0;
  const config = testConfig();
  const fixed = openQwik(() => {
    calls++;
    return config;
  });
  await fixed.check();
  await fixed.check(event());
  assert.equal(calls, 1);
});
