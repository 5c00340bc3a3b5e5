/** Tokens of providers: what a sign-in stores, sealed or not, and what `accessToken()` gives afterwards. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthConfig, CompleteAdapter } from "@x/auth";
import { createAuth, customFetch, isClientError, RefreshRequired } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { Browser } from "../_support/browser.ts";
import { createIssuer, type Issuer } from "../_support/issuer.ts";
import { recordLog, testConfig } from "../_support/service.ts";
import { plainOf } from "../_support/stores.ts";

const OLD = "an old secret of more than thirty-two characters";

interface Stage {
  readonly issuer: Issuer;
  readonly adapter: CompleteAdapter;
  readonly browser: Browser;
  readonly auth: ReturnType<typeof createAuth>;
  signIn(): Promise<void>;
  /** The only user's id. */
  userId(): Promise<string>;
  /** What the account holds. */
  row(): Promise<Record<string, unknown>>;
}

function openStage(config: AuthConfig = {}, adapter: CompleteAdapter = memoryAdapter()): Stage {
  const issuer = createIssuer({ now: () => Math.floor(Date.now() / 1000) });
  const fetch = (input: string | URL | Request, init?: RequestInit) => issuer.fetch(new Request(input, init));
  const auth = createAuth(
    testConfig({ adapter, providers: [{ ...issuer.provider(), [customFetch]: fetch }], ...config }),
  );
  const browser = new Browser(auth.handler);
  const user = async () => await adapter.getUserByAccount({ provider: "idp", providerAccountId: "ada-1" });
  return {
    issuer,
    adapter,
    browser,
    auth,
    async signIn() {
      const { csrfToken } = await (await browser.get("/auth/csrf")).json();
      const response = await browser.post("/auth/signin/idp", { csrfToken, callbackUrl: "/" });
      const { redirectUri, params } = await issuer.consent(response.headers.get("location") ?? "");
      await browser.open(`${redirectUri}?${params}`);
    },
    userId: async () => (await user())?.id ?? "",
    row: async () => ({ ...await adapter.getAccount("ada-1", "idp") }),
  };
}

function requestOf({ browser }: Stage): Request {
  const cookie = browser.cookies.names().map((name) => `${name}=${browser.cookies.get(name)?.value}`).join("; ");
  return new Request(`${browser.origin}/calendar`, { headers: { cookie } });
}

test("whoever signs in gets an access token, by request and by user id", async () => {
  const stage = openStage();
  await stage.signIn();
  const { accessToken, tokenType, expiresAt } = await stage.auth.accessToken(requestOf(stage), "idp");
  assert.equal(accessToken, (await stage.row()).access_token);
  assert.equal(tokenType, "bearer");
  assert.ok(expiresAt && expiresAt.getTime() > Date.now() + 3500_000);
  assert.equal((await stage.auth.accessToken({ userId: await stage.userId() }, "idp")).accessToken, accessToken);
});

test("after a sign-out there is no access token, and the error sends to the sign-in", async () => {
  const stage = openStage();
  const thrown = await stage.auth.accessToken(requestOf(stage), "idp").catch((error: unknown) => error);
  assert.ok(thrown instanceof RefreshRequired);
  assert.equal(thrown.reason, "signed-out");
  assert.equal(isClientError(thrown), false);
});

test("a sign-in with a known account replaces its tokens, and ends RefreshRequired", async () => {
  const stage = openStage();
  stage.issuer.grant({ refresh_token: "first", expires_in: 1 });
  await stage.signIn();
  stage.issuer.override("token", () => Response.json({ error: "invalid_grant" }, { status: 400 }), 1);
  await assert.rejects(() => stage.auth.accessToken(requestOf(stage), "idp"), { reason: "refused" });
  stage.issuer.grant({ refresh_token: "second", expires_in: 3600 });
  await stage.signIn();
  assert.equal((await stage.row()).refresh_token, "second");
  assert.ok((await stage.auth.accessToken(requestOf(stage), "idp")).accessToken);
});

test("a sign-in without a refresh token keeps the one before, and not the end of the token before", async () => {
  const stage = openStage();
  stage.issuer.grant({ refresh_token: "first" });
  await stage.signIn();
  const before = await stage.row();
  stage.issuer.grant({ refresh_token: undefined, expires_in: undefined });
  await stage.signIn();
  const after = await stage.row();
  assert.notEqual(after.access_token, before.access_token);
  assert.deepEqual([after.refresh_token, after.expires_at], ["first", null]);
});

test("adapters of Auth.js update nothing at a sign-in, unless they have updateAccount", async () => {
  for (const hasUpdate of [false, true]) {
    const adapter = memoryAdapter();
    const plain = { ...plainOf(adapter), ...(hasUpdate && { updateAccount: adapter.updateAccount }) };
    const stage = openStage({ adapter: plain }, adapter);
    await stage.signIn();
    const before = await stage.row();
    await stage.signIn();
    assert.equal((await stage.row()).access_token === before.access_token, !hasUpdate);
  }
});

const SEALED: AuthConfig = { account: { tokens: "sealed" } };

