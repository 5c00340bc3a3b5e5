/** Tokens of a provider once the sessions that began there have ended: who still gets some, and what the provider is told. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type CompleteAdapter, customFetch, type OidcProvider } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { accessTokenFor } from "../../src/service/access_token.ts";
import { accountPage } from "../../src/account.ts";
import { accountFunctions } from "../../src/service/account_actions.ts";
import { createEngine } from "../../src/service/engine.ts";
import { CLIENT } from "../_support/issuer.ts";
import { testConfig } from "../_support/service.ts";
import { pageRequest, World, type WorldOptions } from "./_logout.ts";
import { teller } from "../_support/visitors.ts";
import type { Cookies } from "./_service.ts";

const REVOKE = "https://idp.test/revoke";
const TOKENS = { refresh_token: "refresh-1" };

/** How sessions are kept where storage knows them. */
const WAYS: Readonly<Record<string, WorldOptions>> = {
  "a stored session": {},
  "a sealed session with a row": { session: { strategy: "jwt" } },
};

interface Scene {
  readonly world: World;
  readonly adapter: CompleteAdapter;
  /** What the provider was asked to revoke: the forms. */
  readonly revoked: URLSearchParams[];
  userId(): Promise<string>;
  /** Why there is no access token for the user of a request, or for a user id; the token if there is one. */
  given(cookies?: Cookies): Promise<string>;
}

/** @param answer What the revocation endpoint answers. */
function open(
  options: WorldOptions = {},
  answer: () => Response | Promise<Response> = () => new Response(null),
  adapter: CompleteAdapter = memoryAdapter(),
): Scene {
  const revoked: URLSearchParams[] = [];
  const provider: Partial<OidcProvider> = {
    logout: false,
    [customFetch]: async (input, init) => {
      const request = new Request(input, init);
      if (request.url !== REVOKE) return await world.issuer.fetch(request);
      assert.equal(request.headers.get("authorization"), `Basic ${btoa(`${CLIENT.id}:${CLIENT.secret}`)}`);
      revoked.push(new URLSearchParams(await request.text()));
      return await answer();
    },
    ...options.provider,
  };
  const metadata = { revocation_endpoint: REVOKE, ...options.metadata };
  const world: World = new World({ adapter, ...options, provider, metadata });
  world.issuer.grant(TOKENS);
  const userId = async () => {
    return (await adapter.getUserByAccount({ provider: "idp", providerAccountId: "ada-1" }))?.id ?? "";
  };

  return {
    world,
    adapter,
    revoked,
    userId,
    async given(cookies) {
      const who = cookies ? pageRequest(cookies) : { userId: await userId() };
      return await accessTokenFor(world.engine, who, "idp")
        .then(({ accessToken }) => accessToken, (error: { reason?: string }) => error.reason ?? String(error));
    },
  };
}

const row = async ({ adapter }: Scene) => await adapter.getAccount("ada-1", "idp");
const told = ({ revoked }: Scene) => revoked.map((form) => [form.get("token_type_hint"), form.get("token")]).sort();

