/** The test kit, as an application uses it. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { describe, test } from "node:test";
import { type AuthConfig, createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { NextAuth } from "@x/auth/next";
import { nodeListener } from "@x/auth/node";
import { credentials } from "@x/auth/providers/credentials";
import { github } from "@x/auth/providers/github";
import { google } from "@x/auth/providers/google";
import { passkey } from "@x/auth/providers/passkey";
import { resend } from "@x/auth/providers/resend";
import { testAuth, type TestConfig, type World } from "@x/auth/testing";

const ADA = { name: "Ada", email: "ada@example.com" } as const;

const quiet = { error: () => {}, warn: () => {}, debug: () => {} };

/** An application with a page for members. */
function openApp(config: AuthConfig): World {
  return testAuth((test: TestConfig) => {
    const { handler, auth } = createAuth({ protect: ["/members/*"], logger: quiet, ...config, ...test });
    return auth((request, session) => {
      if (new URL(request.url).pathname.startsWith("/auth/")) return handler(request);
      return new Response(`Hello ${session?.user?.name ?? "stranger"}`);
    });
  });
}

const everything = (): AuthConfig => ({
  adapter: memoryAdapter(),
  providers: [
    google(),
    github(),
    resend({ from: "us@example.com" }),
    passkey(),
    credentials({
      credentials: { password: { type: "password" } },
      authorize: ({ password }) => password === "lovelace" ? { id: "1", name: "Ada" } : null,
    }),
  ],
  session: { strategy: "jwt" },
});

describe("a visitor signs in", () => {
  for (
    const [provider, given] of [
      ["google", ADA],
      ["github", { login: "ada", ...ADA }],
      ["resend", { email: ADA.email }],
      ["passkey", { email: ADA.email }],
      ["credentials", { password: "lovelace" }],
    ] as const
  ) {
    test(`with ${provider}, by the real flow`, async () => {
      const world = openApp(everything());
      const ada = world.visitor();
      assert.equal((await ada.get("/members")).status, 302);
      await ada.signIn(provider, given, { callbackUrl: "/members" });
      assert.equal(ada.url.href, "http://localhost:3000/members");
      assert.match(ada.html, /^Hello /);
      const session = await ada.session();
      assert.ok(provider === "credentials" ? session?.user?.name === "Ada" : session?.user?.email === ADA.email);
      await ada.signOut();
      assert.equal(await ada.session(), null);
    });
  }

  test("and comes again as the same user", async () => {
    const world = openApp({ ...everything(), session: { strategy: "database" } });
    const ids: unknown[] = [];
    for (let visits = 0; visits < 2; visits++) {
      await world.visitor().signIn("github", ADA);
      ids.push((await world.adapter.getUserByEmail?.(ADA.email))?.id);
    }
    assert.ok(ids[0]);
    assert.equal(ids[0], ids[1]);
  });

  test("with a passkey, twice", async () => {
    const world = openApp(everything());
    const ada = await world.visitor().signIn("passkey", { email: ADA.email });
    await ada.signOut();
    await ada.signIn("passkey");
    assert.equal((await ada.session())?.user?.email, ADA.email);
  });

  test("a wrong password does not", async () => {
    const ada = await openApp(everything()).visitor().signIn("credentials", { password: "byron" });
    assert.equal(await ada.session(), null);
  });
});

describe("a fake provider", () => {
  for (
    const [what, lie] of Object.entries({
      "another issuer": { iss: "https://evil.test" },
      "another audience": { aud: "somebody-else" },
      "a token that has expired": { exp: 1 },
      "another nonce": { nonce: "guessed" },
    })
  ) {
    test(`lies once: ${what} signs in nobody`, async () => {
      const world = openApp(everything());
      world.provider("google").next(lie);
      assert.equal(await (await world.visitor().signIn("google", ADA)).session(), null);
      assert.ok(await (await world.visitor().signIn("google", ADA)).session());
    });
  }

  test("lets a person refuse", async () => {
    const world = openApp(everything());
    world.provider("google").refuse();
    const ada = await world.visitor().signIn("google", ADA);
    assert.equal(await ada.session(), null);
    assert.ok(ada.url.searchParams.has("error"), ada.url.href);
  });

  test("fails on demand, and keeps what it was asked", async () => {
    const world = openApp(everything());
    const { requests, answer } = world.provider("google");
    answer("token", () => new Response(null, { status: 503 }));
    assert.equal(await (await world.visitor().signIn("google", ADA)).session(), null);
    assert.equal(requests.at(-1)?.endpoint, "token");
    assert.ok(requests.at(-1)?.form.get("code_verifier"));
  });
});

