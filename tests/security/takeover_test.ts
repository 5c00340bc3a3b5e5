/** V26, LNK-3: an impostor who keeps sending requests while the owner of the address verifies it for the first time. */
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { type CompleteAdapter, customFetch, type Plan, type WebAuthnOptions } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { passkey } from "@x/auth/providers/passkey";
import { createIssuer } from "../_support/issuer.ts";
import { mailbox } from "../_support/mailbox.ts";
import { openPasskeys, type Person } from "../_support/passkeys.ts";

const ADDRESS = "victim@example.com";
const IMPOSTOR = { sub: "impostor", email: ADDRESS, email_verified: false };
const MALLORY = { sub: "mallory", email: "mallory@example.com", email_verified: true };

type Strategy = "database" | "jwt";

function open(strategy: Strategy | "jwt without rows" = "database", options: WebAuthnOptions = {}) {
  let before: ((plan: Plan) => Promise<void>) | null = null;
  const rows = memoryAdapter();
  const adapter: CompleteAdapter = {
    ...rows,
    async commit(plan) {
      const hook = before;
      before = null;
      await hook?.(plan);
      return await rows.commit(plan);
    },
  };
  const box = mailbox();
  const issuer = createIssuer({
    now: () => Math.floor(service.runtime.now() / 1000),
    metadata: { id_token_signing_alg_values_supported: ["ES256"] },
  });
  issuer.rotate("ES256");
  const idp = issuer.provider({ id: "idp", [customFetch]: (url, init) => issuer.fetch(new Request(url, init)) });
  const session = strategy === "jwt without rows" ? { strategy: "jwt", revalidate: false } as const : { strategy };
  const service = openPasskeys({ adapter, session, providers: [passkey(options), box.provider, idp] });

  async function prove(): Promise<Person> {
    const victim = service.person();
    await victim.browser.signIn("email", { email: ADDRESS });
    await victim.browser.open(box.link().href);
    return victim;
  }
  async function leave(person: Person): Promise<string> {
    const start = await person.browser.post("/auth/signin/idp", { csrfToken: await person.browser.csrf() });
    return start.headers.get("location") ?? "";
  }
  async function comeBack(person: Person, away: string, who: typeof IMPOSTOR): Promise<Response> {
    issuer.claim({ ...who });
    const { redirectUri, params } = await issuer.consent(away);
    return await person.browser.get(`${new URL(redirectUri).pathname}?${params}`);
  }
  return {
    ...service,
    rows,
    prove,
    leave,
    comeBack,
    come: async (person: Person, who: typeof IMPOSTOR) => await comeBack(person, await leave(person), who),
    /** Lets something happen between the decision of the next plan and its commit. */
    meanwhile: (act: () => Promise<unknown>) => void (before = async () => void await act()),
    async left() {
      const { id = "" } = await rows.getUserByEmail(ADDRESS) ?? {};
      const accounts = await rows.listAccountsByUserId(id);
      return {
        sessions: (await rows.listSessionsByUserId(id)).length,
        accounts: accounts.map(({ provider }) => provider),
        credentials: (await rows.listAuthenticatorsByUserId(id)).length,
      };
    },
  };
}

/** The victim's session, and nothing of the impostor's. */
const OWNED = { sessions: 1, accounts: [], credentials: 0 };

