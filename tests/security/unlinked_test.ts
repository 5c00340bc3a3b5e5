/** V16, LNK-2: where user and account cannot be made together, what a sign-in left behind is found again, for a while. */
import { test } from "node:test";
import assert from "node:assert/strict";
import { type Adapter, type CompleteAdapter, customFetch } from "@x/auth";
import { Browser } from "../_support/browser.ts";
import { serve } from "../_support/faults.ts";
import { createIssuer } from "../_support/issuer.ts";
import { testRuntime } from "../_support/runtime.ts";
import { recordLog, testConfig } from "../_support/service.ts";
import { PLAIN_STORE } from "../_support/stores.ts";

const KEY = { provider: "idp", providerAccountId: "ada" };
const ADA = { sub: "ada", email: "ada@example.com", email_verified: true };

function open(secret = "a secret for tests, longer than 32 characters") {
  const runtime = testRuntime();
  const { adapter, rows } = PLAIN_STORE.open(runtime.now);
  const broken: Adapter = { ...adapter };
  const issuer = createIssuer({
    now: () => Math.floor(runtime.now() / 1000),
    metadata: { id_token_signing_alg_values_supported: ["ES256"] },
  });
  issuer.rotate("ES256");
  const idp = issuer.provider({ id: "idp", [customFetch]: (url, init) => issuer.fetch(new Request(url, init)) });
  const site = serve(testConfig({ secret, logger: recordLog().logger, adapter: broken, providers: [idp] }), runtime);
  async function come(): Promise<string | null> {
    const browser = new Browser(site, { mayFail: true });
    const start = await browser.post("/auth/signin/idp", { csrfToken: await browser.csrf() });
    issuer.claim(ADA);
    const { redirectUri, params } = await issuer.consent(start.headers.get("location") ?? "");
    await browser.get(`${new URL(redirectUri).pathname}?${params}`);
    return (await browser.session())?.user?.email ?? null;
  }
  /** Breaks off after the user was made and before the account is. */
  async function breakOff(): Promise<void> {
    const { linkAccount } = broken;
    broken.linkAccount = () => Promise.reject(new Error("gone"));
    assert.equal(await come(), null);
    if (linkAccount) broken.linkAccount = linkAccount;
  }
  return { runtime, rows: rows as CompleteAdapter, come, breakOff };
}

test("whoever broke off half-way gets in within the next minutes, also when a period has ended meanwhile", async () => {
  for (const seconds of [0, 60, 299]) {
    const { runtime, come, breakOff, rows } = open();
    runtime.advance(299 - (runtime.now() / 1000) % 300);
    await breakOff();
    const { id } = await rows.getUserByEmail(ADA.email) ?? {};
    runtime.advance(seconds);
    assert.equal(await come(), ADA.email, `${seconds} s later`);
    assert.equal((await rows.getUserByAccount(KEY))?.id, id);
  }
});

test("an account that was taken away does not come back ten minutes after its user was made", async () => {
  const { runtime, come, rows } = open();
  assert.equal(await come(), ADA.email);
  const { id } = await rows.getUserByAccount(KEY) ?? {};
  await rows.unlinkAccount(KEY);
  runtime.advance(600);
  assert.equal(await come(), null);
  assert.equal(await rows.getUserByAccount(KEY), null);
  assert.equal((await rows.getUserByEmail(ADA.email))?.id, id);
});

test("an account that was taken away stays away when its user has no address any more", async () => {
  const { runtime, come, rows } = open();
  await come();
  const { id = "" } = await rows.getUserByAccount(KEY) ?? {};
  await rows.unlinkAccount(KEY);
  await rows.updateUser({ id, email: "other@example.com" });
  runtime.advance(600);
  assert.equal(await come(), ADA.email);
  assert.notEqual((await rows.getUserByAccount(KEY))?.id, id);
});

test("the id of a user depends on the secret, so that nobody else can make a user of this id before", async () => {
  const ids = await Promise.all(["one", "two"].map(async (name) => {
    const { come, rows } = open(`secret ${name}, longer than thirty-two characters`);
    await come();
    return (await rows.getUserByAccount(KEY))?.id;
  }));
  assert.equal(new Set(ids).size, 2);
});
