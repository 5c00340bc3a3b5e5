/** Whole ceremonies with each kind of storage. */
import { Buffer } from "node:buffer";
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Adapter, type AuthConfig, createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { passkey } from "@x/auth/providers/passkey";
import { webauthn } from "@x/auth/providers/webauthn";
import { Authenticator, unb64u } from "../../_support/authenticator.ts";
import { ADDRESS, leadsTo, openPasskeys, type PasskeyOptions } from "../../_support/passkeys.ts";
import { START } from "../../_support/runtime.ts";
import { FOREIGN_ADAPTERS } from "../../_support/foreign_adapters.ts";
import { testConfig } from "../../_support/service.ts";
import { STORES } from "../../_support/stores.ts";

const REFUSED = "/auth/error?error=WebAuthnVerificationError";

test("the options of a sign-in, without a list of credentials if nobody is signed in", async () => {
  const { body, response } = await openPasskeys().person().offered();
  const { options } = body;
  assert.match(options?.challenge ?? "", /^[\w-]{43}$/);
  assert.deepEqual(body, {
    action: "authenticate",
    options: { rpId: "localhost", challenge: options?.challenge, timeout: 300_000, userVerification: "required" },
  });
  assert.match(response.headers.get("cache-control") ?? "", /no-store/);
  const [cookie = ""] = response.headers.getSetCookie().filter((cookie) => cookie.startsWith("authjs.challenge="));
  assert.match(cookie, /Max-Age=300;.*HttpOnly/);
});

test("the options of a registration", async () => {
  const { body } = await openPasskeys().person().offered({ action: "register", email: " Ada@Example.com " });
  const { options } = body;
  const id = options?.user?.id ?? "";
  assert.match(id, /^[\w-]{64}$/, "text that is base64url too, of at most 64 bytes either way");
  assert.match(new TextDecoder().decode(unb64u(id)), /^[0-9a-f]{48}$/);
  assert.deepEqual(body, {
    action: "register",
    options: {
      challenge: options?.challenge,
      rp: { name: "localhost:3000", id: "localhost" },
      user: { id, name: ADDRESS, displayName: ADDRESS },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: "public-key" })),
      timeout: 300_000,
      attestation: "none",
      excludeCredentials: [],
      authenticatorSelection: { residentKey: "required", userVerification: "required", requireResidentKey: true },
      extensions: { credProps: true },
    },
  });
});

test("options for a signed-in user name their passkeys, to use them and to exclude them", async () => {
  const { person, adapter } = openPasskeys();
  const ada = person();
  await ada.register();
  const user = await adapter.getUserByEmail(ADDRESS);
  await adapter.updateUser({ id: user?.id ?? "", name: "Ada" });
  const id = ada.device.passkeys[0]?.id;
  const descriptor = {
    id: id && Buffer.from(id).toString("base64url"),
    transports: ["internal", "hybrid"],
    type: "public-key",
  };
  const use = await ada.offered({ action: "authenticate" });
  assert.deepEqual(use.options.allowCredentials, [descriptor]);
  const make = await ada.offered({ action: "register", email: "ignored@example.com" });
  assert.deepEqual(make.options.excludeCredentials, [descriptor]);
  assert.equal(make.options.user?.name, ADDRESS);
  assert.equal(make.options.user?.displayName, "Ada");
  assert.equal(make.options.user?.id, (await ada.offered({ action: "register" })).options.user?.id);
});

const REFUSALS: readonly [query: Readonly<Record<string, string>>, error: string][] = [
  [{ action: "remove" }, "Invalid action"],
  [{ action: "" }, "Invalid action"],
  [{ action: "register" }, "Invalid request"],
  [{ action: "register", email: "" }, "Invalid request"],
  [{ action: "register", email: "no address" }, "Invalid request"],
  [{ action: "register", email: "a@example.com,b@example.com" }, "Invalid request"],
];

for (const [query, error] of REFUSALS) {
  test(`options are refused for ${JSON.stringify(query)}`, async () => {
    const { status, body, response } = await openPasskeys().person().offered(query);
    assert.deepEqual([status, body], [400, { error }]);
    assert.equal(response.headers.getSetCookie().some((cookie) => cookie.includes("challenge")), false);
  });
}

test("options are refused if a parameter is repeated", async () => {
  const { browser } = openPasskeys().person();
  for (const name of ["action", "email", "callbackUrl"]) {
    assert.equal((await browser.get(`/auth/webauthn-options/passkey?${name}=a&${name}=b`)).status, 400);
  }
});

test("getUserInfo chooses the user of a passkey, and its name is not shown to whoever types the address", async () => {
  const asked: unknown[] = [];
  const { person, adapter } = openPasskeys({
    passkey: {
      getUserInfo: async ({ provider, adapter }, { query, method }) => {
        asked.push([provider.id, query.name, method, await adapter.getUserByEmail("x@example.com")]);
        return query.name ? { user: { email: `${query.name}@example.com`, name: query.name } } : null;
      },
    },
  });
  const ada = person();
  const { options } = await ada.offered({ action: "register", name: "Grace" });
  assert.equal(options.user?.displayName, "grace@example.com");
  assert.equal(leadsTo(await ada.answer("register", await ada.device.create(options))), "/");
  assert.deepEqual(asked, [["passkey", "Grace", "GET", null]]);
  assert.equal((await adapter.getUserByEmail("grace@example.com"))?.name, "Grace");
  assert.equal((await person().offered({ action: "register" })).status, 400);
});

