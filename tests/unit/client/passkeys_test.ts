import { test } from "node:test";
import assert from "node:assert/strict";
import { type AuthClient, clientOf } from "../../../client/core/auth_client.ts";
import { open } from "../../../client/core/connection.ts";
import { Authenticator, b64u, type CeremonyOptions, unb64u } from "../../_support/authenticator.ts";
import { passkey } from "../../../src/providers/passkey.ts";
import { secondFactor } from "../../../src/second_factor.ts";
import { mailbox } from "../../_support/mailbox.ts";
import { openPasskeys, type PasskeyOptions } from "../../_support/passkeys.ts";
import { TestBrowser, type TestPage } from "../../_support/page.ts";

const HOME = "http://localhost:3000/";

type Request = {
  readonly publicKey: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly mediation?: string;
};

/** What the person does, besides nothing. */
type Person = (request: Request) => Promise<unknown>;

interface Device {
  readonly page: TestPage;
  readonly client: AuthClient;
  readonly requests: Request[];
  /** What the person does instead of agreeing. */
  person: Person | null;
  /** What the browser was told of passkeys. */
  readonly told: object[];
  /** Removes all passkeys from storage. */
  forget(): Promise<void>;
  /** Says that the page is visible again. */
  show(): void;
}

function openDevice(options: PasskeyOptions = {}): Device {
  const { site, adapter } = openPasskeys(options);
  const authenticator = new Authenticator({ origin: HOME.slice(0, -1) });
  const page = new TestBrowser((request) => site(request)).tab();
  const shows = new Set<() => void>();
  const requests: Request[] = [];
  const device: Device = {
    page,
    client: clientOf(open("/auth", page.browser)),
    requests,
    told: [],
    async forget() {
      const user = await adapter.getUserByEmail(ada.email);
      const stored = await adapter.listAuthenticatorsByUserId(user?.id ?? "");
      for (const { credentialID } of stored) await adapter.deleteAuthenticator(credentialID);
    },
    person: null,
    show() {
      for (const show of shows) show();
    },
  };
  const agree = (how: "create" | "get") => async (request: Request) => {
    requests.push(request);
    request.signal.throwIfAborted();
    if (device.person) return await device.person(request);
    return credentialOf(await authenticator[how](jsonOf(request.publicKey) as unknown as CeremonyOptions));
  };
  Object.assign(page.browser, {
    PublicKeyCredential: {
      isConditionalMediationAvailable: () => Promise.resolve(true),
      signalUnknownCredential: (unknown: object) => Promise.resolve(device.told.push({ unknown })),
      signalAllAcceptedCredentials: (accepted: object) => Promise.resolve(device.told.push({ accepted })),
    },
    navigator: { credentials: { create: agree("create"), get: agree("get") } },
  });
  Object.assign(page.browser.document, {
    addEventListener(_: string, run: () => void, { signal }: { readonly signal: AbortSignal }) {
      shows.add(run);
      signal.addEventListener("abort", () => shows.delete(run));
    },
  });
  return device;
}

/** The options as they travelled. */
function jsonOf(value: unknown): unknown {
  if (value instanceof Uint8Array) return b64u(value);
  if (Array.isArray(value)) return value.map(jsonOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, jsonOf(member)]));
}

/** A credential, as the browser gives it. */
function credentialOf(data: string): unknown {
  const { response: { transports, ...bytes }, rawId, clientExtensionResults, ...rest } = JSON.parse(data);
  const response = Object.fromEntries(
    Object.entries(bytes).flatMap(([name, text]) => {
      return typeof text === "string" ? [[name, unb64u(text).buffer]] : [];
    }),
  );
  return {
    ...rest,
    rawId: unb64u(rawId).buffer,
    response: { ...response, ...(transports && { getTransports: () => transports }) },
    getClientExtensionResults: () => clientExtensionResults ?? {},
  };
}

/** Waits as a browser that has shown something does. */
const never: Person = ({ signal }) => {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
};

const ada = { email: "ada@example.com", redirect: false };
const cancelled = { ok: false, error: "Cancelled", status: 0 };