for (const [way, options] of Object.entries(WAYS)) {
  test(`the sign-out of ${way} makes the provider revoke the tokens, which are not stored any more`, async () => {
    const scene = open({ ...options, provider: { revokeTokens: true } });
    const cookies = await scene.world.signIn();
    const token = (await row(scene))?.access_token;
    assert.equal(await scene.given(cookies), token);
    const response = await scene.world.signOut(cookies);
    assert.equal(response.headers.get("location"), "https://app.test/bye");
    assert.deepEqual(told(scene), [["access_token", token], ["refresh_token", "refresh-1"]]);
    assert.deepEqual([await scene.given(cookies), await scene.given()], ["signed-out", "no-refresh-token"]);
    const { access_token, refresh_token } = await row(scene) ?? {};
    assert.deepEqual([access_token, refresh_token], [null, null]);
    assert.deepEqual(scene.world.log.errors, []);
    // Whoever signs in again has tokens again.
    assert.notEqual(await scene.given(await scene.world.signIn()), "no-refresh-token");
  });

  test(`the sign-out of ${way} revokes nothing while another session with the provider goes on, or unless it should`, async () => {
    for (const revokeTokens of [true, undefined]) {
      const scene = open({ ...options, provider: { revokeTokens } });
      const [one, other] = [await scene.world.signIn(), await scene.world.signIn({ sid: "other" })];
      await scene.world.signOut(one);
      assert.deepEqual(told(scene), []);
      assert.match(await scene.given(other), /^access-/);
      await scene.world.signOut(other);
      assert.equal(told(scene).length, revokeTokens ? 2 : 0);
      assert.equal(await scene.given() === "no-refresh-token", revokeTokens === true);
    }
  });

  for (const by of ["sid", "sub"] as const) {
    test(`after a back-channel logout by ${by} accessToken() gives none for ${way}`, async () => {
      const scene = open(options);
      const cookies = await scene.world.signIn();
      const token = scene.world.token(by === "sub" ? { sid: undefined, sub: "ada-1" } : {});
      assert.equal((await scene.world.post(token)).status, 200);
      assert.deepEqual([await scene.given(cookies), await scene.given()], ["signed-out", "no-refresh-token"]);
      assert.deepEqual(told(scene), []);
    });
  }

  test(`what was granted for the time without a session stays after a logout of ${way}, unless it is to be revoked`, async () => {
    for (const revokeTokens of [false, true]) {
      for (const scope of ["openid offline_access", undefined]) {
        const scene = open({
          ...options,
          provider: { revokeTokens, authorization: { params: { scope: "openid email offline_access" } } },
        });
        scene.world.issuer.grant({ scope });
        const cookies = await scene.world.signIn();
        assert.equal((await scene.world.post(scene.world.token())).status, 200);
        assert.equal(await scene.given(cookies), "signed-out");
        assert.equal(await scene.given() === "no-refresh-token", revokeTokens, String(scope));
        assert.equal(told(scene).length, revokeTokens ? 2 : 0);
      }
    }
  });
}

test("a front-channel logout ends the tokens, too", async () => {
  const scene = open({ provider: { revokeTokens: true } });
  const cookies = await scene.world.signIn();
  const query = new URLSearchParams({ iss: scene.world.issuer.url, sid: "session-of-ada" });
  await scene.world.site(new Request(`https://app.test/auth/frontchannel-logout/idp?${query}`));
  assert.deepEqual([await scene.given(cookies), await scene.given()], ["signed-out", "no-refresh-token"]);
  assert.equal(told(scene).length, 2);
});

test("another process gives no access token for a sealed session that has ended, also within the bound", async () => {
  const scene = open({ session: { strategy: "jwt" } });
  const cookies = await scene.world.signIn();
  const engine = createEngine(
    testConfig({
      adapter: { ...scene.adapter },
      session: { strategy: "jwt" },
      providers: [scene.world.issuer.provider()],
    }),
    scene.world.runtime,
  );
  const ask = async () => {
    return await accessTokenFor(engine, pageRequest(cookies), "idp")
      .then(({ accessToken }) => accessToken, ({ reason }) => reason);
  };
  assert.match(await ask(), /^access-/);
  await scene.adapter.deleteSessionsByUserId(await scene.userId());
  assert.equal(await ask(), "signed-out");
});

test("a sign-out answers all the same if the provider fails, refuses or hangs, and logs no token", async () => {
  const answers: Readonly<Record<string, readonly [() => Response | Promise<Response>, RegExp]>> = {
    "refuses": [() => Response.json({ error: "invalid_client refresh-1" }, { status: 401 }), /status 401/],
    "fails": [() => new Response("<p>", { status: 503 }), /status 503/],
    "breaks": [() => Promise.reject(new Error("connection reset")), /cannot be reached|it failed/],
    "hangs": [() => new Promise<Response>(() => {}), /it failed/],
  };
  for (const [name, [answer, message]] of Object.entries(answers)) {
    const scene = open({ provider: { revokeTokens: true }, timeouts: { total: 2 }, debug: true }, answer);
    const token = String((await scene.world.signIn(), await row(scene))?.access_token);
    const cookies = await scene.world.signIn({ sid: "other" });
    await scene.adapter.deleteSessionsByUserId(await scene.userId());
    const again = await scene.world.signIn();
    const started = performance.now();
    const response = await scene.world.signOut(again);
    assert.ok(performance.now() - started < 1500, name);
    assert.equal(response.headers.get("location"), "https://app.test/bye", name);
    assert.equal(await scene.given(cookies), "signed-out");
    const said = scene.world.log.errors.map((error) => `${error.message} ${JSON.stringify(error.cause)}`);
    assert.equal(said.length, 1, name);
    assert.match(said[0] ?? "", message, name);
    assert.ok(!said[0]?.includes(token) && !said[0]?.includes("refresh-1"), name);
    assert.equal(await scene.given(), "no-refresh-token");
  }
});

