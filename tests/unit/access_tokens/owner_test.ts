import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CompleteAdapter } from "../../../src/contract/adapter.ts";
import { createAuth } from "../../../src/auth.ts";
import { accessTokenFor } from "../../../src/service/access_token.ts";
import { createEngine } from "../../../src/service/engine.ts";
import { encode } from "../../../src/jwt.ts";
import { ADA_ID, KEY, openWorld, type World } from "../../_support/refreshes.ts";
import { password, SECRET, testConfig } from "../../_support/service.ts";
import { plainOf } from "../../_support/stores.ts";
import { testRuntime } from "../../_support/runtime.ts";

const ORIGIN = "https://app.test";

function requestWith(cookie: string): Request {
  return new Request(`${ORIGIN}/calendar`, { headers: { cookie } });
}

async function signedIn({ adapter, runtime }: World, userId = ADA_ID, seconds = 60): Promise<Request> {
  const sessionToken = `session of ${userId}`.replaceAll(" ", "-");
  await adapter.createSession({ sessionToken, userId, expires: new Date(runtime.now() + seconds * 1000) });
  return requestWith(`__Secure-authjs.session-token=${sessionToken}`);
}

async function sealedCookie({ runtime }: World, claims: object): Promise<Request> {
  const salt = "__Secure-authjs.session-token";
  const now = Math.floor(runtime.now() / 1000);
  const token = await encode({ token: { ...claims, iat: now }, secret: SECRET, salt, maxAge: 1e10 });
  return requestWith(`${salt}=${token}`);
}

describe("whose token it is", () => {
  test("a stored session gives the token of its user", async () => {
    const world = await openWorld();
    assert.equal((await world.ask(await signedIn(world))).accessToken, "family-access-1");
  });

  test("a sealed session gives the token of its user", async () => {
    const world = await openWorld({ config: { session: { strategy: "jwt" } } });
    assert.equal((await world.ask(await sealedCookie(world, { sub: ADA_ID }))).accessToken, "family-access-1");
  });

  test("a session that callbacks.jwt ends gives no token", async () => {
    const callbacks = { jwt: () => null };
    const world = await openWorld({ config: { session: { strategy: "jwt" }, callbacks } });
    const request = await sealedCookie(world, { sub: ADA_ID });
    await assert.rejects(() => world.ask(request), { type: "RefreshRequired", reason: "signed-out" });
  });

  test("nobody who is signed out gets a token, and nothing is logged", async () => {
    const world = await openWorld();
    const ended = await signedIn(world, ADA_ID, -1);
    for (const request of [ended, requestWith(""), requestWith("__Secure-authjs.session-token=made-up")]) {
      await assert.rejects(() => world.ask(request), { type: "RefreshRequired", reason: "signed-out" });
    }
    assert.deepEqual([world.log.errors, world.family.given], [[], 0]);
  });

  test("a session that cannot be read is a fault, not a token", async () => {
    const seen = (adapter: CompleteAdapter) => ({
      ...adapter,
      getSessionAndUser: () => Promise.reject(new Error("The database is down")),
    });
    const world = await openWorld({ seen });
    const request = await signedIn(world);
    await assert.rejects(() => world.ask(request), { type: "SessionTokenError" });
    assert.equal(world.log.errors.length, 1);
  });

  test("the account of somebody else is not given, by whatever id", async () => {
    const world = await openWorld();
    await world.adapter.createUser({ id: "eve", email: "eve@example.com", emailVerified: null });
    const eve = await signedIn(world, "eve");
    const { providerAccountId } = KEY;
    for (const who of [eve, { userId: "eve" }, { userId: "nobody" }]) {
      for (const options of [{}, { providerAccountId }]) {
        await assert.rejects(() => world.ask(who, options), { type: "RefreshRequired", reason: "not-linked" });
      }
    }
    assert.equal(world.family.given, 0);
  });

  test("of several accounts at the provider the caller has to choose one", async () => {
    const world = await openWorld();
    await world.adapter.linkAccount({
      ...KEY,
      providerAccountId: "2",
      userId: ADA_ID,
      type: "oidc",
      access_token: "b",
    });
    await assert.rejects(() => world.ask(), /the user has 2 accounts there; choose one with `providerAccountId`/);
    const who = { userId: ADA_ID };
    assert.equal((await world.ask(who, { providerAccountId: "2" })).accessToken, "b");
    assert.equal((await world.ask(who, { providerAccountId: "ada-1" })).accessToken, "family-access-1");
  });

  test("an account of another provider is not given", async () => {
    const world = await openWorld();
    await world.adapter.unlinkAccount(KEY);
    await world.adapter.linkAccount({ ...KEY, provider: "other", userId: ADA_ID, type: "oidc", access_token: "b" });
    await assert.rejects(() => world.ask(), { reason: "not-linked" });
  });
});

describe("what there is to give", () => {
  test("without a refresh token, an expired access token is RefreshRequired", async () => {
    const world = await openWorld({ account: { refresh_token: undefined } });
    await assert.rejects(() => world.ask(), { reason: "no-refresh-token", message: /request one when people sign in/ });
  });

  test("without an access token, but with a refresh token, it is refreshed", async () => {
    const world = await openWorld({ account: { access_token: undefined, expires_at: undefined } });
    assert.equal((await world.ask()).accessToken, "family-access-1");
  });

  test("an account that holds no tokens is RefreshRequired", async () => {
    const world = await openWorld({ account: { access_token: undefined, refresh_token: undefined } });
    await assert.rejects(() => world.ask(), { reason: "no-refresh-token" });
  });
});

describe("what cannot be asked for", () => {
  test("a provider that does not exist, or issues no tokens", async () => {
    const { accessToken } = createAuth(testConfig({ providers: [password()] }));
    await assert.rejects(() => accessToken({ userId: "1" }, "google"), {
      type: "InvalidProvider",
      message: /`providers` has no provider "google"/,
    });
    await assert.rejects(() => accessToken({ userId: "1" }, "credentials"), { message: /it issues no tokens/ });
  });

  test("a token without storage: the error names the option", async () => {
    const world = await openWorld({ config: { adapter: undefined } });
    await assert.rejects(() => world.ask(), { type: "MissingAdapter", message: /`adapter`.*`callbacks.jwt`/ });
  });

  test("a token of storage that cannot keep it: the error names the operations", async () => {
    const world = await openWorld({ seen: plainOf });
    await assert.rejects(() => world.ask(), {
      type: "MissingAdapterMethods",
      message: /`adapter` lacks listAccountsByUserId, updateAccount, once$/,
    });
  });

  test("a user id alone, if the configuration is a function of the request", async () => {
    const { adapter, issuer } = await openWorld();
    const hosts: string[] = [];
    const config = (request: Request) => {
      hosts.push(new URL(request.url).host);
      return { secret: SECRET, trustHost: true, adapter, providers: [issuer.provider()] };
    };
    const runtime = testRuntime({ fetch: issuer.fetch });
    const engine = createEngine(config, runtime);
    const ask = (request?: Request) => accessTokenFor(engine, { userId: ADA_ID, request }, "idp");
    await assert.rejects(() => ask(), /pass `request` as well/);
    assert.equal((await ask(new Request(`${ORIGIN}/`))).accessToken, "family-access-1");
    assert.deepEqual(hosts, ["app.test"]);
  });
});