describe("the surroundings", () => {
  test("a session ends when its time has come", async () => {
    for (const strategy of ["jwt", "database"] as const) {
      const world = openApp({ ...everything(), session: { strategy } });
      const ada = await world.visitor().signInAs(ADA);
      world.clock.advance("29d");
      assert.ok(await ada.session());
      world.clock.advance("31d");
      assert.equal(await ada.session(), null);
    }
  });

  test("emails stay in the mailbox, and a link signs in once", async () => {
    const world = openApp(everything());
    const ada = world.visitor();
    await ada.post("/auth/signin/resend", { csrfToken: await ada.csrf(), email: ADA.email });
    const link = world.mailbox.link(ADA.email);
    assert.equal(link.searchParams.get("token"), world.mailbox.code(ADA.email));
    await ada.open(link);
    assert.ok(await ada.session());
    assert.equal(await (await world.visitor().open(link)).session(), null);
    assert.throws(() => world.mailbox.link("bob@example.com"), /there were emails to ada@example.com/);
  });

  test("no request leaves, and what else the service asks is answered by a function", async () => {
    const world = testAuth({ providers: [google()], logger: quiet });
    assert.equal((await world.handler(new Request("http://localhost:3000/auth/session"))).status, 200);
    assert.throws(() => world.clock.advance("1y" as "1d"), /write seconds/);
  });
});

describe("safety", () => {
  const KEYS = ["NODE_ENV", "DENO_ENV", "VITEST", "JEST_WORKER_ID", "NODE_TEST_CONTEXT"] as const;

  test("in production it throws, unless the test vouches for it", () => {
    const before = KEYS.map((name) => [name, process.env[name]] as const);
    try {
      for (const name of KEYS) delete process.env[name];
      process.env.NODE_ENV = "production";
      assert.throws(() => testAuth({ providers: [] }), /nothing says that this is a test/);
      assert.ok(testAuth({ providers: [] }, { allow: true }));
    } finally {
      for (const [name, value] of before) value === undefined ? delete process.env[name] : process.env[name] = value;
    }
  });

  test("it refuses the address of a site that may be real", () => {
    for (const origin of ["https://shop.com", "https://example.com.evil.net", "http://192.168.0.1:3000"]) {
      assert.throws(() => testAuth({ providers: [] }, { origin }), /may be a real site/);
    }
    for (const origin of ["https://app.test", "http://127.0.0.1:8000", "https://shop.example.com"]) {
      assert.equal(testAuth({ providers: [] }, { origin }).origin, origin);
    }
  });

  test("what replaces the surroundings of a service can be had from the test kit only", async () => {
    const main: Readonly<Record<string, unknown>> = await import("@x/auth");
    const symbols = Object.values(main).filter((value) => typeof value === "symbol");
    assert.deepEqual(symbols.map(({ description }) => description).toSorted(), [
      "custom-fetch",
      "return-type-raw",
      "skip-csrf-check",
    ]);
    const kit: Readonly<Record<string, unknown>> = await import("@x/auth/testing");
    assert.deepEqual(Object.values(kit).filter((value) => typeof value === "symbol"), []);
  });

  test("its cookies are worth nothing at the application, or in another test", async () => {
    const secret = "the secret of production, of 32 characters";
    const config: AuthConfig = { providers: [google()], secret, jwt: { secret }, trustHost: true, logger: quiet };
    const world = testAuth(config);
    const ada = await world.visitor().signInAs(ADA);
    const cookie = ada.cookies({ for: "header" });
    assert.match(cookie, /session-token=/);
    const request = () => new Request("http://localhost:3000/auth/session", { headers: { cookie } });
    assert.notEqual(await (await world.handler(request())).json(), null);
    const real = createAuth({ ...config, providers: [] });
    assert.equal(await (await real.handler(request())).json(), null);
    assert.equal(await (await testAuth(config).handler(request())).json(), null);
  });
});

