import assert from "node:assert/strict";
import { test } from "node:test";
import type { OAuthProviderError } from "../../../src/kernel/errors.ts";
import { json } from "../../_support/issuer.ts";
import { ADA_ID, KEY, openWorld } from "../../_support/refreshes.ts";

test("an access token that is valid for more than a minute is given as it is stored", async () => {
  const { adapter, ask, runtime, family, issuer } = await openWorld();
  const expires_at = runtime.now() / 1000 + 61;
  await adapter.updateAccount({ provider: "idp", providerAccountId: "ada-1", expires_at });
  const { fetch: _, ...given } = await ask();
  assert.deepEqual(given, {
    accessToken: "access-0",
    tokenType: "bearer",
    expiresAt: new Date(expires_at * 1000),
    scope: "openid calendar",
    provider: "idp",
    providerAccountId: "ada-1",
  });
  assert.deepEqual([family.given, issuer.requests.length], [0, 0]);
});

test("an access token that expires within a minute is refreshed, and stored with the new refresh token", async () => {
  const { ask, row, family, runtime } = await openWorld();
  const given = await ask();
  assert.equal(given.accessToken, "family-access-1");
  assert.equal(given.expiresAt?.getTime(), runtime.now() + 3600_000);
  const stored = await row();
  assert.equal(stored.access_token, "family-access-1");
  assert.equal(stored.refresh_token, family.current);
  assert.equal(stored.scope, "openid calendar");
  assert.equal((await ask()).accessToken, "family-access-1");
  assert.equal(family.given, 1);
});

test("500 callers in four processes lead to one refresh", async () => {
  const { another, family, issuer } = await openWorld();
  issuer.override("token", async (request) => {
    const { status, body } = family.refresh(new URLSearchParams(await request.text()).get("refresh_token"));
    await new Promise((resolve) => setTimeout(resolve, 50));
    return json(body, status);
  });
  const asks = [another(), another(), another(), another()];
  const all = await Promise.all(Array.from({ length: 500 }, (_, n) => asks[n % 4]?.()));
  assert.deepEqual([...new Set(all.map((token) => token?.accessToken))], ["family-access-1"]);
  assert.deepEqual([family.given, family.refusals], [1, 0]);
});

test("a refresh token that the provider refuses is RefreshRequired, and is not sent again", async () => {
  const { ask, another, family, log } = await openWorld({
    account: { refresh_token: "stolen" },
  });
  for (const one of [ask, ask, another(), another()]) {
    await assert.rejects(() => one({ userId: ADA_ID }), { type: "RefreshRequired", reason: "refused" });
  }
  assert.equal(family.refusals, 1);
  assert.deepEqual(log.errors, []);
});

test("without a new refresh token in the answer, the old one stays and works again", async () => {
  const { ask, row, family, runtime } = await openWorld({ rotates: false });
  assert.equal((await ask()).accessToken, "family-access-1");
  assert.equal((await row()).refresh_token, family.current);
  runtime.advance(3600);
  assert.equal((await ask()).accessToken, "family-access-2");
});

test("an answer without expires_in gives a token whose end is not known, and which is kept", async () => {
  const { ask, family, row } = await openWorld({ answer: () => ({ expires_in: null }) });
  assert.equal((await ask()).expiresAt, null);
  assert.equal((await row()).expires_at, null);
  assert.equal((await ask()).accessToken, "family-access-1");
  assert.equal(family.given, 1);
});

test("an access token that lives for half a minute is not refreshed at every call", async () => {
  const { ask, family, runtime } = await openWorld({ lifetime: 30 });
  await ask();
  runtime.advance(14);
  await ask();
  assert.equal(family.given, 1);
  runtime.advance(2);
  await ask();
  assert.equal(family.given, 2);
});

test("an access token that the API refused is refreshed, once for everybody whom it refused", async () => {
  const { ask, another, family, runtime, row } = await openWorld();
  await ask();
  const { access_token: refused } = await row();
  const asks = [ask, another(), ask, another()];
  const given = await Promise.all(asks.map((one) => one({ userId: ADA_ID }, { refused })));
  assert.deepEqual(new Set(given.map(({ accessToken }) => accessToken)), new Set(["family-access-2"]));
  assert.equal((await ask({ userId: ADA_ID }, { refused: "some older token" })).accessToken, "family-access-2");
  assert.equal(family.given, 2);
  assert.ok(runtime.timers() === 0);
});

