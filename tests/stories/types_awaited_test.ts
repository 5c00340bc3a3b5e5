// The types are the test: `deno check` reads this file. Without `await` a session is a promise, which is always true, so
// each condition here must not compile (TS2801). That needs a `Promise` in the type, and no union or thenable.
import { test } from "node:test";
import { createAuth, defineConfig } from "@x/auth";
import { getSession as ofAstro } from "@x/auth/astro";
import { getSession as ofElysia } from "@x/auth/elysia";
import { getSession as ofExpress } from "@x/auth/express";
import { getSession as ofFastify } from "@x/auth/fastify";
import { getSession as ofFresh } from "@x/auth/fresh";
import { getSession as ofHono } from "@x/auth/hono";
import { getSession as ofNest } from "@x/auth/nest";
import type { NextAuthResult } from "@x/auth/next";
import { nodeSession } from "@x/auth/node";
import { getSession as ofNuxt } from "@x/auth/nuxt";
import { getSession as ofOak } from "@x/auth/oak";
import type { getSession as ofQwik } from "@x/auth/qwik";
import { getSession as ofReactRouter } from "@x/auth/react-router";
import { getSession as ofSolid } from "@x/auth/solid-start";
import { getSession as ofSvelteKit, type SvelteKitLocals } from "@x/auth/sveltekit";
import { getSession as ofTanStack } from "@x/auth/tanstack-start";

const config = defineConfig({ providers: [] });
const { auth } = createAuth(config);

interface Elsewhere {
  readonly next: NextAuthResult;
  readonly locals: SvelteKitLocals;
  readonly qwik: typeof ofQwik;
  readonly never: never;
}

/** Names conditions that are never reached. */
function unreached(_conditions: (request: Request, elsewhere: Elsewhere) => unknown): void {}

test("a session that is not awaited is no condition, in the service and in each binding", () => {
  unreached((request, { next, locals, qwik, never }) => {
    // @ts-expect-error: it is not awaited
    if (auth(request)) return 1;
    // @ts-expect-error: it is not awaited
    if (auth(request) && request.url) return 1;
    // @ts-expect-error: it is not awaited
    if (nodeSession(auth)(never)) return 1;
    // @ts-expect-error: it is not awaited
    if (next.auth()) return 1;
    // @ts-expect-error: it is not awaited
    if (locals.auth()) return 1;
    // @ts-expect-error: it is not awaited
    if (ofAstro(request, config)) return 1;
    // @ts-expect-error: it is not awaited
    if (ofElysia(request, config)) return 1;
    // @ts-expect-error: it is not awaited
    if (ofExpress(never, config)) return 1;
    // @ts-expect-error: it is not awaited
    if (ofFastify(never, config)) return 1;
    // @ts-expect-error: it is not awaited
    if (ofFresh(request, config)) return 1;
    // @ts-expect-error: it is not awaited
    if (ofHono(request, config)) return 1;
    // @ts-expect-error: it is not awaited
    if (ofNest(never, config)) return 1;
    // @ts-expect-error: it is not awaited
    if (ofNuxt(request, config)) return 1;
    // @ts-expect-error: it is not awaited
    if (ofOak(request, config)) return 1;
    // @ts-expect-error: it is not awaited
    if (qwik(request, config)) return 1;
    // @ts-expect-error: it is not awaited
    if (ofReactRouter(request, config)) return 1;
    // @ts-expect-error: it is not awaited
    if (ofSolid(request, config)) return 1;
    // @ts-expect-error: it is not awaited
    if (ofSvelteKit(request, config)) return 1;
    // @ts-expect-error: it is not awaited
    return ofTanStack(request, config) ? 1 : 2;
  });
});
