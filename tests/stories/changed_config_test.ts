/** A configuration object that its owner changes between two requests, compared with Auth.js. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Auth as otherAuth, setEnvDefaults as otherDefaults } from "@auth/core";
import Credentials from "@auth/core/providers/credentials";
import { Auth, type AuthConfig, createAuth, setEnvDefaults } from "@x/auth";
import { accountPage } from "@x/auth/account";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { Client } from "../_support/both_services.ts";
import { SECRET } from "../_support/service.ts";

interface Implementation {
  readonly name: string;
  readonly auth: (request: Request, config: never) => Promise<Response>;
  readonly defaults: (env: Readonly<Record<string, string>>, config: never) => void;
}

const BOTH: readonly Implementation[] = [
  { name: "here", auth: (request, config: AuthConfig) => Auth(request, config), defaults: setEnvDefaults },
  { name: "there", auth: otherAuth, defaults: otherDefaults },
];

const silent = { error: () => {}, warn: () => {}, debug: () => {} };

// deno-lint-ignore no-explicit-any -- a test changes whatever it is about
function testConfig(changes: object = {}): any {
  return {
    secret: SECRET,
    trustHost: true,
    basePath: "/auth",
    logger: silent,
    providers: [Credentials({ authorize: () => ({ id: "1", name: "Ada" }) })],
    ...changes,
  };
}

for (const { name, auth, defaults } of BOTH) {
  const serve = (config: unknown) => new Client({ name: "here", handler: (request) => auth(request, config as never) });

  test(`a binding that sets basePath for each request serves two mount points with one object (${name})`, async () => {
    const config = testConfig();
    const client = new Client({
      name: "here",
      handler: (request) => {
        config.basePath = new URL(request.url).pathname.split("/").slice(0, -1).join("/");
        defaults({ AUTH_CREDENTIALS_KEY: "x" }, config as never);
        return auth(request, config as never);
      },
    });
    const listed = [];
    for (const mount of ["/auth", "/api/auth", "/auth"]) {
      const { credentials } = await client.json(`${mount}/providers`);
      listed.push(credentials.signinUrl);
    }
    const origin = "http://localhost:3000";
    assert.deepEqual(listed, [
      `${origin}/auth/signin/credentials`,
      `${origin}/api/auth/signin/credentials`,
      `${origin}/auth/signin/credentials`,
    ]);
  });

  test(`a secret that is replaced no longer opens sessions (${name})`, async () => {
    const config = testConfig();
    const client = serve(config);
    await client.post("/auth/callback/credentials");
    assert.equal((await client.json("/auth/session")).user.name, "Ada");
    config.secret = "another secret of at least 32 characters";
    assert.equal(await client.json("/auth/session"), null);
  });

  test(`a provider that is added is offered, and one that is renamed has its new name (${name})`, async () => {
    const config = testConfig();
    const client = serve(config);
    await client.json("/auth/providers");
    config.providers[0].name = "Password";
    config.providers.push(Credentials({ id: "more", authorize: () => null }));
    const listed = await client.json("/auth/providers");
    assert.deepEqual(Object.keys(listed), ["credentials", "more"]);
    assert.equal(listed.credentials.name, "Password");
  });

  test(`a callback that is set later is called (${name})`, async () => {
    const config = testConfig({ callbacks: {} });
    const client = serve(config);
    await client.json("/auth/session");
    config.callbacks.signIn = () => false;
    const refused = await client.post("/auth/callback/credentials");
    assert.equal(new URL(refused ?? "").search, "?error=AccessDenied");
    delete config.callbacks.signIn;
    assert.equal(new URL(await client.post("/auth/callback/credentials") ?? "", "http://x").search, "");
  });

  test(`a cookie whose attribute is changed deep in the object is sent with it (${name})`, async () => {
    const config = testConfig({ cookies: { csrfToken: { options: { path: "/auth" } } } });
    const client = serve(config);
    await client.json("/auth/csrf");
    config.cookies.csrfToken.options.path = "/";
    const fresh = serve(config);
    const cookies = (await fresh.send("/auth/csrf")).headers.getSetCookie();
    assert.match(cookies.find((cookie) => cookie.includes("csrf")) ?? "", /Path=\/;/);
  });
}

test("an object that does not change is resolved once", async () => {
  let reads = 0;
  const provider = () => {
    reads++;
    return { id: "credentials", name: "P", type: "credentials" as const, authorize: () => null };
  };
  const config: AuthConfig = testConfig({ providers: [provider] });
  for (let round = 0; round < 5; round++) await Auth(new Request("http://localhost:3000/auth/session"), config);
  assert.equal(reads, 1);
});

test("of an object that always changes not everything is remembered, and it is served all the same", async () => {
  const config: AuthConfig = testConfig();
  for (let round = 0; round < 20; round++) {
    config.basePath = `/auth${round}`;
    const answer = await Auth(new Request(`http://localhost:3000/auth${round}/session`), config);
    assert.equal(await answer.json(), null);
  }
});

test("what the caller changes while an answer is made does not change the answer", async () => {
  const config: AuthConfig = testConfig();
  const answering = Auth(new Request("http://localhost:3000/auth/session"), config);
  config.basePath = "/elsewhere";
  config.raw = Symbol("return-type-raw");
  const answer = await answering;
  assert.ok(answer instanceof Response);
  assert.equal(answer.status, 200);
});

test("what the caller changes deep in the object while an answer is made does not change the answer", async () => {
  const config = testConfig();
  const answering = Auth(new Request("http://localhost:3000/auth/providers"), config);
  config.providers[0].name = "Later";
  config.providers.push(Credentials({ id: "more", authorize: () => null }));
  const answer = await answering;
  assert.ok(answer instanceof Response);
  const listed: readonly { readonly name: string }[] = Object.values(await answer.json());
  assert.deepEqual(listed.map(({ name }) => name), ["Credentials"]);
});

test("a feature acts in a configuration that is read again at each request, and one that is replaced no longer", async () => {
  const features = [accountPage()];
  const config: AuthConfig & { raw?: undefined } = testConfig({ adapter: memoryAdapter(), features });
  const { handler } = createAuth(() => config);
  const handlers = [handler, (request: Request) => Auth(request, config)];
  const mayDelete = async (): Promise<unknown> => {
    const told = handlers.map(async (handler) => {
      const client = new Client({ name: "here", handler });
      await client.post("/auth/callback/credentials");
      return (await client.json("/auth/account")).view.mayDelete;
    });
    return await Promise.all(told);
  };
  assert.deepEqual(await mayDelete(), [true, true]);
  features[0] = accountPage({ delete: false });
  assert.deepEqual(await mayDelete(), [false, false]);
});