for (const kind of STORES) {
  for (const strategy of ["database", "jwt"] as const) {
    test(`a passkey signs up and in, and another one is added, with ${kind.name} and ${strategy} sessions`, async () => {
      const store = kind.open(() => START);
      try {
        await story(store.adapter, strategy);
        const { users, accounts, authenticators } = await store.dump();
        assert.deepEqual([users.length, accounts.length, authenticators.length], [1, 2, 2]);
      } finally {
        store.close();
      }
    });
  }
}

const [kysely, ...keepers] = FOREIGN_ADAPTERS;

for (const { name, open } of keepers) {
  test(`a passkey signs up and in, and another one is added, with ${name}`, async () => {
    const { adapter, close } = await open({ passkeys: true });
    await story(adapter, "database");
    await close();
  });
}

test("an adapter that stores no passkeys is refused, and the log names what it lacks", async () => {
  const { adapter, close } = await kysely?.open() ?? {};
  const { person, log } = openPasskeys({ ...(adapter && { adapter }) });
  assert.equal((await person().browser.get("/auth/webauthn-options/passkey")).status, 500);
  assert.match(String(log.errors[0]), /lacks .*createAuthenticator/);
  await close?.();
});

async function story(adapter: Adapter, strategy: "database" | "jwt"): Promise<void> {
  const reported: string[] = [];
  const note = (name: string) => () => void reported.push(name);
  const events: AuthConfig["events"] = {
    createUser: note("createUser"),
    linkAccount: note("linkAccount"),
    signIn: ({ isNewUser }) => void reported.push(`signIn ${isNewUser}`),
    updateUser: note("updateUser"),
  };
  const { person } = openPasskeys({ adapter, session: { strategy }, events, pages: { newUser: "/welcome" } });
  const ada = person();
  const { options } = await ada.offered({ action: "register", email: ADDRESS });
  const made = await ada.answer("register", await ada.device.create(options), { callbackUrl: "/cart" });
  assert.equal(leadsTo(made), "/welcome?callbackUrl=http%3A%2F%2Flocalhost%3A3000%2Fcart");
  assert.deepEqual(reported.splice(0), ["createUser", "linkAccount", "signIn true"]);
  await ada.browser.signOut();
  assert.equal(leadsTo(await ada.authenticate()), "/");
  assert.deepEqual(reported.splice(0), ["signIn false"]);
  const before = ada.browser.cookies.names("session-token").length;
  assert.equal(leadsTo(await ada.register()), "/");
  assert.deepEqual(reported.splice(0), ["linkAccount", "signIn false"]);
  assert.equal(ada.browser.cookies.names("session-token").length, before);
  assert.equal(await ada.email(), ADDRESS);
  await ada.browser.signOut();
  for (const key of ada.device.passkeys) {
    assert.equal(leadsTo(await ada.authenticate({}, key)), "/");
    await ada.browser.signOut();
  }
  assert.equal(leadsTo(await person().register()), REFUSED);
}

test("adding a passkey keeps the stored session; signing in replaces it", async () => {
  const { person, adapter } = openPasskeys();
  const ada = person();
  await ada.register();
  const { id = "" } = await adapter.getUserByEmail(ADDRESS) ?? {};
  const tokens = async () => (await adapter.listSessionsByUserId(id)).map(({ sessionToken }) => sessionToken);
  const [first] = await tokens();
  await ada.register();
  assert.deepEqual(await tokens(), [first]);
  await ada.authenticate();
  const after = await tokens();
  assert.equal(after.length, 1);
  assert.notEqual(after[0], first);
});

test("stored sessions have `auth_time` if storage has fields of our own", async () => {
  const { person, adapter } = openPasskeys();
  await person().register();
  const { id = "" } = await adapter.getUserByEmail(ADDRESS) ?? {};
  assert.equal((await adapter.listSessionsByUserId(id))[0]?.auth_time, START / 1000);
});

test("adapters written for Auth.js get no field that their tables lack", async () => {
  const [memory, plain] = STORES;
  assert.ok(memory && plain);
  for (const [kind, keeps] of [[memory, true], [plain, false]] as const) {
    const store = kind.open(() => START);
    await openPasskeys({ adapter: store.adapter }).person().register();
    const { sessions, authenticators } = await store.dump();
    assert.equal("auth_time" in (sessions[0] ?? {}), keeps);
    assert.equal("userHandle" in (authenticators[0] ?? {}), keeps);
  }
});

function failing(name: keyof Adapter): (adapter: Adapter) => Adapter {
  return (adapter) => ({
    ...adapter,
    [name]: () => {
      throw new Error("storage is down");
    },
  });
}

