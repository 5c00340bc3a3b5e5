import { test } from "node:test";
import assert from "node:assert/strict";
import type { AuthConfig } from "../../../src/contract/config.ts";
import { createAuth } from "../../../src/auth.ts";
import { type AuthClient, clientOf } from "../../../client/core/auth_client.ts";
import { open } from "../../../client/core/connection.ts";
import type { FactorsResult, OwnFactors } from "../../../client/core/second_factor_results.ts";
import { memoryAdapter } from "../../../adapters/memory.ts";
import { secondFactor, type SecondFactorOptions } from "../../../src/second_factor.ts";
import { fromBase32, STEP, totpAt } from "../../../src/second_factor/totp.ts";
import { mailbox } from "../../_support/mailbox.ts";
import { ADA, password, testConfig } from "../../_support/service.ts";
import { TestBrowser, type TestPage } from "../../_support/page.ts";

const HOME = "http://localhost:3000/";
const CHALLENGE = `${HOME}auth/challenge`;

interface Tab {
  readonly client: AuthClient;
  readonly page: TestPage;
}

const mails = mailbox();

function openTab(options: SecondFactorOptions = {}, more: AuthConfig = {}): Tab {
  const { handler } = createAuth(testConfig({
    adapter: memoryAdapter(),
    session: { strategy: "database" },
    providers: [password(), mails.provider],
    features: [secondFactor(options)],
    ...more,
  }));
  const page = new TestBrowser((request) => handler(request)).tab();
  return { page, client: clientOf(open("/auth", page.browser)) };
}

const here = { ...ADA, redirect: false };

async function byLink({ client, page }: Tab): Promise<void> {
  await client.signIn(mails.provider.id, { email: "ada@example.com", redirect: false });
  await page.browser.fetch(mails.link().href);
}

/** The code that an application shows, so many steps from now. */
async function codeOf(secret: string, later = 0): Promise<string> {
  return await totpAt(fromBase32(secret) ?? assert.fail(), Math.floor(Date.now() / 1000 / STEP) + later);
}

function shown(result: FactorsResult): OwnFactors {
  return result.ok && result.factors ? result.factors : assert.fail(JSON.stringify(result));
}

interface Enrolling {
  readonly secret: string;
  readonly codes: readonly string[];
  readonly end: string;
}

/** Adds an application, as far as the recovery codes. */
async function enrol({ secondFactor }: AuthClient): Promise<Enrolling> {
  const { step } = shown(await secondFactor.change({ act: "totp" }));
  const { id, secret } = step.kind === "totp" ? step.setup : assert.fail(step.kind);
  const { step: next } = shown(await secondFactor.change({ act: "confirm", id, code: await codeOf(secret) }));
  const { codes, ask } = next.kind === "recovery-codes" ? next : assert.fail(next.kind);
  return { secret, codes, end: (codes[ask - 1] ?? "").slice(-4) };
}

test("somebody enrols on a page of its own, is challenged at the next sign-in, and gets in with a code", async () => {
  const { client, page } = openTab();
  assert.deepEqual(await client.signIn("credentials", here), { ok: true, url: HOME });
  const before = shown(await client.secondFactor.factors());
  assert.deepEqual([before.isOn, before.factors, before.recoveryCodes], [false, [], null]);
  const { secret, codes, end } = await enrol(client);
  const wrong = await client.secondFactor.change({ act: "keep", code: end === "AAAA" ? "BBBB" : "AAAA" });
  assert.deepEqual(wrong, { ok: false, error: "CredentialsSignin", status: 401, problem: "wrong" });
  const on = shown(await client.secondFactor.change({ act: "keep", code: end }));
  assert.deepEqual([on.isOn, on.recoveryCodes, on.factors.map(({ type }) => type)], [true, 10, ["totp"]]);

  await client.signOut({ redirect: false });
  assert.deepEqual(await client.signIn("credentials", here), { ok: true, url: CHALLENGE, challenged: true });
  assert.equal(await client.getSession(), null);
  const asked = { purpose: "sign-in", method: "totp", trustDays: null, methods: ["totp", "recovery-code"] };
  assert.deepEqual(await client.secondFactor.challenge(), { ok: true, asked });
  const refused = await client.secondFactor.prove({ method: "totp", code: "12345" });
  assert.deepEqual(refused, {
    ok: false,
    error: "CredentialsSignin",
    status: 401,
    problem: "wrong",
    url: `${CHALLENGE}?error=CredentialsSignin`,
  });
  assert.deepEqual(page.visits, []);
  const proof = await client.secondFactor.prove({ method: "totp", code: await codeOf(secret, 1), redirect: false });
  assert.deepEqual(proof, { ok: true, url: HOME });
  assert.equal((await client.getSession())?.user?.name, "Ada Lovelace");

  await client.signOut({ redirect: false });
  await client.signIn("credentials", here);
  assert.equal((await client.secondFactor.prove({ method: "recovery-code", code: codes[3] ?? "" })).ok, true);
  assert.deepEqual(page.visits, [HOME]);
  assert.equal(shown(await client.secondFactor.factors()).recoveryCodes, 9);
});