test("numbers that a database returns as text are read as numbers", async () => {
  const { adapter, ask, family, runtime } = await openWorld();
  const expires_at = `${runtime.now() / 1000 + 3000}` as unknown as number;
  await adapter.updateAccount({ ...KEY, expires_at });
  assert.equal((await ask()).accessToken, "access-0");
  assert.equal(family.given, 0);
});

test("the client authenticates as at the sign-in, with the parameters of the endpoint and its repair", async () => {
  const { ask, issuer } = await openWorld({
    provider: {
      client: { token_endpoint_auth_method: "client_secret_post" },
      token: {
        params: { tenant: "acme" },
        conform: async (response: Response) => Response.json({ ...await response.json(), token_type: "bearer" }),
      },
    },
    answer: () => ({ token_type: "JWT" }),
  });
  assert.equal((await ask()).tokenType, "bearer");
  const [request] = issuer.requests.filter(({ endpoint }) => endpoint === "token");
  assert.equal(new URL(request?.url ?? "").searchParams.get("tenant"), "acme");
  assert.deepEqual(Object.fromEntries(request?.form ?? []), {
    grant_type: "refresh_token",
    refresh_token: "family-refresh-1",
    client_id: "client-1",
    client_secret: "secret-of-client-1",
  });
});

test("a provider that has another URL for refreshes is asked there", async () => {
  const { ask, issuer } = await openWorld({
    provider: {
      token: { url: "https://idp.test/token", refreshUrl: "https://idp.test/token?refresh" },
    },
  });
  assert.equal((await ask()).accessToken, "family-access-1");
  const asked = issuer.requests.filter(({ endpoint }) => endpoint === "token").map(({ url }) => new URL(url).search);
  assert.deepEqual(asked, ["?refresh"]);
});

/** Answers that say that the provider cannot answer now. */
const PASSING: Readonly<Record<string, () => Response>> = {
  "the network fails": () => {
    throw new TypeError("fetch failed");
  },
  "the status is 503": () => new Response("later", { status: 503 }),
  "the status is 429": () => json({ error: "invalid_grant" }, 429),
  "the status is 500, whatever the error": () => json({ error: "invalid_grant" }, 500),
  "the error is temporarily_unavailable": () => json({ error: "temporarily_unavailable" }, 400),
};

for (const [when, answer] of Object.entries(PASSING)) {
  test(`ProviderUnavailable: ${when}, and after a while the refresh is tried again`, async () => {
    const { ask, another, issuer, family, runtime } = await openWorld();
    issuer.override("token", answer, 1);
    await assert.rejects(() => ask(), { type: "ProviderUnavailable" });
    // Not by everybody, and nobody waits for it.
    for (const one of [ask, another()]) await assert.rejects(() => one(), { type: "ProviderUnavailable" });
    assert.equal(issuer.count("token"), 1);
    runtime.advance(9);
    issuer.override("token", () => json(family.refresh(family.current).body));
    assert.equal((await another()()).accessToken, "family-access-1");
  });

  test(`a token that is valid for some seconds more is given: ${when}`, async () => {
    const { adapter, ask, another, issuer, runtime } = await openWorld();
    await adapter.updateAccount({ ...KEY, expires_at: runtime.now() / 1000 + 30 });
    issuer.override("token", answer);
    for (const one of [ask, another()]) assert.equal((await one()).accessToken, "access-0");
    runtime.advance(27);
    await assert.rejects(() => ask(), { type: "ProviderUnavailable" });
  });
}

test("metadata that cannot be loaded is ProviderUnavailable, and no refresh token is sent", async () => {
  const { ask, issuer } = await openWorld();
  issuer.override("discovery", () => new Response(null, { status: 502 }));
  await assert.rejects(() => ask(), { type: "ProviderUnavailable" });
  assert.equal(issuer.count("token"), 0);
});

test("keys that cannot be loaded keep the refresh token from being used", async () => {
  const world = await openWorld();
  const id_token = world.issuer.sign({ iss: world.issuer.url, sub: "ada-1" });
  await world.write({ id_token });
  world.issuer.override("jwks", () => new Response(null, { status: 502 }));
  await assert.rejects(() => world.ask(), { type: "ProviderUnavailable" });
  assert.equal(world.issuer.count("token"), 0);
});

