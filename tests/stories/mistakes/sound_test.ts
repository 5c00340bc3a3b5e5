/** Programs without a mistake: nothing is logged about them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuthConfig, createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { apple } from "@x/auth/providers/apple";
import { credentials } from "@x/auth/providers/credentials";
import { consoleEmail } from "@x/auth/providers/console-email";
import { github } from "@x/auth/providers/github";
import { google } from "@x/auth/providers/google";
import { nodemailer } from "@x/auth/providers/nodemailer";
import { passkey } from "@x/auth/providers/passkey";
import { resend } from "@x/auth/providers/resend";
import { captureConsole, type Handler, SECRET, setEnv } from "./_table.ts";

const ada = credentials({
  credentials: { name: { label: "Name" } },
  authorize: () => ({ id: "1", name: "Ada" }),
});
const CLIENT = { clientId: "app", clientSecret: SECRET } as const;
const idp = { id: "idp", name: "IdP", type: "oidc", issuer: "https://idp.test", ...CLIENT } as const;

interface Sound {
  readonly config: () => AuthConfig;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** @default "http://localhost:3000" */
  readonly at?: string;
  /** @default "/auth" */
  readonly path?: string;
}

const SHOP = "https://shop.example";

const PROGRAMS: Readonly<Record<string, Sound>> = {
  "one provider, and all else from the environment": {
    config: () => ({ providers: [github] }),
    env: { AUTH_GITHUB_ID: "app", AUTH_GITHUB_SECRET: SECRET },
  },
  "three providers with their options": {
    config: () => ({ providers: [github(CLIENT), google(CLIENT), apple(CLIENT), ada] }),
  },
  "a provider that is an object": { config: () => ({ providers: [idp, ada] }) },
  "no provider yet": { config: () => ({ providers: [] }) },
  "AUTH_URL of the site": { config: () => ({ providers: [ada] }), env: { AUTH_URL: SHOP }, at: SHOP },
  "AUTH_URL with the path of the service": {
    config: () => ({ providers: [ada] }),
    env: { AUTH_URL: `${SHOP}/api/auth` },
    at: SHOP,
    path: "/api/auth",
  },
  "AUTH_TRUST_HOST behind a proxy": {
    config: () => ({ providers: [ada] }),
    env: { AUTH_TRUST_HOST: "true" },
    at: SHOP,
  },
  "`basePath` of its own": { config: () => ({ providers: [ada], basePath: "/login" }), path: "/login" },
  "two secrets": { config: () => ({ providers: [ada], secret: [SECRET, `old-${SECRET}`] }) },
  "AUTH_SECRET_1 beside AUTH_SECRET": {
    config: () => ({ providers: [ada] }),
    env: { AUTH_SECRET_1: `new-${SECRET}` },
  },
  "sessions in storage": { config: () => ({ adapter: memoryAdapter(), providers: [github(CLIENT)] }) },
  "sealed sessions with storage": {
    config: () => ({ adapter: memoryAdapter(), session: { strategy: "jwt" }, providers: [ada, consoleEmail()] }),
  },
  "links by email": {
    config: () => ({
      adapter: memoryAdapter(),
      providers: [resend({ from: "Shop <no-reply@example.com>", apiKey: "re_0123456789" })],
    }),
  },
  "emails by a transport, in words of its own": {
    config: () => ({
      adapter: memoryAdapter(),
      providers: [nodemailer({
        from: "no-reply@example.com",
        server: { sendMail: () => Promise.resolve() },
        message: () => ({ subject: "Welcome" }),
      })],
    }),
  },
  "passkeys": { config: () => ({ adapter: memoryAdapter(), providers: [passkey(), consoleEmail()] }) },
  "all callbacks and events": {
    config: () => ({
      providers: [ada],
      callbacks: {
        signIn: () => true,
        redirect: ({ baseUrl }) => baseUrl,
        jwt: ({ token }) => ({ ...token, role: "admin", since: new Date(0), tags: ["a"], address: { city: "London" } }),
        session: ({ session, token }) => ({ ...session, role: token?.role }),
      },
      events: { signIn: () => {}, signOut: () => {}, session: () => {} },
    }),
  },
  "pages of the application": {
    config: () => ({
      providers: [ada],
      pages: { signIn: "/login", signOut: "/logout", error: "/oops", verifyRequest: "/mail", newUser: "/welcome" },
    }),
  },
  "a theme": {
    config: () => ({
      providers: [ada],
      theme: { brandColor: "rebeccapurple", buttonText: "white", logo: "/logo.svg", name: "Shop", language: "pt-BR" },
    }),
  },
  "a theme with a logo elsewhere": {
    config: () => ({ providers: [ada], theme: { logo: "https://cdn.example/logo.svg", colorScheme: "dark" } }),
  },
  "a cookie for all hosts of a site": {
    config: () => ({
      providers: [ada],
      cookies: { sessionToken: { name: "__Secure-sid", options: { domain: "shop.example", sameSite: "none" } } },
    }),
    env: { AUTH_URL: "https://www.shop.example" },
    at: "https://www.shop.example",
  },
  "an application that is opened by its scheme": {
    config: () => ({
      providers: [ada],
      redirectSchemes: ["myapp"],
      callbacks: { redirect: ({ url, baseUrl }) => url.startsWith("myapp:") ? url : baseUrl },
    }),
  },
  "lifetimes and deadlines": {
    config: () => ({
      providers: [ada],
      session: { maxAge: 7 * 24 * 60 * 60, updateAge: 60 * 60 },
      jwt: { maxAge: 24 * 60 * 60 },
      timeouts: { total: 20, request: 8 },
    }),
  },
};

for (const [name, sound] of Object.entries(PROGRAMS)) {
  test(`nothing is logged about ${name}`, async () => {
    const restore = setEnv({ NODE_ENV: undefined, AUTH_SECRET: SECRET, ...sound.env });
    const log = captureConsole();
    try {
      await visit(createAuth(sound.config()).handler, sound);
    } finally {
      log.restore();
      restore();
    }
    assert.deepEqual(log.lines, []);
  });
}

/** Opens the pages, signs in if there is a form for it, reads the session and signs out. */
async function visit(handler: Handler, { at = "http://localhost:3000", path = "/auth" }: Sound): Promise<void> {
  const jar = new Map<string, string>();
  const open = async (action: string, fields?: Record<string, string>) => {
    const headers = { cookie: [...jar].map((pair) => pair.join("=")).join("; "), origin: at, accept: "text/html" };
    const form = fields && { method: "POST", body: new URLSearchParams(fields) };
    const response = await handler(new Request(`${at}${path}/${action}`, { headers, ...form }));
    for (const cookie of response.headers.getSetCookie()) {
      const [name = "", value = ""] = cookie.split(";", 1)[0]?.split(/=(.*)/s) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  for (const action of ["signin?callbackUrl=/members", "signin", "signout"]) {
    const { status } = await open(action);
    assert.ok(status === 200 || status === 302, `${action}: ${status}`);
  }
  const providers = await (await open("providers")).json();
  const { csrfToken } = await (await open("csrf")).json();
  if (providers.credentials) {
    const { status } = await open("callback/credentials", { csrfToken, name: "ada" });
    assert.equal(status, 302);
    const { user } = await (await open("session")).json();
    assert.equal(user.name, "Ada");
  }
  assert.equal((await open("signout", { csrfToken })).status, 302);
  assert.equal(await (await open("session")).json(), null);
}

test("at least twenty programs are sound", () => {
  assert.ok(Object.keys(PROGRAMS).length >= 20);
});
