/** Mistakes with frameworks: variables that they keep, pages that are made once, and a package that is there twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { AstroAuth, type AstroContext } from "@x/auth/astro";
import { type AuthConfig, createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { isClientError } from "@x/auth/errors";
import { credentials } from "@x/auth/providers/credentials";
import { ReactRouterAuth } from "@x/auth/react-router";
import { SolidAuth } from "@x/auth/solid-start";
import { SvelteKitAuth, type SvelteKitAuthSource, type SvelteKitEvent } from "@x/auth/sveltekit";
import { TanStackStartAuth } from "@x/auth/tanstack-start";
import { ERROR_PAGE, type Handler, type Mistake, SECRET, tellMistakes } from "./_table.ts";
import { nuxt } from "./_frameworks.ts";
import { HERE, visitor } from "./_visitor.ts";

const ada = credentials({ credentials: { name: {} }, authorize: () => ({ id: "1", name: "Ada" }) });

interface Locals {
  auth(): Promise<unknown>;
}

/** SvelteKit, as far as the binding sees it. Its pages answer with the session. */
function svelteKit(config: SvelteKitAuthSource, options?: { readonly building: boolean }): Handler {
  const { handle } = SvelteKitAuth(config as AuthConfig, options);
  return async (request) => {
    const url = new URL(request.url);
    const cookies = { set: () => {} };
    const event: SvelteKitEvent = { request, url, route: { id: url.pathname }, params: {}, locals: {}, cookies };
    return await handle({ event, resolve: async () => Response.json(await (event.locals as Locals).auth()) });
  };
}

/** Astro, as far as the binding sees it. Its pages answer with the session. */
function astro(config: AuthConfig, isPrerendered: boolean, read = (locals: Record<string, unknown>) => locals.session) {
  const { onRequest } = AstroAuth(config);
  return async (request: Request) => {
    const url = new URL(request.url);
    const locals: Record<string, unknown> = {};
    const context: AstroContext = { request, url, routePattern: url.pathname, params: {}, locals, isPrerendered };
    return await onRequest(context, () => Promise.resolve(Response.json(read(locals) ?? null)));
  };
}

/** Other frameworks that keep the variables of a file, as far as they call their bindings, and what the log says of each. */
const OTHERS: readonly (readonly [name: string, make: () => Handler, ...says: string[]])[] = [
  [
    "Astro",
    () => astro({ providers: [ada] }, false),
    ...["`process.loadEnvFile()` in astro.config", '`secret: getSecret("AUTH_SECRET")`', '"astro:env/server"'],
  ],
  ["Nuxt", () => nuxt({ providers: [ada] }), "only the dev server reads that"],
  [
    "React Router",
    () => (request) => ReactRouterAuth({ providers: [ada] }).loader({ request }),
    "only the dev server reads that",
  ],
  ["SolidStart", () => (request) => SolidAuth({ providers: [ada] }).GET({ request }), "only the dev server reads that"],
  [
    "TanStack Start",
    () => (request) => TanStackStartAuth({ providers: [ada] }).handlers.GET({ request }),
    "only the dev server reads that",
  ],
];

const NO_SECRET = {
  env: { AUTH_SECRET: undefined },
  code: "missing-secret",
  log: /Cannot start without a secret: set `secret` or the environment variable AUTH_SECRET/,
} as const;

tellMistakes([
  {
    name: "SvelteKit keeps the secret of `.env` to itself",
    ...NO_SECRET,
    make: () => svelteKit({ providers: [ada] }),
    see: ERROR_PAGE,
    says: [
      "a file `.env`",
      "`process.env`",
      "`process.loadEnvFile()` in vite.config",
      '`secret: AUTH_SECRET` with `import { AUTH_SECRET } from "$app/env/private"`',
      '`env.AUTH_SECRET` of "$env/dynamic/private"',
    ],
  },
  {
    name: "SvelteKit keeps the secret of `.env` to itself, and a page reads the session",
    ...NO_SECRET,
    make: () => svelteKit({ providers: [ada] }),
    ask: `${HERE}/home`,
    see: { status: 500 },
    says: ["`secret: AUTH_SECRET`"],
  },
  ...OTHERS.map(([name, make, ...says]): Mistake => ({
    name: `${name} keeps the secret of \`.env\` to itself, or to its dev server`,
    ...NO_SECRET,
    make,
    see: ERROR_PAGE,
    says: ["a file `.env`", "`node --env-file=.env`", ...says],
  })),
  {
    name: "the secret is missing in a program without a framework",
    ...NO_SECRET,
    make: () => createAuth({ providers: [ada] }).handler,
    see: ERROR_PAGE,
    says: ["AUTH_SECRET"],
  },
  {
    name: "a page of SvelteKit that is prerendered reads the session",
    make: () => svelteKit({ providers: [ada] }, { building: true }),
    ask: `${HERE}/about`,
    see: { status: 200, text: /^null$/ },
    code: "session-in-static-page",
    level: "warn",
    log: /\/about asked for the session and is made once for everybody/,
    says: ["remove `prerender` from the page", "`@x/auth/client`"],
  },
  {
    name: "a static page of Astro reads the session",
    make: () => astro({ providers: [ada] }, true),
    ask: `${HERE}/team`,
    see: { status: 200, text: /^null$/ },
    code: "session-in-static-page",
    level: "warn",
    log: /\/team asked for the session and is made once for everybody/,
    says: ["`export const prerender = false`"],
  },
]);

