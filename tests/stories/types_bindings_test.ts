// The types are the test: `deno check` reads this file.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Adapter, type AuthConfig, defineConfig, type Session } from "@x/auth";
import { AstroAuth, type AstroLocals } from "@x/auth/astro";
import { createAuthClient, getSession as ask, watchSession } from "@x/auth/client";
import { ElysiaAuth } from "@x/auth/elysia";
import { ExpressAuth, getSession as ofExpress } from "@x/auth/express";
import { FastifyAuth, getSession as ofFastify } from "@x/auth/fastify";
import { FreshAuth, type FreshState } from "@x/auth/fresh";
import { getSession as ofHono, HonoAuth, type HonoVariables } from "@x/auth/hono";
import { NestAuth } from "@x/auth/nest";
import { NextAuth } from "@x/auth/next";
import { NuxtAuth, type NuxtAuthContext } from "@x/auth/nuxt";
import { OakAuth, type OakState } from "@x/auth/oak";
import { credentials } from "@x/auth/providers/credentials";
import { github } from "@x/auth/providers/github";
import type { useSession as useInReact } from "@x/auth/react";
import { ReactRouterAuth } from "@x/auth/react-router";
import type { useSession as useInSolid } from "@x/auth/solid";
import { SolidAuth, type SolidLocals } from "@x/auth/solid-start";
import { sessionStore } from "@x/auth/svelte";
import { SvelteKitAuth, type SvelteKitLocals } from "@x/auth/sveltekit";
import { TanStackStartAuth, type TanStackStartContext } from "@x/auth/tanstack-start";
import type { useSession as useInVue } from "@x/auth/vue";

type Equal<A, B> = (<X>() => X extends A ? 1 : 2) extends (<X>() => X extends B ? 1 : 2) ? true : false;

/** Fails to compile unless both types are the same. */
function same<A, B>(_proof: Equal<A, B>): void {}

/** Names calls whose types are looked at. They are not made. */
function uncalled(_calls: (given: never) => unknown): void {}

const config = defineConfig({
  providers: [
    github(),
    credentials({ credentials: { username: {}, password: { type: "password" } }, authorize: () => null }),
  ],
  callbacks: {
    session: ({ session }) => ({ expires: session.expires, role: "guest" as "guest" | "staff" }),
  },
});

interface Mine {
  expires: string;
  role: "guest" | "staff";
}

/** A service of a framework with the types of `config`. */
interface Typed {
  readonly $infer: { readonly Session: Mine; readonly ProviderId: "github" | "credentials" };
  update(...given: never): Promise<Mine | null>;
  check(): Promise<void>;
}

/** Fails to compile unless a service has its types. */
function typed(_service: Typed): void {}

test("require gives the session of its configuration", () => {
  const [astro, elysia, fresh] = [AstroAuth(config), ElysiaAuth(config), FreshAuth(config)];
  const [hono, oak, next] = [HonoAuth(config), OakAuth(config), NextAuth(config)];
  const [router, solid, start] = [ReactRouterAuth(config), SolidAuth(config), TanStackStartAuth(config)];
  const kit = SvelteKitAuth(config);
  uncalled(async (given: never) => {
    const session: Mine = await next.auth.require({ level: 2 });
    same<typeof session, Mine>(true);
    await next.auth.require(given as Request, { maxAge: "10m" });
    // @ts-expect-error: there is no such level
    await hono.require(given, { level: 3 });
    // @ts-expect-error: there is no such unit
    await hono.require(given, { maxAge: "10w" });
  });
  same<Awaited<ReturnType<typeof astro.require>>, Mine>(true);
  same<Awaited<ReturnType<typeof elysia.require>>, Mine>(true);
  same<Awaited<ReturnType<typeof fresh.require>>, Mine>(true);
  same<Awaited<ReturnType<typeof hono.require>>, Mine>(true);
  same<Awaited<ReturnType<typeof oak.require>>, Mine>(true);
  same<Awaited<ReturnType<typeof router.require>>, Mine>(true);
  same<Awaited<ReturnType<typeof solid.require>>, Mine>(true);
  same<Awaited<ReturnType<typeof start.require>>, Mine>(true);
  same<Awaited<ReturnType<typeof kit.require>>, Mine>(true);
});