test("sealed tokens are stored encrypted, and given readable to callbacks, events and accessToken()", async () => {
  const seen: Record<string, Record<string, unknown>> = {};
  const stage = openStage({
    ...SEALED,
    session: { strategy: "jwt" },
    callbacks: {
      jwt({ token, account }) {
        if (account) seen.jwt = account;
        return token;
      },
      signIn({ account }) {
        seen.signIn = { ...account };
        return true;
      },
    },
    events: {
      linkAccount: ({ account }) => void (seen.linkAccount = account),
      signIn: ({ account }) => void (seen.event = { ...account }),
    },
  });
  stage.issuer.grant({ refresh_token: "a refresh token" });
  await stage.signIn();
  const row = await stage.row();
  for (const name of ["access_token", "refresh_token", "id_token"]) {
    assert.match(String(row[name]), /^sealed:[\w.-]+$/);
    for (const [where, account] of Object.entries(seen)) {
      assert.ok(account[name] && !String(account[name]).startsWith("sealed:"), `${name} in ${where}`);
    }
  }
  assert.deepEqual(Object.keys(seen).sort(), ["event", "jwt", "linkAccount", "signIn"]);
  assert.equal(seen.jwt?.refresh_token, "a refresh token");
  assert.ok(!JSON.stringify(row).includes("a refresh token"));
  const { accessToken } = await stage.auth.accessToken(requestOf(stage), "idp");
  assert.equal(accessToken, seen.jwt?.access_token);
});

test("sealing can be switched on and off in a service that runs", async () => {
  const adapter = memoryAdapter();
  const plain = openStage({}, adapter);
  await plain.signIn();
  const first = await plain.row();
  const sealed = openStage(SEALED, adapter);
  const who = { userId: await plain.userId() };
  assert.equal((await sealed.auth.accessToken(who, "idp")).accessToken, first.access_token);
  await sealed.signIn();
  assert.match(String((await sealed.row()).access_token), /^sealed:/);
  const { accessToken } = await plain.auth.accessToken(who, "idp");
  assert.match(accessToken, /^access-/);
  assert.equal((await sealed.auth.accessToken(who, "idp")).accessToken, accessToken);
});

test("what a refresh brings is sealed, too", async () => {
  const stage = openStage(SEALED);
  stage.issuer.grant({ refresh_token: "first", expires_in: 1 });
  await stage.signIn();
  const fresh = { access_token: "fresh access", token_type: "bearer", refresh_token: "second", expires_in: 600 };
  stage.issuer.override("token", () => Response.json(fresh));
  assert.equal((await stage.auth.accessToken(requestOf(stage), "idp")).accessToken, "fresh access");
  const [request] = stage.issuer.requests.filter(({ form }) => form.has("refresh_token"));
  assert.equal(request?.form.get("refresh_token"), "first");
  const text = JSON.stringify(await stage.row());
  assert.ok(!text.includes("fresh access") && !text.includes("second"));
  assert.equal((await stage.auth.accessToken(requestOf(stage), "idp")).accessToken, "fresh access");
});

test("sealed tokens open with an older secret while it is listed, and are RefreshRequired afterwards", async () => {
  const adapter = memoryAdapter();
  const old = openStage({ ...SEALED, secret: OLD }, adapter);
  await old.signIn();
  const who = { userId: await old.userId() };
  const both = openStage({ ...SEALED, secret: ["a new secret, which is longer than 32 characters", OLD] }, adapter);
  assert.ok((await both.auth.accessToken(who, "idp")).accessToken);
  const { logger, errors } = recordLog();
  const only = openStage({ ...SEALED, secret: "a new secret, which is longer than 32 characters", logger }, adapter);
  await assert.rejects(() => only.auth.accessToken(who, "idp"), { type: "RefreshRequired", reason: "unreadable" });
  assert.deepEqual(errors, []);
});

test("a sealed token that was moved to another account does not open there", async () => {
  const stage = openStage(SEALED);
  await stage.signIn();
  const { access_token } = await stage.row();
  await stage.adapter.createUser({ id: "eve", email: "eve@example.com", emailVerified: null });
  await stage.adapter.linkAccount({
    userId: "eve",
    provider: "idp",
    providerAccountId: "eve-1",
    type: "oidc",
    access_token: String(access_token),
  });
  await assert.rejects(() => stage.auth.accessToken({ userId: "eve" }, "idp"), { reason: "unreadable" });
});

test("a token that is longer than a cookie can be sealed", async () => {
  const stage = openStage(SEALED);
  const long = "x".repeat(30_000);
  stage.issuer.grant({ access_token: long });
  await stage.signIn();
  assert.equal((await stage.auth.accessToken(requestOf(stage), "idp")).accessToken, long);
});

test("account.tokens of another value is a configuration error that names the option", async () => {
  const stage = openStage({ account: { tokens: "encrypted" as "sealed" } });
  await assert.rejects(
    () => stage.auth.accessToken({ userId: "1" }, "idp"),
    /`account.tokens`: it must be "plain" or "sealed", not "encrypted"/,
  );
});