test("an application without the test in its configuration is told what to write", async () => {
  const auth = createAuth({ providers: [], secret: "a secret for tests, longer than 32 characters", logger: quiet });
  const world = testAuth(() => auth);
  await assert.rejects(world.visitor().signInAs(ADA), /createAuth\(\{ \.\.\.config, \.\.\.test \}\)/);
});

describe("an application", () => {
  const routes = (test: object) => {
    const { handler, auth } = createAuth({ providers: [google()], logger: quiet, ...test });
    const page = auth((_request, session) => new Response(`Hello ${session?.user?.name ?? "stranger"}`));
    return async (request: Request) => {
      return new URL(request.url).pathname.startsWith("/auth/") ? await handler(request) : await page(request);
    };
  };

  test("is a function, or has one as fetch or handler, now or later", async () => {
    for (
      const make of [
        routes,
        (test: object) => ({ fetch: routes(test) }),
        (test: object) => ({ handler: routes(test) }),
        (test: object) => Promise.resolve(routes(test)),
      ]
    ) {
      const ada = await testAuth(make).visitor().signInAs(ADA);
      assert.equal((await ada.open("/")).html, "Hello Ada");
    }
  });

  test("is a server on this machine, which is closed in the end", async () => {
    let isClosed = false;
    const world = testAuth(async (test) => {
      const server = createServer(nodeListener(routes(test)));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const close = () => {
        isClosed = true;
        server.closeAllConnections();
        server.close();
      };
      return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
    });
    const ada = await world.visitor().signIn("google", ADA);
    assert.equal((await ada.open("/")).html, "Hello Ada");
    await world.close();
    assert.equal(isClosed, true);
  });

  test("is not a server elsewhere", async () => {
    const world = testAuth(() => ({ url: "https://shop.com" }));
    await assert.rejects(world.visitor().open("/"), /Cannot test at https:\/\/shop.com: it may be a real site/);
  });

  test("is made of the route handlers of Next", async () => {
    const world = testAuth((test) => {
      const { handlers } = NextAuth({ providers: [google()], logger: quiet, ...test });
      return async (request) => await (request.method === "POST" ? handlers.POST(request) : handlers.GET(request));
    });
    for (const ada of [await world.visitor().signIn("google", ADA), await world.visitor().signInAs(ADA)]) {
      assert.equal((await ada.session())?.user?.name, "Ada");
    }
  });

  test("may have its service elsewhere, as Next has it", async () => {
    const world = testAuth((test) => {
      return createAuth({ providers: [google()], logger: quiet, basePath: "/api/auth", ...test });
    });
    for (const ada of [await world.visitor().signIn("google", ADA), await world.visitor().signInAs(ADA)]) {
      assert.equal((await ada.session())?.user?.name, "Ada");
    }
  });
});

test("cookies go to browsers under test", async () => {
  const ada = await testAuth({ providers: [google()] }).visitor().signInAs(ADA);
  const [session] = ada.cookies({ for: "playwright" }).cookies.filter(({ name }) => name === "authjs.session-token");
  assert.ok(session);
  const { value, expires, ...rest } = session;
  assert.ok(value.length > 50 && expires > Date.now() / 1000);
  assert.deepEqual(rest, {
    name: "authjs.session-token",
    domain: "localhost",
    path: "/",
    httpOnly: true,
    secure: false,
    sameSite: "Lax",
  });
  const [same] = ada.cookies({ for: "cypress" }).filter(({ name }) => name === "authjs.session-token");
  assert.deepEqual(same, {
    name: "authjs.session-token",
    value,
    options: { domain: "localhost", path: "/", httpOnly: true, secure: false, sameSite: "lax", expiry: expires },
  });
});
