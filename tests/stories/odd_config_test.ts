/** An option that is odd, or a provider that cannot be used, does not stop the rest of the service. */
import assert from "node:assert/strict";
import { test } from "node:test";
import Credentials from "@auth/core/providers/credentials";
import { createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { passkey } from "@x/auth/providers/passkey";
import { bothServices, Client } from "../_support/both_services.ts";
import { Browser } from "../_support/browser.ts";
import { mailbox } from "../_support/mailbox.ts";
import { ADA, password, recordLog, testConfig } from "../_support/service.ts";

const idp = { id: "idp", name: "IdP", type: "oidc", issuer: "https://idp.test" } as const;

const ada = Credentials({
  authorize: (fields) => fields.password === "lovelace" ? { id: "1", name: "Ada Lovelace" } : null,
});

const ODD: Readonly<Record<string, object>> = {
  "a provider without `clientId`": { providers: [idp, ada] },
  "`pages.signIn` that is empty": { pages: { signIn: "" } },
  "`pages.signIn` that is null": { pages: { signIn: null } },
  "`theme.brandColor` that is a variable": { theme: { brandColor: "var(--brand)" } },
  "`checks` that are text": { providers: [{ ...idp, clientId: "c", checks: "state" }, ada] },
};

for (const [name, odd] of Object.entries(ODD)) {
  test(`people sign in although the configuration has ${name}, here and with Auth.js`, async () => {
    for (const side of bothServices(() => ({ providers: [ada], ...odd }))) {
      const client = new Client(side);
      assert.equal(await client.json("/auth/session"), null, side.name);
      const url = await client.post("/auth/callback/credentials", { password: "lovelace" });
      assert.equal(new URL(url ?? "", client.origin).href, "http://localhost:3000/", side.name);
      assert.equal((await client.json("/auth/session")).user.name, "Ada Lovelace", side.name);
      assert.equal((await client.send("/auth/signin")).status, 200, side.name);
    }
  });
}

test("`session.maxAge` that is text is read as a number, where Auth.js signs nobody in", async () => {
  for (const side of bothServices(() => ({ providers: [ada], session: { maxAge: "3600" } }))) {
    const client = new Client(side);
    const url = await client.post("/auth/callback/credentials", { password: "lovelace" });
    if (side.name === "there") {
      assert.equal(url, "http://localhost:3000/auth/error?error=Configuration");
      continue;
    }
    const { expires } = await client.json("/auth/session");
    const seconds = (Date.parse(expires) - Date.now()) / 1000;
    assert.ok(seconds > 3500 && seconds <= 3601, `${seconds}`);
  }
});

function withoutClientId() {
  const log = recordLog();
  const service = createAuth(testConfig({ providers: [idp, password()], logger: log.logger }));
  return { ...log, ...service, browser: new Browser(service.handler, { mayFail: true }) };
}

test("a provider that cannot be used is not offered, and the log says why", async () => {
  const { browser, warnings } = withoutClientId();
  assert.deepEqual(Object.keys(await browser.providers()), ["credentials"]);
  await browser.open("/auth/signin");
  assert.doesNotMatch(browser.html, /IdP|\/signin\/idp/);
  assert.deepEqual(warnings, ["provider-left-out"]);
});

test("a provider that cannot be used answers with the error page, and the log names the option", async () => {
  for (const path of ["/auth/signin/idp", "/auth/callback/idp"]) {
    const { browser, errors } = withoutClientId();
    const csrfToken = await browser.csrf();
    const answer = path.includes("signin") ? await browser.post(path, { csrfToken }) : await browser.get(path);
    assert.equal(answer.headers.get("location"), "http://localhost:3000/auth/error?error=Configuration");
    assert.equal(errors[0]?.name, "InvalidConfig");
    assert.match(errors[0]?.message ?? "", /"idp": set its `clientId` or the environment variable AUTH_IDP_ID/);
    await browser.follow(answer);
    assert.equal(browser.status, 500);
  }
});

test("the browser client of Auth.js is told of a provider that cannot be used", async () => {
  const { browser } = withoutClientId();
  const headers = { "x-auth-return-redirect": "1" };
  const answer = await browser.post("/auth/signin/idp", { csrfToken: await browser.csrf() }, { headers });
  assert.deepEqual(await answer.json(), { url: "http://localhost:3000/auth/error?error=Configuration" });
});

test("a method that no provider of its kind has stays wrong for one that cannot be used", async () => {
  const { browser } = withoutClientId();
  assert.equal((await browser.send("DELETE", "/auth/signin/idp")).status, 405);
  assert.equal((await browser.get("/auth/webauthn-options/idp")).status, 404);
});

test("signIn() with a provider that cannot be used throws the error that names the option", async () => {
  const { signIn } = withoutClientId();
  const request = new Request("http://localhost:3000/", { headers: { "sec-fetch-site": "none" } });
  for (let round = 0; round < 2; round++) {
    await assert.rejects(signIn(request, "idp", { redirect: false }), {
      name: "InvalidConfig",
      message: /AUTH_IDP_ID/,
    });
  }
});

test("passkeys from before an address was verified are revoked although their provider is left out for now", async () => {
  const whole = memoryAdapter();
  // The operations of Auth.js, which cannot list accounts or remove authenticators.
  const { commit: _, getVerificationToken: __, listAccountsByUserId: ___, deleteAuthenticator: ____, ...adapter } =
    whole;
  const user = await adapter.createUser({ id: "u1", email: "ada@example.com", emailVerified: null });
  const key = { provider: "passkey", providerAccountId: "AAAA" };
  await adapter.linkAccount({ ...key, type: "webauthn", userId: user.id });
  await adapter.createAuthenticator({
    credentialID: "AAAA",
    credentialPublicKey: "AAAA",
    counter: 0,
    credentialDeviceType: "singleDevice",
    credentialBackedUp: false,
    providerAccountId: "AAAA",
    userId: user.id,
  });
  const { provider, mails } = mailbox();
  const broken = passkey({ maxCredentials: 0 });
  const { handler } = createAuth(testConfig({ adapter, providers: [provider, broken] }));
  const browser = new Browser(handler);
  assert.deepEqual(Object.keys(await browser.providers()), ["email"]);
  await browser.signIn("email", { email: "ada@example.com" });
  await browser.open(mails[0]?.url ?? "");
  assert.equal((await browser.session())?.user?.email, "ada@example.com");
  assert.equal(await adapter.getUserByAccount(key), null);
});

const UNREADABLE: readonly (readonly [what: string, odd: object, log: RegExp | null])[] = [
  [
    "an `issuer` that is a URL object",
    { issuer: new URL("https://idp.test") },
    /"idp": its `issuer` must be text, not/,
  ],
  [
    "a `profile` that is no function",
    { profile: { id: "sub" } },
    /"idp": its `profile` must be a function, not an obj/,
  ],
  ["an `id` that no text can hold", { id: 5n }, /a provider's `id`: a number must be 1 to 64 characters/],
  ["an `authorization` that is null", { authorization: null }, null],
  ["a `token` that is null", { token: null }, null],
  ["a `userinfo` that is null", { userinfo: null }, null],
  ["a `client` that is null", { client: null }, null],
];

for (const [what, odd, log] of UNREADABLE) {
  test(`people sign in although another provider has ${what}`, async () => {
    const told: string[] = [];
    const logger = { warn: (_code: string, message = "") => void told.push(message) };
    const other = { ...idp, clientId: "c", clientSecret: "s", ...odd } as unknown as ReturnType<typeof password>;
    const { handler } = createAuth(testConfig({ providers: [other, password()], logger }));
    const browser = new Browser(handler);
    assert.deepEqual(Object.keys(await browser.providers()), log ? ["credentials"] : ["idp", "credentials"]);
    await browser.signIn("credentials", ADA);
    assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
    assert.equal(told.filter((message) => log?.test(message)).length, log ? 1 : 0);
  });
}

test("the paths of a provider that is left out lead to the error page", async () => {
  const broken = { id: "broken", name: "Broken", type: "oidc", issuer: "nowhere", clientId: "c", clientSecret: "s" };
  const { logger, errors } = recordLog();
  const { handler } = createAuth(testConfig({ providers: [password(), broken as never], logger }));
  const page = "http://localhost:3000/auth/error?error=Configuration";
  for (const path of ["signin/broken", "callback/broken?code=1"]) {
    const response = await handler(new Request(`http://localhost:3000/auth/${path}`));
    assert.deepEqual([response.status, response.headers.get("location")], [302, page], path);
  }
  assert.equal((await handler(new Request("http://localhost:3000/auth/signin"))).status, 200);
  assert.deepEqual(errors.map(({ message }) => /provider "broken"/.test(message)), [true], "it is told once");
});