test("every binding has the session, the ids and the fields of its configuration", () => {
  const [astro, elysia, fresh] = [AstroAuth(config), ElysiaAuth(config), FreshAuth(config)];
  const [express, fastify, nest] = [ExpressAuth(config), FastifyAuth(config), NestAuth(config)];
  const [hono, nuxt, oak] = [HonoAuth(config), NuxtAuth(config), OakAuth(config)];
  const [router, solid, start] = [ReactRouterAuth(config), SolidAuth(config), TanStackStartAuth(config)];
  const kit = SvelteKitAuth(config);
  typed(astro);
  typed(elysia);
  typed(fresh);
  typed(express);
  typed(fastify);
  typed(nest);
  typed(hono);
  typed(nuxt);
  typed(oak);
  typed(router);
  typed(solid);
  typed(start);
  typed(kit);
  // @ts-expect-error: there is no such member
  type _Wrong = typeof hono.$infer.Session.rol;
  uncalled(async (given: never) => {
    // @ts-expect-error: there is no such provider
    await astro.signIn(given, "githb");
    // @ts-expect-error: there is no such provider
    await elysia.signIn(given, "githb");
    // @ts-expect-error: there is no such provider
    await fresh.signIn(given, "githb");
    // @ts-expect-error: there is no such provider
    await express.signIn(given, given, "githb");
    // @ts-expect-error: there is no such provider
    await fastify.signIn(given, given, "githb");
    // @ts-expect-error: there is no such provider
    await nest.signIn(given, given, "githb");
    // @ts-expect-error: there is no such provider
    await hono.signIn(given, "githb");
    // @ts-expect-error: there is no such provider
    await nuxt.signIn(given, "githb");
    // @ts-expect-error: there is no such provider
    await oak.signIn(given, "githb");
    // @ts-expect-error: there is no such provider
    await router.signIn(given, "githb");
    // @ts-expect-error: there is no such provider
    await solid.signIn(given, "githb");
    // @ts-expect-error: there is no such provider
    await start.signIn(given, "githb");
    // @ts-expect-error: there is no such provider
    await kit.signIn(given, "githb");
    await hono.signIn(given, "credentials", { username: "ada", password: "x", redirectTo: "/" });
    await hono.signIn(given, "credentials", new FormData());
    await hono.signIn(given, given as string, { any: "field" });
    // @ts-expect-error: there is no such field
    await hono.signIn(given, "credentials", { user: "ada" });
    // @ts-expect-error: there is no such field
    await express.signIn(given, given, "credentials", { user: "ada" });
    // @ts-expect-error: there is no such field
    await kit.signIn(given, "credentials", { user: "ada" });
    // @ts-expect-error: there is no such role
    await hono.update(given, { role: "owner" });
  });
});

declare const adapter: Adapter;

test("every binding tells `token` and `user` of the session callback apart", () => {
  uncalled(() => [
    HonoAuth({ adapter, callbacks: { session: ({ session, user }) => ({ ...session, id: user.id }) } }),
    NextAuth({ callbacks: { session: ({ session, token }) => ({ ...session, id: token.sub }) } }),
    ExpressAuth({
      adapter,
      // @ts-expect-error: stored sessions have no claims
      callbacks: { session: ({ session, token }) => ({ ...session, id: token.sub }) },
    }),
  ]);
});

test("Next has the types of its configuration in all that `NextAuth` gives", () => {
  const { auth, signIn, unstable_update: update, check } = NextAuth(config);
  same<typeof auth.$infer.Session, Mine>(true);
  same<ReturnType<typeof check>, Promise<void>>(true);
  uncalled(async (given: never) => {
    const session = await auth();
    same<typeof session, Mine | null>(true);
    auth((request) => same<typeof request.auth, Mine | null>(true));
    await signIn("github", { redirectTo: "/" });
    // @ts-expect-error: there is no such provider
    await signIn("githb");
    // @ts-expect-error: there is no such field
    await signIn("credentials", { user: "ada" });
    const updated = await update({ role: "staff" });
    same<typeof updated, Mine | null>(true);
    return given;
  });
});

test("what frameworks keep for a request has the session of the configuration", () => {
  const { $infer: _, ...hono } = HonoAuth(config);
  same<ReturnType<typeof hono.update>, Promise<Mine | null>>(true);
  same<HonoVariables<Mine>["session"], Mine | null>(true);
  same<AstroLocals<Mine>["session"], Mine | null>(true);
  same<FreshState<Mine>["session"], Mine | null>(true);
  same<NuxtAuthContext<Mine>["session"], Mine | null>(true);
  same<OakState<Mine>["session"], Mine | null>(true);
  same<SolidLocals<Mine>["session"], Mine | null>(true);
  same<TanStackStartContext<Mine>["session"], Mine | null>(true);
  same<ReturnType<SvelteKitLocals<Mine>["auth"]>, Promise<Mine | null>>(true);
  same<HonoVariables["session"], Session | null>(true);
});

test("`getSession` gives the session of the configuration", () => {
  const wide: AuthConfig = { providers: [] };
  uncalled(async (given: never) => {
    const [hono, express, fastify] = [ofHono(given, config), ofExpress(given, config), ofFastify(given, config)];
    same<typeof hono, Promise<Mine | null>>(true);
    same<typeof express, Promise<Mine | null>>(true);
    same<typeof fastify, Promise<Mine | null>>(true);
    const session = await ofHono(given, wide);
    same<typeof session, Session | null>(true);
  });
});

test("the client has the types of the service that it is told", () => {
  const service = HonoAuth(config);
  const { auth } = NextAuth(config);
  const client = createAuthClient<typeof service>();
  same<Awaited<ReturnType<typeof client.getSession>>, Mine | null>(true);
  const inNext = createAuthClient<typeof auth>();
  same<Awaited<ReturnType<typeof inNext.getSession>>, Mine | null>(true);
  uncalled(async () => {
    await client.signIn("credentials", { username: "ada", password: "x", redirect: false });
    await client.signIn();
    // @ts-expect-error: there is no such provider
    await client.signIn("githb");
    // @ts-expect-error: there is no such field
    await client.signIn("credentials", { user: "ada" });
    const asked = await ask<typeof service>();
    same<typeof asked, Mine | null>(true);
    watchSession<typeof service>(({ session }) => same<typeof session, Mine | null | undefined>(true));
    same<ReturnType<typeof useInReact<typeof service>>["data"], Mine | null | undefined>(true);
    same<ReturnType<typeof useInVue<typeof service>>["session"], Mine | null | undefined>(true);
    same<ReturnType<ReturnType<typeof useInSolid<typeof service>>>["session"], Mine | null | undefined>(true);
    sessionStore<typeof service>().subscribe(({ session }) => same<typeof session, Mine | null | undefined>(true));
    await createAuthClient().signIn("anything", { any: "field" });
  });
  assert.ok(client);
});