test("a provider without an endpoint is named in the log, and a URL stands for it", async () => {
  const without = open({ provider: { revokeTokens: true }, metadata: { revocation_endpoint: undefined } });
  await without.world.signOut(await without.world.signIn());
  assert.match(without.world.log.errors[0]?.message ?? "", /its metadata has no revocation_endpoint/);
  const given = open({ provider: { revokeTokens: REVOKE }, metadata: { revocation_endpoint: undefined } });
  await given.world.signOut(await given.world.signIn());
  assert.equal(told(given).length, 2);
});

test("tokens of a sign-in that happens meanwhile stay", async () => {
  const memory = memoryAdapter();
  let meanwhile: (() => Promise<unknown>) | null = null;
  const take = async () => {
    const run = meanwhile;
    meanwhile = null;
    await run?.();
  };
  for (const at of ["before", "after"] as const) {
    const adapter: CompleteAdapter = {
      ...memory,
      async listAccountsByUserId(userId) {
        if (at === "before") await take();
        const found = await memory.listAccountsByUserId(userId);
        if (at === "after") await take();
        return found;
      },
    };
    const scene = open({ provider: { revokeTokens: true } }, undefined, adapter);
    const cookies = await scene.world.signIn();
    let next: Cookies = {};
    meanwhile = async () => void (next = await scene.world.signIn({ sid: `next ${at}` }));
    await scene.world.signOut(cookies);
    assert.match(await scene.given(next), /^access-/, at);
    assert.deepEqual(told(scene), []);
    await scene.world.signOut(next);
  }
});

test("two sign-outs at once revoke the tokens once", async () => {
  for (const [, options] of Object.entries(WAYS)) {
    const scene = open({ ...options, provider: { revokeTokens: true } });
    const all = [await scene.world.signIn(), await scene.world.signIn({ sid: "other" })];
    await Promise.all(all.map((cookies) => scene.world.signOut(cookies)));
    assert.equal(told(scene).length, 2);
    assert.equal(await scene.given(), "no-refresh-token");
  }
});

/** Removes the account at the provider, besides which there is another one. */
async function unlink({ world, adapter, userId }: Scene): Promise<void> {
  const cookies = await world.signIn();
  await adapter.linkAccount({ userId: await userId(), type: "oauth", provider: "plain", providerAccountId: "1" });
  const account = accountFunctions(world.engine);
  const { ways } = await account.get(pageRequest(cookies));
  await account.unlink(pageRequest(cookies), ways?.find(({ provider }) => provider === "idp")?.id ?? "");
}

const ACCOUNT: WorldOptions = { features: [accountPage()], others: [teller("plain")] };

test("an account that is removed has its tokens revoked, where the provider has an endpoint for it", async () => {
  const scene = open(ACCOUNT);
  await unlink(scene);
  assert.equal(await row(scene), null);
  assert.deepEqual(told(scene).map(([hint]) => hint), ["access_token", "refresh_token"]);
  const without = open({ ...ACCOUNT, metadata: { revocation_endpoint: undefined } });
  await unlink(without);
  assert.deepEqual([await row(without), told(without), without.world.log.errors], [null, [], []]);
});

test("an account is removed although its provider does not revoke the tokens", async () => {
  const scene = open(ACCOUNT, () => new Response(null, { status: 503 }));
  await unlink(scene);
  assert.equal(await row(scene), null);
  assert.match(String(scene.world.log.errors), /Removed an account here.*were not revoked/);
});