test("a provider that does not accept the client is an error that says what to check, without a secret", async () => {
  const { ask, issuer, log, family } = await openWorld();
  issuer.override("token", () => json({ error: "invalid_client", error_description: family.current }, 401));
  await assert.rejects(() => ask(), ({ type, message, cause }: OAuthProviderError) => {
    assert.equal(type, "OAuthProviderError");
    assert.match(message, /client_secret_post/);
    assert.equal(cause?.error, "invalid_client");
    assert.equal(cause?.error_description, "[redacted]");
    return true;
  });
  assert.equal(log.errors.length, 1);
});

test("a provider that refuses the client in words of its own is an error that says what to check", async () => {
  for (
    const answer of [
      () => json({ error: "unauthorized_client" }, 400),
      () => new Response(null, { status: 403 }),
      () => new Response("Bad request", { status: 400 }),
    ]
  ) {
    const { ask, issuer } = await openWorld();
    issuer.override("token", answer);
    await assert.rejects(() => ask(), { type: "OAuthProviderError", message: /client_secret_post/ });
  }
});

test("a client without its secret is an error that names the option, and nothing is sent", async () => {
  const { ask, issuer } = await openWorld({
    provider: { clientSecret: undefined, client: { token_endpoint_auth_method: "client_secret_post" } },
  });
  await assert.rejects(() => ask(), /set its `clientSecret`/);
  assert.equal(issuer.count("token"), 0);
});

test("an answer without an access token is an error, and nothing is stored", async () => {
  const { ask, row } = await openWorld({ answer: () => ({ access_token: null }) });
  await assert.rejects(() => ask(), { type: "OAuthProviderError" });
  assert.equal((await row()).access_token, "access-0");
});

for (const error of ["bad_refresh_token", "interaction_required", "token_revoked"]) {
  test(`RefreshRequired: ${error} is a refusal, also with status 200`, async () => {
    const { ask, issuer, log } = await openWorld();
    issuer.override("token", () => json({ error }, 200));
    await assert.rejects(() => ask(), { type: "RefreshRequired", reason: "refused" });
    assert.deepEqual(log.errors, []);
  });
}

test("a refusal is remembered for a day, and ends with another refresh token", async () => {
  const { ask, family, runtime, write } = await openWorld({ account: { refresh_token: "unknown" } });
  await assert.rejects(() => ask(), { reason: "refused" });
  runtime.advance(24 * 3600 - 10);
  await assert.rejects(() => ask(), { reason: "refused" });
  assert.equal(family.refusals, 1);
  runtime.advance(20);
  await assert.rejects(() => ask(), { reason: "refused" });
  assert.equal(family.refusals, 2);
  family.hasEnded = false;
  await write({ refresh_token: family.current });
  assert.equal((await ask()).accessToken, "family-access-1");
});

test("no log and no error holds a token or a secret, whatever the provider sends back", async () => {
  const echoes: ((request: Request) => Promise<Response> | Response)[] = [
    async (request) => json({ error: await request.text(), error_description: await request.clone().text() }, 400),
    async (request) => json({ error: "invalid_client", error_description: await request.text() }, 401),
    async (request) => new Response(await request.text(), { status: 200 }),
    (request) => {
      throw new Error(`cannot send ${request.url} ${request.headers.get("authorization")}`);
    },
    async (request) => json({ access_token: 1, refresh_token: await request.text(), token_type: "bearer" }),
  ];
  for (const echo of echoes) {
    const { ask, issuer, log, family } = await openWorld();
    issuer.override("token", async (request) => await echo(request.clone()));
    const thrown: unknown = await ask().catch((error: unknown) => error);
    const texts = [thrown, ...log.errors].map((error) => {
      const { message, cause } = error as Error;
      return `${message} ${JSON.stringify(cause, (_, value) => value instanceof Error ? `${value}` : value)}`;
    });
    assert.equal(log.errors.length, 1);
    for (const secret of [family.current, "secret-of-client-1", btoa("client-1:secret-of-client-1")]) {
      assert.ok(texts.every((text) => !text.includes(secret)), texts.join("\n"));
    }
  }
});