test("a static page of Astro that reads no session logs nothing, and may set `session` itself", async (t) => {
  const lines: unknown[] = [];
  t.mock.method(globalThis.console, "warn", (...parts: unknown[]) => void lines.push(parts));
  const config: AuthConfig = { providers: [ada], secret: SECRET };
  assert.equal(await (await astro(config, true, () => 1)(new Request(`${HERE}/plain`))).json(), 1);
  const own = astro(config, true, (locals) => {
    locals.session = { mine: true };
    return Object.getOwnPropertyDescriptor(locals, "session") && 2;
  });
  assert.equal(await (await own(new Request(`${HERE}/plain`))).json(), 2);
  assert.deepEqual(lines, []);
});

// --- The package is there twice ----------------------------------------------------------------------------------------

/** An error as another copy of the package makes it: the same members, and another class. */
class OfOtherCopy extends Error {
  readonly type: string;
  readonly family: string;
  constructor(message: string, type: string, family: string) {
    super(message);
    Object.assign(this, { name: type });
    this.type = type;
    this.family = family;
  }
}

const signIn = async (handler: Handler) => {
  const ask = visitor(handler);
  const { csrfToken } = await (await ask("/auth/csrf")).json();
  return await ask("/auth/callback/credentials", { csrfToken, name: "ada" });
};

tellMistakes([
  {
    name: "the package is there twice: `authorize` throws `CredentialsSignin` of the other copy",
    make: () => {
      const authorize = () => Promise.reject(new OfOtherCopy("Wrong password", "CredentialsSignin", "sign-in"));
      return createAuth({ providers: [credentials({ credentials: {}, authorize })] }).handler;
    },
    ask: signIn,
    see: { status: 302 },
    code: "credentials-signin",
    level: "warn",
    log: /Wrong password/,
    says: ["credentials-signin"],
  },
  {
    name: "the package is there twice: `callbacks.signIn` throws `AccessDenied` of the other copy",
    make: () => {
      const callbacks = { signIn: () => Promise.reject(new OfOtherCopy("Not you", "AccessDenied", "denied")) };
      return createAuth({ providers: [ada], callbacks }).handler;
    },
    ask: signIn,
    see: { status: 302 },
    code: "access-denied",
    level: "warn",
    log: /Not you/,
    says: ["access-denied"],
  },
  {
    name: "the package is there twice: an adapter throws `AdapterError` of the other copy",
    make: () => {
      const failing = () => Promise.reject(new OfOtherCopy("The disk is full", "AdapterError", "fault"));
      const adapter = { ...memoryAdapter(), getSessionAndUser: failing };
      return createAuth({ providers: [ada], adapter, session: { strategy: "database" } }).handler;
    },
    ask: async (handler: Handler) => {
      const headers = { cookie: "authjs.session-token=0123456789abcdef" };
      return await handler(new Request(`${HERE}/auth/session`, { headers }));
    },
    see: { status: 503 },
    log: /Cannot read the session/,
    says: ["The disk is full"],
  },
]);

test("the package is there twice: `customFetch` of the other copy is known", async () => {
  const asked: string[] = [];
  const fetch = (url: string | URL | Request) => {
    asked.push(String(url));
    return Promise.resolve(new Response("{}"));
  };
  const oidc = { id: "idp", name: "IdP", type: "oidc", issuer: "https://idp.test", clientId: "a", clientSecret: "b" };
  const provider = { ...oidc, [Symbol("custom-fetch")]: fetch } as never;
  const logger = { error: () => {} };
  const ask = visitor(createAuth({ providers: [provider], secret: SECRET, logger }).handler);
  const { csrfToken } = await (await ask("/auth/csrf")).json();
  await ask("/auth/signin/idp", { csrfToken });
  assert.deepEqual(asked, ["https://idp.test/.well-known/openid-configuration"]);
});

test("isClientError() knows the errors of another copy, and no other error", () => {
  assert.equal(isClientError(new OfOtherCopy("no", "AccessDenied", "denied")), true);
  assert.equal(isClientError(new OfOtherCopy("no", "MissingSecret", "config")), false);
  assert.equal(isClientError(Object.assign(new Error("no"), { type: "AccessDenied" })), false);
  assert.equal(isClientError({ type: "AccessDenied", family: "denied" }), false);
  assert.equal(isClientError(null), false);
});