describe("while an address is verified for the first time", () => {
  test("a passkey is gone that is added between the decision and its commit", async () => {
    const { person, meanwhile, prove, left } = open();
    const impostor = person();
    await impostor.register(ADDRESS);
    const second = person();
    await second.authenticate(undefined, impostor.device.passkeys[0]).catch(() => {});
    meanwhile(async () => void await impostor.register(ADDRESS));
    await prove();
    assert.deepEqual(await left(), OWNED);
    for (const key of impostor.device.passkeys) {
      await impostor.authenticate({}, key);
      assert.equal(await impostor.email(), null);
    }
  });

  test("a session is gone that is made between the decision and its commit", async () => {
    const { person, meanwhile, prove, left } = open();
    const impostor = person();
    await impostor.register(ADDRESS);
    const other = person(impostor.device);
    meanwhile(async () => void await other.authenticate());
    await prove();
    assert.deepEqual(await left(), OWNED);
    assert.equal(await other.email(), null);
  });

  test("a sign-in by a passkey is refused that was decided on before and is committed after", async () => {
    const { person, meanwhile, prove, left } = open();
    const impostor = person();
    await impostor.register(ADDRESS);
    const other = person(impostor.device);
    meanwhile(prove);
    await other.authenticate();
    assert.equal(await other.email(), null);
    assert.deepEqual(await left(), OWNED);
  });

  test("a sign-in by a provider is refused that was decided on before and is committed after", async () => {
    const { person, come, meanwhile, prove, left } = open();
    await come(person(), IMPOSTOR);
    const other = person();
    meanwhile(prove);
    await come(other, IMPOSTOR);
    assert.equal(await other.email(), null);
    assert.deepEqual(await left(), OWNED);
  });

  for (const strategy of ["database", "jwt"] as const) {
    test(`a passkey is refused that was decided on before and is committed after (${strategy})`, async () => {
      const { person, meanwhile, prove, left } = open(strategy);
      const impostor = person();
      await impostor.register(ADDRESS);
      meanwhile(prove);
      await impostor.register(ADDRESS);
      const { accounts, credentials } = await left();
      assert.deepEqual([accounts, credentials], [[], 0]);
    });

    test(`an account is refused that was decided on before and is committed after (${strategy})`, async () => {
      const { person, come, meanwhile, prove, left } = open(strategy);
      const impostor = person();
      await impostor.register(ADDRESS);
      meanwhile(prove);
      await come(impostor, MALLORY);
      assert.deepEqual((await left()).accounts, []);
      assert.equal((await left()).credentials, 0);
    });
  }

  test("a session that ends between the decision and the commit adds nothing", async () => {
    const { person, come, meanwhile, rows } = open();
    const bob = person();
    await bob.register("bob@example.com");
    const { id = "" } = await rows.getUserByEmail("bob@example.com") ?? {};
    meanwhile(async () => await rows.deleteSessionsByUserId(id));
    await come(bob, MALLORY);
    assert.equal((await rows.listAccountsByUserId(id)).length, 1);
  });

  test("an account that is taken away between the decision and the commit signs nobody in", async () => {
    const { person, come, meanwhile, rows } = open();
    await come(person(), MALLORY);
    const { id = "" } = await rows.getUserByEmail(MALLORY.email) ?? {};
    const other = person();
    meanwhile(async () => void await rows.unlinkAccount({ provider: "idp", providerAccountId: "mallory" }));
    await come(other, MALLORY);
    assert.equal(await other.email(), null);
    assert.equal((await rows.listSessionsByUserId(id)).length, 1);
  });

  test("an address that changes between the decision and the commit is not the one that is verified", async () => {
    const { person, meanwhile, prove, rows } = open();
    await person().register(ADDRESS);
    const { id = "" } = await rows.getUserByEmail(ADDRESS) ?? {};
    meanwhile(async () => void await rows.updateUser({ id, email: "other@example.com" }));
    await prove();
    assert.equal((await rows.getUser(id))?.emailVerified, null);
    assert.notEqual((await rows.getUserByEmail(ADDRESS))?.id, id);
  });
});

describe("a sealed session without a row, from before the address was verified", () => {
  test("is offered no passkey, and is sent to sign in again", async () => {
    const { person, prove } = open("jwt without rows");
    const impostor = person();
    await impostor.register(ADDRESS);
    await prove();
    const { status, body } = await impostor.offered({ action: "register" });
    assert.deepEqual([status, body.error], [403, "SessionRequired"]);
  });

  test("adds no passkey whose ceremony was begun before", async () => {
    const { person, prove, left } = open("jwt without rows");
    const impostor = person();
    await impostor.register(ADDRESS);
    const { options } = await impostor.offered({ action: "register" });
    await prove();
    await impostor.answer("register", await impostor.device.create(options));
    assert.equal((await left()).credentials, 0);
  });

  test("adds no account, whether the way to the provider was begun before or after", async () => {
    for (const isBefore of [true, false]) {
      const { person, prove, leave, comeBack, left, rows } = open("jwt without rows");
      const impostor = person();
      await impostor.register(ADDRESS);
      const early = isBefore ? await leave(impostor) : "";
      await prove();
      await comeBack(impostor, early || await leave(impostor), MALLORY);
      assert.deepEqual((await left()).accounts, []);
      assert.equal(
        (await rows.getUserByAccount({ provider: "idp", providerAccountId: "mallory" }))?.email,
        MALLORY.email,
      );
    }
  });

  test("adds nothing in the very second of the verification", async () => {
    const { person, prove, left, runtime } = open("jwt without rows");
    runtime.advance(1 - (runtime.now() / 1000) % 1);
    const impostor = person();
    await impostor.register(ADDRESS);
    await prove();
    assert.equal((await impostor.offered({ action: "register" })).status, 403);
    assert.equal((await left()).credentials, 0);
  });

  test("of whoever verified the address adds what they like", async () => {
    const { person, prove, come, left } = open("jwt without rows");
    await person().register(ADDRESS);
    const victim = await prove();
    await victim.register(ADDRESS);
    await come(victim, MALLORY);
    assert.deepEqual(await left(), { sessions: 0, accounts: ["passkey", "idp"], credentials: 1 });
  });
});