test("somebody creates a passkey, signs out, and signs in with it", async () => {
  const { client } = openDevice();
  assert.deepEqual(await client.registerPasskey("passkey", ada), { ok: true, url: HOME });
  assert.equal((await client.getSession())?.user?.email, "ada@example.com");
  await client.signOut({ redirect: false });
  assert.deepEqual(await client.signIn("passkey", { redirect: false }), { ok: true, url: HOME });
  assert.equal((await client.getSession())?.user?.email, "ada@example.com");
});

test("an address that has to be proven first gets an email, and no passkey is asked for", async () => {
  const box = mailbox();
  const { client, page, requests } = openDevice({ providers: [box.provider, passkey({ confirm: true })] });
  const told = await client.registerPasskey("passkey", { ...ada, redirectTo: "/passkeys" });
  assert.deepEqual(told, { ok: true, url: `${HOME}auth/verify-request?provider=email&type=email` });
  assert.equal(requests.length, 0);
  assert.deepEqual(box.mails.map(({ identifier }) => identifier), ["ada@example.com"]);
  assert.equal(box.link().searchParams.get("callbackUrl"), `${HOME}passkeys`);
  await page.browser.fetch(box.link().href);
  assert.deepEqual(await client.registerPasskey("passkey", { redirect: false }), { ok: true, url: HOME });
  assert.equal(requests.length, 1);
  assert.equal(box.mails.length, 1);
});

test("what the browser offers in a field signs in, and no field is sent to ask how", async () => {
  const { client, page, requests } = openDevice();
  await client.registerPasskey("passkey", ada);
  await client.signOut({ redirect: false });
  page.asked.length = 0;
  assert.equal((await client.signIn("passkey", { ...ada, conditional: true })).ok, true);
  assert.equal(requests.at(-1)?.mediation, "conditional");
  assert.ok(page.asked.includes("GET /auth/webauthn-options/passkey?action=authenticate"), page.asked.join());
});

test("a passkey is a second proof, and is not looked for where there is none", async () => {
  const box = mailbox();
  let isNeeded = false;
  const device = openDevice({
    providers: [passkey(), box.provider],
    features: [secondFactor({ require: () => isNeeded, methods: ["passkey"] })],
  });
  const { client, page, requests } = device;
  const byLink = async () => {
    await client.signIn(box.provider.id, { email: ada.email, redirect: false });
    await page.browser.fetch(box.link().href);
  };
  await byLink();
  assert.deepEqual(await client.registerPasskey("passkey", { redirect: false }), { ok: true, url: HOME });
  await client.signOut({ redirect: false });
  isNeeded = true;
  await byLink();
  assert.equal(await client.getSession(), null);
  const count = requests.length;
  assert.deepEqual(await client.secondFactor.prove({ method: "passkey", redirect: false }), { ok: true, url: HOME });
  assert.equal(requests.length, count + 1);
  assert.equal((await client.getSession())?.user?.email, ada.email);
  await client.signOut({ redirect: false });
  await byLink();
  device.person = () => Promise.reject(new DOMException("", "NotAllowedError"));
  assert.deepEqual(await client.secondFactor.prove({ method: "passkey" }), cancelled);
  await device.forget();
  const { url: _, ...none } = await client.secondFactor.prove({ method: "passkey" }) as { readonly url?: string };
  assert.deepEqual(none, { ok: false, error: "AccessDenied", status: 403 });
  assert.equal(requests.length, count + 2);
});