test("a page of its own knows who has to sign in first, and who has nothing to prove it with", async () => {
  const { client } = openTab();
  const nobody = { ok: false, error: "SessionRequired", status: 401 };
  const { url: signIn, ...challenge } = await client.secondFactor.challenge() as { readonly url?: string };
  assert.deepEqual(challenge, nobody);
  assert.match(signIn ?? "", /\/auth\/signin\?/);
  const { url: again, ...factors } = await client.secondFactor.change({ act: "totp" }) as { readonly url?: string };
  assert.deepEqual(factors, nobody);
  assert.match(again ?? "", /\/auth\/signin\?/);
  await client.signIn("credentials", here);
  const { url, ...none } = await client.secondFactor.challenge() as { readonly url?: string };
  assert.deepEqual(none, { ok: false, error: "AccessDenied", status: 403 });
  assert.match(url ?? "", /\/auth\/factors\?/);
});

test("a sign-in that waits for a factor goes on once there is one", async () => {
  const tab = openTab({ require: "always" });
  const { client, page } = tab;
  await byLink(tab);
  assert.equal(await client.getSession(), null);
  assert.equal(shown(await client.secondFactor.factors()).purpose, "required");
  const { end } = await enrol(client);
  assert.deepEqual(await client.secondFactor.change({ act: "keep", code: end }), { ok: true, url: HOME });
  assert.equal((await client.getSession())?.user?.email, "ada@example.com");
  assert.deepEqual(page.visits, []);
});

test("a code by email is sent, and proves it", async () => {
  const sent: string[] = [];
  const adapter = memoryAdapter();
  const { client } = openTab({ methods: ["totp", "email-code"] }, {
    adapter,
    mail: ({ subject }) => void sent.push(subject),
  });
  await client.signIn("credentials", here);
  const { id } = await adapter.getUserByEmail("ada@example.com") ?? assert.fail("there is no user");
  await adapter.updateUser({ id, emailVerified: new Date() });
  const { end } = await enrol(client);
  await client.secondFactor.change({ act: "keep", code: end });
  await client.signOut({ redirect: false });
  await client.signIn("credentials", here);
  const challenge = await client.secondFactor.challenge({ method: "email-code" });
  assert.equal(challenge.ok && challenge.asked.sentTo, undefined);
  const told = await client.secondFactor.sendCode();
  assert.ok(told.ok && told.asked.sentTo, JSON.stringify(told));
  const code = /^\d{6}/.exec(sent.at(-1) ?? "")?.[0] ?? assert.fail(sent.join());
  assert.equal((await client.secondFactor.prove({ method: "email-code", code, redirect: false })).ok, true);
});

test("what a signal ends is cancelled", async () => {
  const { client } = openTab();
  const signal = AbortSignal.abort();
  const cancelled = { ok: false, error: "Cancelled", status: 0 };
  assert.deepEqual(await client.secondFactor.challenge({ signal }), cancelled);
  assert.deepEqual(await client.secondFactor.prove({ method: "totp", code: "1", signal }), cancelled);
  assert.deepEqual(await client.secondFactor.change({ act: "totp" }, { signal }), cancelled);
});