test("a sealed session from before the address was verified is over", async () => {
  const { person, prove } = open("jwt");
  const impostor = person();
  await impostor.register(ADDRESS);
  assert.notEqual(await impostor.browser.session(), null);
  await prove();
  assert.equal(await impostor.browser.session(), null);
});

describe("strangers", () => {
  test("make no passkey where only members may, and are asked to sign in", async () => {
    const { person, adapter } = openPasskeys({ passkey: { registration: "signed-in" } });
    const { status, body } = await person().offered({ action: "register", email: ADDRESS });
    assert.deepEqual([status, body.error], [403, "SessionRequired"]);
    assert.equal(await adapter.getUserByEmail(ADDRESS), null);
  });

  test("are shown no button to make one where only members may", async () => {
    for (const registration of ["open", "signed-in"] as const) {
      const { person } = openPasskeys({ passkey: { registration } });
      const { html } = await person().browser.open("/auth/signin");
      assert.equal(html.includes("Create a passkey"), registration === "open");
    }
  });

  test("finish no ceremony that was begun while they were let in", async () => {
    const adapter = memoryAdapter();
    const before = openPasskeys({ adapter });
    const after = openPasskeys({ adapter, passkey: { registration: "signed-in" } });
    const early = before.person();
    const { options, response } = await early.offered({ action: "register", email: ADDRESS });
    const late = after.person(early.device);
    for (const cookie of response.headers.getSetCookie()) late.browser.cookies.store(cookie, late.browser.url);
    await late.answer("register", await late.device.create(options));
    assert.equal(await adapter.getUserByEmail(ADDRESS), null);
  });
});

test("a user with the maximum of passkeys is offered no other, and sees it at once", async () => {
  const { person, adapter, log } = openPasskeys({ passkey: { maxCredentials: 2 } });
  const ada = person();
  await ada.register(ADDRESS);
  const { options, response } = await ada.offered({ action: "register" });
  await ada.register();
  const { status, body } = await ada.offered({ action: "register" });
  assert.deepEqual([status, body.error], [400, "TooManyPasskeys"]);
  // What was offered before is refused, and no storage is blamed for it.
  for (const cookie of response.headers.getSetCookie()) ada.browser.cookies.store(cookie, ada.browser.url);
  await ada.answer("register", await ada.device.create(options));
  const { id = "" } = await adapter.getUserByEmail(ADDRESS) ?? {};
  assert.equal((await adapter.listAuthenticatorsByUserId(id)).length, 2);
  assert.equal(log.errors.at(-1)?.name, "WebAuthnVerificationError");
});

test("a user never has more passkeys than the maximum, even when they are added at once", async () => {
  const { person, meanwhile, rows, prove } = open("database", { maxCredentials: 2 });
  const ada = await prove();
  await ada.register(ADDRESS);
  const tab = person(ada.device);
  const name = "authjs.session-token";
  tab.browser.cookies.store(`${name}=${ada.browser.cookies.get(name)?.value}; Path=/`, tab.browser.url);
  meanwhile(() => tab.register());
  await ada.register();
  const { id = "" } = await rows.getUserByEmail(ADDRESS) ?? {};
  assert.equal((await rows.listAuthenticatorsByUserId(id)).length, 2);
});