test("an offer begins anew when its challenge expires, and when the page is visible again", async () => {
  const device = openDevice({ passkey: { authenticationOptions: { timeout: 100 } } });
  await device.client.registerPasskey("passkey", ada);
  device.requests.length = 0;
  device.person = never;
  const result = device.client.signIn("passkey", { conditional: true, redirect: false });
  while (device.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  device.page.hidden = true;
  device.show();
  device.page.hidden = false;
  const count = device.requests.length;
  device.show();
  while (device.requests.length <= count) await new Promise((resolve) => setTimeout(resolve, 1));
  device.person = null;
  assert.equal((await result).ok, true);
  const challenges = device.requests.map(({ publicKey }) => b64u(publicKey.challenge as Uint8Array));
  assert.equal(new Set(challenges).size, challenges.length);
});

test("a button ends an offer, and a signal ends both", async () => {
  const device = openDevice();
  await device.client.registerPasskey("passkey", ada);
  await device.client.signOut({ redirect: false });
  device.person = never;
  const offer = device.client.signIn("passkey", { conditional: true, redirect: false });
  while (device.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  const abort = new AbortController();
  const button = device.client.signIn("passkey", { redirect: false, signal: abort.signal });
  assert.deepEqual(await Promise.race([offer, new Promise((resolve) => setTimeout(resolve, 1000))]), cancelled);
  while (device.requests.length < 3) await new Promise((resolve) => setTimeout(resolve, 1));
  abort.abort();
  assert.deepEqual(await button, cancelled);
});

test("what the browser throws has a name, and is never a success", async () => {
  const device = openDevice();
  for (const [name, error] of [["NotAllowedError", "Cancelled"], ["InvalidStateError", "InvalidStateError"]]) {
    device.person = () => Promise.reject(new DOMException("no", name));
    assert.deepEqual(await device.client.registerPasskey("passkey", ada), { ok: false, error, status: 0 });
  }
});

test("after a sign-in the device is told which passkeys there are, and of one that was removed that it is unknown", async () => {
  const device = openDevice();
  await device.client.registerPasskey("passkey", ada);
  const [made] = device.told as { accepted: { rpId: string; userId: string; allAcceptedCredentialIds: string[] } }[];
  const user = device.requests[0]?.publicKey.user as { id: Uint8Array };
  assert.deepEqual([made?.accepted.rpId, made?.accepted.userId], ["localhost", b64u(user.id)]);
  const [credentialId] = made?.accepted.allAcceptedCredentialIds ?? [];
  await device.client.signOut({ redirect: false });
  await device.client.signIn("passkey", { redirect: false });
  assert.deepEqual(device.told.splice(0), [made, made]);
  assert.equal(await device.client.syncPasskeys(), true);
  await device.forget();
  assert.equal(await device.client.syncPasskeys(), true);
  assert.deepEqual(device.told.splice(0), [made, { accepted: { ...made?.accepted, allAcceptedCredentialIds: [] } }]);
  await device.client.signOut({ redirect: false });
  assert.equal(await device.client.syncPasskeys(), false, "nobody is signed in");
  const refused = { ok: false, error: "WebAuthnVerificationError", code: "unknown_passkey", status: 200 };
  assert.deepEqual(await device.client.signIn("passkey", { redirect: false }), refused);
  assert.deepEqual(device.told, [{ unknown: { rpId: "localhost", credentialId } }]);
});

test("an address that says that a passkey is unknown takes no passkey from a device", async () => {
  const device = openDevice();
  const redirectTo = "/?error=WebAuthnVerificationError&code=unknown_passkey";
  await device.client.registerPasskey("passkey", { ...ada, redirectTo });
  await device.client.signOut({ redirect: false });
  await device.client.signIn("passkey", { redirect: false, redirectTo });
  assert.ok(device.told.length > 0 && device.told.every((each) => "accepted" in each), JSON.stringify(device.told));
});

test("a passkey that is refused for another reason is taken from no device", async () => {
  const device = openDevice();
  await device.client.registerPasskey("passkey", ada);
  await device.client.signOut({ redirect: false });
  device.told.length = 0;
  const { get } = device.page.browser.navigator.credentials;
  device.page.browser.navigator.credentials.get = async (request) => {
    const made = await get(request) as unknown as { response: { signature: ArrayBuffer } };
    return { ...made, response: { ...made.response, signature: new Uint8Array(8).buffer } } as never;
  };
  assert.equal((await device.client.signIn("passkey", { redirect: false })).ok, false);
  assert.deepEqual(device.told, []);
});

test("a browser that cannot tell the device asks nothing more", async () => {
  const { client, page } = openDevice();
  Object.assign(page.browser, { PublicKeyCredential: {} });
  await client.registerPasskey("passkey", ada);
  assert.equal(await client.syncPasskeys(), false);
  assert.ok(!page.asked.some((each) => each.includes("action=list")), page.asked.join());
});

test("a passkey that the service does not know is not ok", async () => {
  const device = openDevice();
  device.person = () => Promise.resolve(credentialOf(JSON.stringify({ id: "x", rawId: "eA", response: {} })));
  const result = await device.client.signIn("passkey", { redirect: false });
  assert.deepEqual(result, { ok: false, error: "WebAuthnVerificationError", status: 200 });
});

test("an answer that starts no ceremony says why, and leads to the sign-in page where that helps", async () => {
  const { client, page, requests } = openDevice({ passkey: { registration: "signed-in" } });
  const result = await client.registerPasskey("passkey", { email: "ada@example.com" });
  assert.deepEqual(result, { ok: false, error: "SessionRequired", status: 403 });
  assert.match(page.visits.join(), /\/auth\/signin\?error=SessionRequired/);
  assert.equal(requests.length, 0);
});

test("a browser without passkeys, or that cannot offer them, says so", async () => {
  const device = openDevice();
  const unsupported = { ok: false, error: "Unsupported", status: 0 };
  Object.assign(device.page.browser, { PublicKeyCredential: {} });
  assert.deepEqual(await device.client.signIn("passkey", { conditional: true }), unsupported);
  Object.assign(device.page.browser, { PublicKeyCredential: undefined });
  assert.deepEqual(await device.client.signIn("passkey", { conditional: true }), unsupported);
  assert.deepEqual(await device.client.signIn("passkey"), unsupported);
});

/** Somebody signed in, on a device whose browser makes passkeys by itself. */
async function openUpgrading(options: PasskeyOptions = { passkey: { upgrade: true } }): Promise<Device> {
  const device = openDevice(options);
  Object.assign(device.page.browser.PublicKeyCredential ?? {}, {
    getClientCapabilities: () => Promise.resolve({ conditionalCreate: true }),
  });
  await device.client.registerPasskey("passkey", ada);
  device.requests.length = 0;
  device.told.length = 0;
  return device;
}

test("a browser makes a passkey by itself, without a question", async () => {
  const { client, requests, told } = await openUpgrading();
  assert.equal(await client.upgradeToPasskey(), true);
  assert.deepEqual(requests.map(({ mediation }) => mediation), ["conditional"]);
  const [{ accepted }] = told as [{ accepted: { allAcceptedCredentialIds: string[] } }];
  assert.equal(accepted.allAcceptedCredentialIds.length, 2);
});

test("a browser that cannot make a passkey by itself is not asked, and neither is the service", async () => {
  for (const capabilities of [{}, { conditionalCreate: false }, null]) {
    const { client, page, requests } = await openUpgrading();
    const getClientCapabilities = capabilities && (() => Promise.resolve(capabilities));
    Object.assign(page.browser.PublicKeyCredential ?? {}, { getClientCapabilities });
    page.asked.length = 0;
    assert.equal(await client.upgradeToPasskey(), false);
    assert.deepEqual([requests.length, page.asked.length], [0, 0]);
  }
});

test("where the service does not let browsers make passkeys, nothing is asked of them, and nobody is sent anywhere", async () => {
  for (const options of [{}, { passkey: { upgrade: true, maxCredentials: 1 } }]) {
    const { client, page, requests } = await openUpgrading(options);
    assert.equal(await client.upgradeToPasskey(), false);
    assert.deepEqual([requests.length, page.visits.length], [0, 0]);
  }
});

test("a browser that would rather not make a passkey is no failure", async () => {
  const device = await openUpgrading();
  device.person = () => Promise.reject(new DOMException("no", "NotAllowedError"));
  assert.equal(await device.client.upgradeToPasskey(), false);
  assert.deepEqual(device.told, []);
});

test("a passkey that a browser has made by itself, and that the service refuses, is taken from the device", async () => {
  const device = await openUpgrading();
  const { create } = device.page.browser.navigator.credentials;
  let id = "";
  device.page.browser.navigator.credentials.create = async (request) => {
    const made = await create(request) as unknown as { id: string };
    id = made.id;
    return { ...made, response: { clientDataJSON: new Uint8Array(8).buffer } } as never;
  };
  assert.equal(await device.client.upgradeToPasskey(), false);
  assert.deepEqual(device.told, [{ unknown: { rpId: "localhost", credentialId: id } }]);
});

test("a browser that does not answer keeps no other passkey from being used", async () => {
  const device = await openUpgrading();
  device.person = never;
  const upgrade = device.client.upgradeToPasskey();
  while (device.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  device.person = null;
  assert.equal((await device.client.registerPasskey("passkey", { redirect: false })).ok, true);
  assert.equal(await upgrade, false);
});