for (const operation of ["linkAccount", "createAuthenticator"] as const) {
  test(`without commit, a ${operation} that fails leaves nothing that blocks the address`, async () => {
    const [, plain] = STORES;
    assert.ok(plain);
    const store = plain.open(() => START);
    const broken = openPasskeys({ adapter: failing(operation)(store.adapter) });
    assert.equal(leadsTo(await broken.person().register()), "/auth/error?error=Configuration");
    const { users, accounts, authenticators } = await store.dump();
    assert.deepEqual([users, accounts, authenticators], [[], [], []]);
    assert.equal(leadsTo(await openPasskeys({ adapter: store.adapter }).person().register()), "/");
  });
}

test("without `commit`, a passkey that cannot be added leaves the user as they were", async () => {
  const [, plain] = STORES;
  assert.ok(plain);
  const store = plain.open(() => START);
  const options: PasskeyOptions = { adapter: store.adapter };
  const ada = openPasskeys(options).person();
  await ada.register();
  const broken = openPasskeys({ adapter: failing("createAuthenticator")(store.adapter) }).person(ada.device);
  await broken.authenticate();
  assert.equal(leadsTo(await broken.register()), "/auth/error?error=Configuration");
  const { users, accounts, authenticators } = await store.dump();
  assert.deepEqual([users.length, accounts.length, authenticators.length], [1, 1, 1]);
});

test("options without an action, as Auth.js's client asks for them, are those of a sign-in", async () => {
  const { person } = openPasskeys({ providers: [webauthn({ id: "passkey" })] });
  const { body } = await person().offered({ email: ADDRESS });
  assert.equal(body.action, "authenticate");
  assert.equal(body.options?.userVerification, "preferred");
});

for (const kind of STORES) {
  test(`of two parallel registrations of one address, one succeeds, with ${kind.name}`, async () => {
    const store = kind.open(() => START);
    try {
      const { person } = openPasskeys({ adapter: store.adapter });
      const answers = await Promise.all([person(), person()].map((one) => one.register()));
      assert.deepEqual(answers.map(leadsTo).toSorted(), ["/", REFUSED]);
      const { users, accounts, authenticators } = await store.dump();
      assert.deepEqual([users.length, accounts.length, authenticators.length], [1, 1, 1]);
    } finally {
      store.close();
    }
  });
}

test("signIn() with a passkey leads to the sign-in page", async () => {
  const { signIn } = createAuth(testConfig({ adapter: memoryAdapter(), providers: [passkey()] }));
  const request = new Request("http://localhost:3000/cart");
  const { value } = await signIn(request, "passkey", { redirect: false });
  assert.equal(value, "http://localhost:3000/auth/signin?callbackUrl=http%3A%2F%2Flocalhost%3A3000%2Fcart");
});

test("the event linkAccount has the account and the user of a passkey", async () => {
  const reported: unknown[] = [];
  const { person, adapter } = openPasskeys({ events: { linkAccount: (message) => void reported.push(message) } });
  const ada = person();
  await ada.register();
  const user = await adapter.getUserByEmail(ADDRESS);
  const providerAccountId = Buffer.from(ada.device.passkeys[0]?.id ?? []).toString("base64");
  const account = { provider: "passkey", providerAccountId, type: "webauthn", userId: user?.id };
  assert.deepEqual(reported, [{ user, account, profile: { id: user?.id, email: ADDRESS } }]);
});

/** Storage that fails at one call, before it does anything. */
function failingAt(adapter: Adapter, at: number): { readonly adapter: Adapter; readonly calls: () => number } {
  let calls = 0;
  const wrapped = Object.fromEntries(
    Object.entries(adapter).map(([name, operation]) => [name, (...args: unknown[]) => {
      calls += 1;
      if (calls === at) throw new Error(`storage is down at call ${at}, ${name}`);
      return (operation as (...args: unknown[]) => unknown)(...args);
    }]),
  );
  return { adapter: wrapped, calls: () => calls };
}

for (const kind of STORES) {
  for (const strategy of ["database", "jwt"] as const) {
    test(`whichever call to storage fails, the next try succeeds, with ${kind.name} and ${strategy} sessions`, async () => {
      let at = 0;
      for (let isReached = true; isReached;) {
        at += 1;
        const store = kind.open(() => START);
        try {
          const device = new Authenticator();
          const session = { strategy };
          const failing = failingAt(store.adapter, at);
          const broken = openPasskeys({ adapter: failing.adapter, session }).person(device);
          await attempt(() => broken.register());
          const ada = openPasskeys({ adapter: store.adapter, session }).person(device);
          // If everything was stored before the failure, the passkey works.
          if (!await attempt(() => ada.authenticate())) {
            assert.equal(await attempt(() => ada.register()), true, `${at}`);
          }
          assert.equal(await ada.email(), ADDRESS);
          isReached = failing.calls() >= at;
          const { users, accounts, authenticators } = await store.dump();
          assert.deepEqual([users.length, accounts.length, authenticators.length], [1, 1, 1], `${at}`);
        } finally {
          store.close();
        }
      }
      assert.ok(at > 3);
    });
  }
}

async function attempt(act: () => Promise<Response>): Promise<boolean> {
  try {
    return leadsTo(await act()) === "/";
  } catch {
    return false; // there is no passkey to sign in with yet
  }
}
