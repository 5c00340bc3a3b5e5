/** WAN-1 to WAN-16: ceremonies of which one thing is forged. */
import { test } from "node:test";
import assert from "node:assert/strict";
import type { Adapter, AdapterAuthenticator, CompleteAdapter, JWT, WebAuthnProvider } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { passkey } from "@x/auth/providers/passkey";
import { webauthn } from "@x/auth/providers/webauthn";
import OtherPasskey from "@auth/core/providers/passkey";
import { b64u, cbor, concat, type Forgery, okpKey, packedSelf, unb64u, utf8 } from "../_support/authenticator.ts";
import { FOREIGN_ADAPTERS } from "../_support/foreign_adapters.ts";
import { START } from "../_support/runtime.ts";
import { STORES } from "../_support/stores.ts";
import { ADDRESS, leadsTo, openPasskeys, type PasskeyOptions, type PasskeyService } from "../_support/passkeys.ts";

/** What a ceremony that does not hold leads to. */
const REFUSED = "/auth/error?error=WebAuthnVerificationError";

/** What a challenge that is not good any more leads to. */
const NO_CHALLENGE = "/auth/error?error=Verification";

type Bytes = Uint8Array<ArrayBuffer>;

async function rowsOf({ adapter }: Pick<PasskeyService, "adapter">, email = ADDRESS): Promise<AdapterAuthenticator[]> {
  const user = await adapter.getUserByEmail(email);
  return user ? await adapter.listAuthenticatorsByUserId(user.id) : [];
}

/** Somebody who has a passkey and is signed out. */
async function registered(options: PasskeyOptions = {}) {
  const service = openPasskeys(options);
  const ada = service.person();
  assert.equal(leadsTo(await ada.register()), "/");
  await ada.browser.signOut();
  return { ...service, ada };
}

async function refusesAssertion(forgery: Forgery, options: PasskeyOptions = {}): Promise<void> {
  const { ada, ...service } = await registered(options);
  const [before] = await rowsOf(service);
  assert.equal(leadsTo(await ada.authenticate(forgery)), REFUSED);
  assert.equal(await ada.email(), null);
  assert.deepEqual(await rowsOf(service), [before], "nothing is counted");
  assert.equal(ada.browser.cookies.names().some((name) => name.includes("challenge")), false);
}

async function refusesRegistration(forgery: Forgery, options: PasskeyOptions = {}): Promise<void> {
  const service = openPasskeys(options);
  const ada = service.person();
  assert.equal(leadsTo(await ada.register(ADDRESS, forgery)), REFUSED);
  assert.equal(await ada.email(), null);
  assert.equal(await service.adapter.getUserByEmail(ADDRESS), null);
}

for (const algorithm of ["ES256", "RS256", "EdDSA"] as const) {
  for (const format of ["none", "packed"]) {
    test(`a passkey of ${algorithm} with the attestation "${format}" is made and signs in`, async () => {
      const { person, ...service } = openPasskeys({ authenticator: { algorithm } });
      const ada = person();
      const forgery = format === "packed" ? { format, statement: packedSelf(algorithm) } : {};
      assert.equal(leadsTo(await ada.register(ADDRESS, forgery)), "/");
      await ada.browser.signOut();
      assert.equal(leadsTo(await ada.authenticate()), "/");
      assert.equal(await ada.email(), ADDRESS);
      const [row] = await rowsOf(service);
      assert.equal(row?.counter, 2);
      assert.equal(row?.transports, "internal,hybrid");
    });
  }
}

const ORIGINS = [
  "https://evil.test",
  "http://localhost:3001",
  "https://localhost:3000",
  "http://sub.localhost:3000",
  "http://localhost:3000.evil.test",
  "null",
  "http://localhost:3000/",
  "http://lоcalhost:3000",
  "android:apk-key-hash:2jmj7l5rSw0yVb_vlWAYkK_YBwk",
  "",
];

for (const origin of ORIGINS) {
  test(`WAN-1: an answer from ${JSON.stringify(origin)} is refused`, async () => {
    await refusesAssertion({ origin });
    await refusesRegistration({ origin });
  });
}

test("WAN-1: of several origins and domains any is accepted, and no other", async () => {
  const relayingParty = {
    id: ["app.test", "localhost"],
    origin: ["https://app.test", "http://localhost:3000", "https://www.app.test"],
  };
  for (const forgery of [{}, { origin: "https://www.app.test" }, { origin: "https://app.test", rpId: "app.test" }]) {
    const { ada } = await registered({ passkey: { relayingParty } });
    assert.equal(leadsTo(await ada.authenticate(forgery)), "/");
  }
  await refusesAssertion({ origin: "https://sub.app.test" }, { passkey: { relayingParty } });
  await refusesAssertion({ rpId: "test" }, { passkey: { relayingParty } });
});

const AUTH_DATA: Readonly<Record<string, Forgery>> = {
  "another site's domain": { rpId: "evil.test" },
  "a domain above": { rpId: "test" },
  "a domain below": { rpId: "sub.localhost" },
  "authenticator data that is cut off": { authData: (data) => data.slice(0, -1) },
  "authenticator data without flags and counter": { authData: (data) => data.slice(0, 32) },
  "no authenticator data to speak of": { authData: () => new Uint8Array(1) },
  "bytes behind the authenticator data": { authData: (data) => concat(data, new Uint8Array([0])) },
};

for (const [what, forgery] of Object.entries(AUTH_DATA)) {
  test(`WAN-2: ${what}: refused`, async () => {
    await refusesAssertion(forgery);
    await refusesRegistration(forgery);
  });
}

test("WAN-3: another challenge is refused, however like it is", async () => {
  for (const challenge of [b64u(new Uint8Array(32)), b64u(new Uint8Array(8)), "", "AAAA"]) {
    await refusesAssertion({ challenge });
    await refusesRegistration({ challenge });
  }
});

test("WAN-3: the challenge in base64 instead of base64url, or with padding, is refused", async () => {
  const { ada } = await registered();
  for (const alias of [(text: string) => `${text}=`, standardBase64]) {
    const { options } = await ada.offered({ action: "authenticate" });
    const challenge = alias(options.challenge);
    if (challenge === options.challenge) continue; // nothing in it is written differently
    assert.equal(leadsTo(await ada.answer("authenticate", await ada.device.get(options, { challenge }))), REFUSED);
  }
});

function standardBase64(text: string): string {
  return text.replaceAll("-", "+").replaceAll("_", "/");
}

test("WAN-3: a challenge ends exactly when the ceremony does", async () => {
  for (const [seconds, end] of [[299.999, "/"], [300, NO_CHALLENGE], [300.001, NO_CHALLENGE]] as const) {
    const { ada, runtime } = await registered();
    const { options } = await ada.offered({ action: "authenticate" });
    const data = await ada.device.get(options);
    runtime.advance(seconds);
    assert.equal(leadsTo(await ada.answer("authenticate", data)), end);
  }
});

test("WAN-3: a challenge is used once, also when the browser keeps its cookie", async () => {
  const { ada } = await registered({ authenticator: { counts: false } });
  const { options, response } = await ada.offered({ action: "authenticate" });
  const data = await ada.device.get(options);
  assert.equal(leadsTo(await ada.answer("authenticate", data)), "/");
  await ada.browser.signOut();
  assert.equal(leadsTo(await ada.answer("authenticate", data)), NO_CHALLENGE);
  for (const cookie of response.headers.getSetCookie()) ada.browser.cookies.store(cookie, ada.browser.url);
  assert.equal(leadsTo(await ada.answer("authenticate", data)), NO_CHALLENGE);
  assert.equal(await ada.email(), null);
});

test("WAN-3: a challenge is used once, also where the clock of storage is a minute ahead", async () => {
  let storage = START;
  const { person, runtime } = openPasskeys({
    adapter: memoryAdapter({ now: () => storage }),
    authenticator: { counts: false },
  });
  const ada = person();
  assert.equal(leadsTo(await ada.register()), "/");
  const { options, response } = await ada.offered({ action: "authenticate" });
  const data = await ada.device.get(options);
  assert.equal(leadsTo(await ada.answer("authenticate", data)), "/");
  await ada.browser.signOut();
  runtime.advance(299.999);
  storage = runtime.now() + 60_000;
  for (const cookie of response.headers.getSetCookie()) ada.browser.cookies.store(cookie, ada.browser.url);
  assert.equal(leadsTo(await ada.answer("authenticate", data)), NO_CHALLENGE);
  assert.equal(await ada.email(), null);
});

test("WAN-3: a challenge that failed once is not tried again", async () => {
  const { ada } = await registered();
  const { options, response } = await ada.offered({ action: "authenticate" });
  assert.equal(leadsTo(await ada.answer("authenticate", await ada.device.get(options, { clear: 4 }))), REFUSED);
  for (const cookie of response.headers.getSetCookie()) ada.browser.cookies.store(cookie, ada.browser.url);
  assert.equal(leadsTo(await ada.answer("authenticate", await ada.device.get(options))), NO_CHALLENGE);
});

test("WAN-3: a challenge of another browser is none of this one's", async () => {
  const { ada, person } = await registered();
  const { options } = await person().offered({ action: "authenticate" });
  assert.equal(leadsTo(await ada.answer("authenticate", await ada.device.get(options))), NO_CHALLENGE);
  await ada.offered({ action: "authenticate" });
  assert.equal(leadsTo(await ada.answer("authenticate", await ada.device.get(options))), REFUSED);
});

test("WAN-3: a challenge of another provider is none of this one's", async () => {
  const { ada } = await registered({ providers: [...twoProviders()] });
  const response = await ada.browser.get("/auth/webauthn-options/webauthn?action=authenticate");
  const { options } = await response.json();
  assert.equal(leadsTo(await ada.answer("authenticate", await ada.device.get(options))), NO_CHALLENGE);
});

function twoProviders() {
  return [webauthn({ id: "passkey" }), webauthn({ enableConditionalUI: false })];
}

test("WAN-3: a forged cookie, and a sealed one that is no challenge, are refused", async () => {
  const { ada } = await registered();
  const { options } = await ada.offered({ action: "authenticate" });
  const data = await ada.device.get(options);
  ada.browser.cookies.store("authjs.challenge=forged; Path=/", ada.browser.url);
  assert.equal(leadsTo(await ada.answer("authenticate", data)), NO_CHALLENGE);
});

test("V32: a challenge for signing in makes no passkey, and one for making a passkey signs nobody in", async () => {
  const { ada, person, ...service } = await registered();
  const signIn = await ada.offered({ action: "authenticate" });
  assert.equal(leadsTo(await ada.answer("register", await ada.device.create(signIn.options))), NO_CHALLENGE);
  const bob = person();
  const register = await bob.offered({ action: "register", email: "bob@example.com" });
  const data = await ada.device.get(register.options, {}, ada.device.passkeys[0]);
  assert.equal(leadsTo(await bob.answer("authenticate", data)), NO_CHALLENGE);
  const again = await bob.offered({ action: "register", email: "bob@example.com" });
  assert.equal(leadsTo(await bob.answer("register", await ada.device.get(again.options))), REFUSED);
  assert.equal(await bob.email(), null);
  assert.equal((await rowsOf(service)).length, 1);
  assert.equal(await service.adapter.getUserByEmail("bob@example.com"), null);
});

const duplicate = (name: string, value: string) => (text: string) => text.replace(/}$/, `,"${name}":${value}}`);

const CLIENT_DATA: Readonly<Record<string, Forgery>> = {
  "a page inside one of another site": { clientData: { crossOrigin: true } },
  "a page inside one of another site, named": { clientData: { crossOrigin: true, topOrigin: "https://evil.test" } },
  "an outer page without being inside": { clientData: { topOrigin: "http://localhost:3000" } },
  "a word for being inside": { clientData: { crossOrigin: "false" } },
  "an origin twice": { rewrite: duplicate("origin", '"http://localhost:3000"') },
  "an origin twice, one of them escaped": {
    origin: "https://evil.test",
    rewrite: duplicate("orig\\u0069n", '"http://localhost:3000"'),
  },
  "a challenge twice": { rewrite: (text) => text.replace("{", '{"challenge":"AAAA",') },
  "a type twice": { rewrite: (text) => text.replace("{", '{"type":"webauthn.none",') },
  "being inside twice": { rewrite: (text) => text.replace("{", '{"crossOrigin":true,') },
  "a mark of the byte order": { rewrite: (text) => `\ufeff${text}` },
  "bytes that are no text": {
    rewrite: (text) => concat(utf8(text.slice(0, -1)), utf8(',"x":"'), new Uint8Array([0xff]), utf8('"}')),
  },
  "no JSON": { rewrite: () => "no JSON" },
  "a list": { rewrite: (text) => `[${text}]` },
  "null": { rewrite: () => "null" },
  "a type of no ceremony": { type: "payment.get" },
  "more than can be": { clientData: { padding: "x".repeat(64 * 1024) } },
};

for (const [what, forgery] of Object.entries(CLIENT_DATA)) {
  test(`WAN-4: client data with ${what}: refused`, async () => {
    const { ada, ...service } = await registered();
    const answer = await ada.authenticate(forgery);
    assert.ok([REFUSED, "413"].includes(leadsTo(answer)), leadsTo(answer));
    assert.equal(await ada.email(), null);
    assert.equal((await rowsOf(service))[0]?.counter, 1);
  });
}

test("WAN-4: the type of one ceremony in the other is refused", async () => {
  await refusesAssertion({ type: "webauthn.create" });
  await refusesRegistration({ type: "webauthn.get" });
});

test("WAN-4: client data may have members that nobody knows yet", async () => {
  const { ada } = await registered();
  const clientData = { other_keys_can_be_added_here: 'do not compare "origin": to a template', n: { origin2: 1 } };
  assert.equal(leadsTo(await ada.authenticate({ clientData })), "/");
});

test("WAN-5: an authenticator that nobody touched is refused", async () => {
  await refusesAssertion({ clear: 1 });
  await refusesRegistration({ clear: 1 });
});

test("WAN-5: an authenticator that did not verify its user is refused by the preset", async () => {
  await refusesAssertion({ clear: 4 });
  await refusesRegistration({ clear: 4 });
});

test("WAN-5: where verification is preferred only, it is not demanded afterwards", async () => {
  const providers = [webauthn({ id: "passkey" })];
  const { ada } = await registered({ providers, authenticator: { verifies: false } });
  assert.equal(leadsTo(await ada.authenticate()), "/");
});

test("WAN-5: where verification is preferred only, it can be demanded of signing in or of registering", async () => {
  const strict = { requireUserVerification: true };
  const providers = [webauthn({ id: "passkey", verifyAuthenticationOptions: strict })];
  await refusesAssertion({}, { providers, authenticator: { verifies: false } });
  const others = [webauthn({ id: "passkey", verifyRegistrationOptions: strict })];
  await refusesRegistration({}, { providers: others, authenticator: { verifies: false } });
});

test("WAN-6: a backup of what cannot be copied is refused", async () => {
  await refusesAssertion({ set: 16 });
  await refusesRegistration({ set: 16 });
});

test("WAN-6: a passkey that can be copied now, or cannot any more, is refused", async () => {
  await refusesAssertion({ set: 8 });
  await refusesAssertion({ set: 8 | 16 });
  await refusesAssertion({ clear: 8 | 16 }, { authenticator: { synced: true } });
});

test("WAN-6: a passkey that is copied later, or its copies removed, is the same one, and storage hears of it", async () => {
  const { ada, ...service } = await registered({ authenticator: { synced: true } });
  for (const [forgery, isBackedUp] of [[{ clear: 16 }, false], [{}, true]] as const) {
    assert.equal(leadsTo(await ada.authenticate(forgery)), "/");
    assert.equal((await rowsOf(service))[0]?.credentialBackedUp, isBackedUp);
  }
});

for (const algorithm of ["ES256", "RS256", "EdDSA"] as const) {
  test(`WAN-7: a signature of ${algorithm} with any byte changed is refused`, async () => {
    const { ada } = await registered({ authenticator: { algorithm, counts: false } });
    const length = { ES256: 70, EdDSA: 64, RS256: 256 }[algorithm];
    const step = algorithm === "RS256" ? 16 : 1;
    for (let at = 0; at < length; at += step) {
      // Now and then a signature of ES256 is shorter than most.
      const flip = (signature: Bytes) => {
        const chosen = Math.min(at, signature.length - 1);
        return signature.map((byte, index) => index === chosen ? byte ^ 1 : byte);
      };
      assert.equal(leadsTo(await ada.authenticate({ signature: flip })), REFUSED, `byte ${at}`);
    }
    assert.equal(await ada.email(), null);
    assert.equal(leadsTo(await ada.authenticate()), "/");
  });
}

test("WAN-7: a signature that holds, but is written in another way, is refused", async () => {
  const { ada } = await registered({ authenticator: { counts: false } });
  const ways: Readonly<Record<string, (honest: Bytes) => Bytes>> = {
    "with a longer length": (honest) => concat(honest.slice(0, 1), new Uint8Array([0x81]), honest.slice(1)),
    "with the length of an integer longer": (honest) => {
      const body = concat(new Uint8Array([2, 0x81]), honest.slice(3));
      return concat(new Uint8Array([0x30, body.length]), body);
    },
    "with something behind it": (honest) => concat(honest, new Uint8Array(1)),
  };
  for (const [way, signature] of Object.entries(ways)) {
    assert.equal(leadsTo(await ada.authenticate({ signature })), REFUSED, way);
  }
  assert.equal(leadsTo(await ada.authenticate()), "/");
});

test("WAN-7: a signature that is empty, or zero, or of other data, is refused", async () => {
  await refusesAssertion({ signature: () => new Uint8Array() });
  await refusesAssertion({ signature: () => new Uint8Array([0x30, 6, 2, 1, 0, 2, 1, 0]) });
  await refusesAssertion({ signature: () => new Uint8Array(64) });
  await refusesAssertion({ signature: () => new Uint8Array(64) }, { authenticator: { algorithm: "EdDSA" } });
});

test("WAN-7: a signature by another credential's key is refused", async () => {
  const { ada, person } = await registered();
  const bob = person();
  assert.equal(leadsTo(await bob.register("bob@example.com")), "/");
  const [mine] = ada.device.passkeys;
  const [his] = bob.device.passkeys;
  assert.ok(mine && his);
  const { options } = await ada.offered({ action: "authenticate" });
  const data = await bob.device.get(options, {}, { ...his, id: mine.id, userHandle: mine.userHandle, counter: 5 });
  assert.equal(leadsTo(await ada.answer("authenticate", data)), REFUSED);
});

const ES384_KEY = cbor(new Map([[1, 2], [3, -35], [-1, 2]] as [number, number][]));

test("WAN-7: a key of an algorithm that was not offered is refused", async () => {
  await refusesRegistration({ publicKey: ES384_KEY });
  await refusesRegistration({ publicKey: okpKey(new Uint8Array(32).fill(9), -50) });
  await refusesRegistration({}, { passkey: { registrationOptions: { supportedAlgorithmIDs: [-8] } } });
});

test("WAN-7: an Ed25519 key of small order is refused", async () => {
  const points = [
    "00".repeat(32),
    `01${"00".repeat(31)}`,
    `${"00".repeat(31)}80`,
    `ec${"ff".repeat(30)}7f`,
    `ee${"ff".repeat(31)}`,
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
  ];
  for (const hex of points) await refusesRegistration({ publicKey: okpKey(unb64u(hexToB64u(hex))) });
});

function hexToB64u(hex: string): string {
  return b64u(Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16)));
}

async function setCounter(adapter: CompleteAdapter, counter: number): Promise<void> {
  const [row] = await rowsOf({ adapter });
  await adapter.updateAuthenticatorCounter(row?.credentialID ?? "", counter);
}

for (
  const [stored, sent, passes] of [[10, 9, 0], [10, 10, 0], [10, 0, 0], [10, 11, 1], [0, 0, 1], [0, 1, 1]] as const
) {
  test(`V85: ${sent} after ${stored} is ${passes ? "counted" : "refused"}`, async () => {
    const { ada, ...service } = await registered();
    await setCounter(service.adapter, stored);
    assert.equal(leadsTo(await ada.authenticate({ counter: sent })), passes ? "/" : REFUSED);
    assert.equal((await rowsOf(service))[0]?.counter, passes ? sent : stored);
    assert.equal(await ada.email(), passes ? ADDRESS : null);
  });
}

test("V85: of two that count the same at the same time one is let in", async () => {
  const { ada, person, ...service } = await registered();
  await setCounter(service.adapter, 10);
  const copy = person(ada.device);
  const answers = await Promise.all([ada, copy].map(async (one) => {
    const { options } = await one.offered({ action: "authenticate" });
    return [one, await one.device.get(options, { counter: 11 })] as const;
  }));
  const ends = await Promise.all(answers.map(([one, data]) => one.answer("authenticate", data)));
  assert.deepEqual(ends.map(leadsTo).toSorted(), ["/", REFUSED]);
  assert.equal((await rowsOf(service))[0]?.counter, 11);
});

test("WAN-9: a credential that is registered already is refused, whoever has it", async () => {
  const { ada, person, ...service } = await registered();
  const [mine] = ada.device.passkeys;
  assert.ok(mine);
  const mallory = person();
  assert.equal(leadsTo(await mallory.register("mallory@example.com", { attestedId: mine.id })), REFUSED);
  assert.equal(await service.adapter.getUserByEmail("mallory@example.com"), null);
  assert.equal(leadsTo(await ada.authenticate()), "/");
  assert.equal(leadsTo(await ada.register(ADDRESS, { attestedId: mine.id })), REFUSED);
  assert.equal((await rowsOf(service)).length, 1);
});

test("WAN-9: a credential that another provider of the service registered is refused", async () => {
  const { ada, ...service } = await registered({ providers: twoProviders() });
  const [mine] = ada.device.passkeys;
  const query = "action=register&email=mallory@example.com";
  const { options } = await (await ada.browser.get(`/auth/webauthn-options/webauthn?${query}`)).json();
  const data = await ada.device.create(options, mine ? { attestedId: mine.id } : {});
  const fields = { csrfToken: await ada.browser.csrf(), action: "register", data };
  assert.equal(leadsTo(await ada.browser.post("/auth/callback/webauthn", fields)), REFUSED);
  assert.equal(await service.adapter.getUserByEmail("mallory@example.com"), null);
});

test("WAN-9: ids that are too long, empty or of two kinds are refused, and the longest is accepted", async () => {
  const longest = openPasskeys().person();
  assert.equal(leadsTo(await longest.register(ADDRESS, { attestedId: new Uint8Array(1023).fill(7) })), "/");
  await refusesRegistration({ attestedId: new Uint8Array(1024).fill(7) });
  await refusesRegistration({ attestedId: new Uint8Array() });
  const other = b64u(new Uint8Array(32));
  await refusesRegistration({ members: { id: other } });
  await refusesRegistration({ members: { rawId: other } });
  await refusesRegistration({ members: { id: other, rawId: other } });
});

test("WAN-9: an id in another spelling names nothing", async () => {
  const { ada } = await registered();
  const id = b64u(ada.device.passkeys[0]?.id ?? new Uint8Array());
  const swapped = id.replace(
    /[a-z]/i,
    (letter) => letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  for (
    const spelling of [`${id}=`, `${id}A`, swapped, ` ${id}`, `${id}\0`, standardBase64(`${id}+`), "", null, 5, [id]]
  ) {
    const members = { id: spelling, rawId: spelling };
    assert.equal(leadsTo(await ada.authenticate({ members })), REFUSED, JSON.stringify(spelling));
  }
  assert.equal(await ada.email(), null);
});

test("WAN-10: a handle of another user is refused, and so is none where nobody was asked for", async () => {
  await refusesAssertion({ userHandle: b64u(utf8("somebody else")) });
  await refusesAssertion({ userHandle: null });
  await refusesAssertion({ userHandle: "" });
});

test("WAN-10: a handle may be missing where the service named the credentials", async () => {
  const { ada } = await registered();
  assert.equal(leadsTo(await ada.authenticate()), "/");
  assert.equal(leadsTo(await ada.authenticate({ userHandle: null })), "/");
  assert.equal(leadsTo(await ada.authenticate({ userHandle: b64u(utf8("somebody else")) })), REFUSED);
});

test("WAN-10: handles are known in the ways that clients of both generations read and write them", async () => {
  for (const textHandle of [false, true]) {
    const { ada } = await registered({ authenticator: { textHandle } });
    const handle = ada.device.passkeys[0]?.userHandle ?? "";
    const asText = new TextDecoder().decode(unb64u(handle));
    assert.equal(leadsTo(await ada.authenticate()), "/");
    await ada.browser.signOut();
    assert.equal(leadsTo(await ada.authenticate({ userHandle: asText })), "/");
  }
});

test("WAN-10: somebody who is signed in is not asked by another's passkey", async () => {
  const { ada, person } = await registered();
  const bob = person();
  assert.equal(leadsTo(await bob.register("bob@example.com")), "/");
  const { options } = await bob.offered({ action: "authenticate" });
  const data = await ada.device.get(options);
  assert.equal(leadsTo(await bob.answer("authenticate", data)), REFUSED);
  assert.equal(await bob.email(), "bob@example.com");
});

test("WAN-10: a passkey that one user asked for is not another's who signed in meanwhile, nor nobody's", async () => {
  const { ada, person, ...service } = await registered();
  assert.equal(leadsTo(await ada.authenticate()), "/");
  const { options } = await ada.offered({ action: "register" });
  const data = await ada.device.create(options);
  const { response } = await ada.offered({ action: "register" });
  await ada.browser.signOut();
  for (const cookie of response.headers.getSetCookie()) ada.browser.cookies.store(cookie, ada.browser.url);
  assert.equal(leadsTo(await ada.answer("register", data)), REFUSED);
  assert.equal(leadsTo(await ada.authenticate({}, ada.device.passkeys[0])), "/");
  const fresh = await ada.offered({ action: "register" });
  const made = await ada.device.create(fresh.options);
  await ada.browser.signOut();
  const bob = person();
  assert.equal(leadsTo(await bob.register("bob@example.com")), "/");
  for (const cookie of fresh.response.headers.getSetCookie()) bob.browser.cookies.store(cookie, bob.browser.url);
  assert.equal(leadsTo(await bob.answer("register", made)), REFUSED);
  assert.equal((await rowsOf(service)).length, 1);
  assert.equal((await rowsOf(service, "bob@example.com")).length, 1);
});

/** What tells two refusals apart, if anything does. */
function shapeOf(response: Response): unknown {
  const varying = new Set(["set-cookie"]);
  const headers = [...response.headers].filter(([name]) => !varying.has(name));
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.replace(/=[^;]{20,}/, "="));
  return { status: response.status, headers, cookies };
}

test("WAN-11, WAN-13: an unknown passkey, a deleted user, another provider's passkey and a taken address are refused alike", async () => {
  const service = openPasskeys({ providers: twoProviders() });
  const ada = service.person();
  await ada.register();
  await ada.browser.signOut();

  const stranger = service.person();
  const unknown = await (async () => {
    const { options } = await stranger.offered({ action: "authenticate" });
    await stranger.device.create({ challenge: "" });
    return await stranger.answer("authenticate", await stranger.device.get(options));
  })();

  const taken = await service.person().register(ADDRESS);

  const elsewhere = await (async () => {
    const { browser, device } = ada;
    const { options } = await (await browser.get("/auth/webauthn-options/webauthn?action=authenticate")).json();
    const fields = { csrfToken: await browser.csrf(), action: "authenticate", data: await device.get(options) };
    return await browser.post("/auth/callback/webauthn", fields);
  })();

  const bob = service.person();
  await bob.register("bob@example.com");
  await bob.browser.signOut();
  await service.adapter.deleteUser((await service.adapter.getUserByEmail("bob@example.com"))?.id ?? "");
  const deleted = await bob.authenticate();

  const forged = await ada.authenticate({ clear: 1 });
  for (const answer of [unknown, taken, elsewhere, deleted, forged]) {
    assert.equal(leadsTo(answer), REFUSED);
    assert.deepEqual(shapeOf(answer), shapeOf(unknown));
  }
  assert.equal((await rowsOf(service)).length, 1);
});

test("WAN-11: a passkey without its account, or of another user than its account, opens nothing", async () => {
  const { ada, person, adapter } = await registered();
  const bob = person();
  await bob.register("bob@example.com");
  const [row] = await rowsOf({ adapter });
  const key = { provider: "passkey", providerAccountId: row?.providerAccountId ?? "" };
  await adapter.unlinkAccount(key);
  assert.equal(leadsTo(await ada.authenticate()), REFUSED);
  const bobsId = (await adapter.getUserByEmail("bob@example.com"))?.id ?? "";
  await adapter.linkAccount({ ...key, type: "webauthn", userId: bobsId });
  assert.equal(leadsTo(await ada.authenticate()), REFUSED);
  assert.equal(await ada.email(), null);
});

test("WAN-11: storage that gives another credential than the one that was asked for signs nobody in", async () => {
  const { ada, person, adapter } = await registered();
  const [row] = await rowsOf({ adapter });
  const loose = { ...adapter, getAuthenticator: () => row ?? null };
  const service = openPasskeys({ adapter: loose });
  const mallory = service.person();
  await mallory.device.create({ challenge: "" });
  const [mine] = mallory.device.passkeys;
  assert.ok(mine && person);
  const { options } = await mallory.offered({ action: "authenticate" });
  const data = await ada.device.get(options, {}, { ...ada.device.passkeys[0] ?? mine, id: mine.id });
  assert.equal(leadsTo(await mallory.answer("authenticate", data)), REFUSED);
});

const UNASKED: readonly [format: string, statement: Forgery["statement"]][] = [
  ...["fido-u2f", "tpm", "apple", "android-key", "android-safetynet", "compound", "made-up", "None", ""].map((format) =>
    [format, () => Promise.resolve(new Map())] as [string, Forgery["statement"]]
  ),
  ["packed", async ({ authData, clientDataHash, sign }) => {
    const sig = await sign(concat(authData, clientDataHash));
    return new Map<string, number | Bytes | Bytes[]>([["alg", -7], ["sig", sig], ["x5c", [new Uint8Array([0x30, 0])]]]);
  }],
  ["packed", () => Promise.resolve(new Map<string, number | Bytes>([["alg", -7], ["sig", new Uint8Array(70)]]))],
  ["none", () => Promise.resolve(new Map([["x", 1]]))],
];

for (const [format, statement] of UNASKED) {
  test(`WAN-12, V83: an attestation "${format}" that nobody asked for, or that does not hold, is refused`, async () => {
    const forgery = { format, ...(statement && { statement }) };
    await refusesRegistration(forgery);
    await refusesRegistration(forgery, { passkey: { registrationOptions: { attestationType: "direct" } } });
  });
}

test("WAN-12: where an attestation is asked for, none and one of the passkey itself are accepted", async () => {
  const passkey = { registrationOptions: { attestationType: "direct" as const } };
  for (const forgery of [{}, { format: "packed", statement: packedSelf("ES256") }]) {
    assert.equal(leadsTo(await openPasskeys({ passkey }).person().register(ADDRESS, forgery)), "/");
  }
});

test("WAN-14: a passkey is added in the ten minutes after a sign-in, and later after another", async () => {
  for (const strategy of ["database", "jwt"] as const) {
    const { ada, runtime, ...service } = await registered({ session: { strategy } });
    await ada.authenticate();
    runtime.advance(600);
    const { status, options } = await ada.offered({ action: "register" });
    assert.equal(status, 200);
    const data = await ada.device.create(options);
    runtime.advance(200);
    assert.equal(leadsTo(await ada.answer("register", data)), "/");
    assert.equal((await rowsOf(service)).length, 2);

    const late = await ada.offered({ action: "register", callbackUrl: "/settings" });
    assert.equal(late.status, 403);
    const url =
      "http://localhost:3000/auth/signin?error=SessionRequired&callbackUrl=http%3A%2F%2Flocalhost%3A3000%2Fsettings";
    assert.deepEqual(late.body, { error: "SessionRequired", url });
    assert.deepEqual(ada.browser.cookies.names("challenge"), []);
    assert.equal(leadsTo(await ada.authenticate({}, ada.device.passkeys[0])), "/");
    assert.equal((await ada.offered({ action: "register" })).status, 200);
  }
});

test("WAN-14: adding a passkey, or using a session, makes no old sign-in a new one", async () => {
  for (const strategy of ["database", "jwt"] as const) {
    const { ada, runtime } = await registered({ session: { strategy, updateAge: 0 } });
    await ada.authenticate();
    runtime.advance(400);
    const { options } = await ada.offered({ action: "register" });
    assert.equal(leadsTo(await ada.answer("register", await ada.device.create(options))), "/");
    runtime.advance(201);
    assert.equal(await ada.email(), ADDRESS);
    assert.equal((await ada.offered({ action: "register" })).status, 403, strategy);
  }
});

test("WAN-14: a session whose coder leaves out the time of the sign-in counts as recent", async () => {
  const { adapter, runtime, ada } = await registered({ session: { strategy: "jwt" } });
  const plain = openPasskeys({
    adapter,
    session: { strategy: "jwt" },
    jwt: {
      encode: ({ token }) => btoa(JSON.stringify({ sub: token?.sub })),
      decode: ({ token }) => JSON.parse(atob(token ?? "")),
    },
  });
  const again = plain.person(ada.device);
  await again.authenticate();
  plain.runtime.advance(3600);
  runtime.advance(3600);
  assert.equal((await again.offered({ action: "register" })).status, 200);
});

test("WAN-14: a callback that leaves out the time of the sign-in makes no old sign-in a new one", async () => {
  const { adapter, runtime, ada } = await registered({ session: { strategy: "jwt" } });
  const callbacks = { jwt: ({ token: { auth_time: _, ...token } }: { token: JWT }) => token };
  const plain = openPasskeys({ adapter, session: { strategy: "jwt" }, callbacks });
  const again = plain.person(ada.device);
  await again.authenticate();
  assert.equal((await again.offered({ action: "register" })).status, 200);
  plain.runtime.advance(3600);
  runtime.advance(3600);
  assert.equal((await again.offered({ action: "register" })).status, 403);
});

test("V86, U8: options for an address that is known, unknown, of OAuth only or deleted are alike", async () => {
  const { adapter, person } = openPasskeys();
  const ada = person();
  await ada.register();
  await adapter.createUser({ id: "oauth", email: "oauth@example.com", emailVerified: new Date(0), name: "O'Auth" });
  await adapter.linkAccount({ userId: "oauth", type: "oauth", provider: "github", providerAccountId: "1" });
  await adapter.createUser({ id: "gone", email: "gone@example.com", emailVerified: null });
  await adapter.deleteUser("gone");
  const addresses = [ADDRESS, "never@example.com", "oauth@example.com", "gone@example.com"];
  for (const action of ["register", "authenticate", undefined]) {
    const answers = await Promise.all(addresses.map(async (email) => {
      const { response, body } = await person().offered({ ...(action && { action }), email });
      const text = JSON.stringify(body).replaceAll(email, "somebody").replace(/"challenge":"[\w-]{43}"/, '""')
        .replace(/"id":"[\w-]{64}"/, '""');
      return { ...shapeOf(response) as object, text };
    }));
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    assert.doesNotMatch(JSON.stringify(answers), /allowCredentials|O'Auth/);
  }
});

test("V86: asking for options asks storage nothing that an address could change", async () => {
  const asked: string[] = [];
  const { adapter } = openPasskeys();
  const told = Object.fromEntries(
    Object.entries(adapter).map(([name, operation]) => [name, (...args: unknown[]) => {
      asked.push(name);
      return (operation as (...args: unknown[]) => unknown)(...args);
    }]),
  ) as unknown as CompleteAdapter;
  const { person } = openPasskeys({ adapter: told });
  for (const action of ["register", "authenticate"]) await person().offered({ action, email: ADDRESS });
  assert.deepEqual(asked, []);
});

test("V86: what an application knows of somebody is not shown to whoever types the address", async () => {
  const getUserInfo = () => ({ user: { email: ADDRESS, name: "Ada Lovelace" }, exists: true });
  const { person } = openPasskeys({ passkey: { getUserInfo } });
  const { body } = await person().offered({ action: "register", email: ADDRESS });
  assert.doesNotMatch(JSON.stringify(body), /Lovelace/);
});

const ANSWERS: readonly [name: string, answer: () => unknown, leads: string][] = [
  ["true", () => true, "/"],
  ['"/denied"', () => "/denied", "/denied"],
  ["false", () => false, "/auth/error?error=AccessDenied"],
  ['""', () => "", "/auth/error?error=AccessDenied"],
  ["undefined", () => undefined, "/auth/error?error=AccessDenied"],
  ["null", () => null, "/auth/error?error=AccessDenied"],
  ["0", () => 0, "/auth/error?error=AccessDenied"],
  ["an error", () => {
    throw new Error("no");
  }, "/auth/error?error=AccessDenied"],
  ["a rejection", () => Promise.reject(new Error("no")), "/auth/error?error=AccessDenied"],
];

for (const [name, answer, leads] of ANSWERS) {
  test(`H01: a signIn callback that answers ${name} decides over passkeys too`, async () => {
    let decides = false;
    const signIn = () => (decides ? answer() : true) as boolean;
    const { ada, person, ...service } = await registered({ callbacks: { signIn } });
    decides = true;
    const before = await rowsOf(service);
    assert.equal(leadsTo(await ada.authenticate()), leads);
    assert.equal(await ada.email(), leads === "/" ? ADDRESS : null);
    if (leads !== "/") assert.deepEqual(await rowsOf(service), before);
    assert.equal(leadsTo(await person().register("new@example.com")), leads);
    assert.equal(await service.adapter.getUserByEmail("new@example.com") !== null, leads === "/");
  });
}

test("CSRF-3: a ceremony is not finished without the form's token, nor from another site", async () => {
  const { ada } = await registered();
  const { options } = await ada.offered({ action: "authenticate" });
  const data = await ada.device.get(options);
  const missing = await ada.browser.post("/auth/callback/passkey", { action: "authenticate", data });
  assert.equal(leadsTo(missing), "/auth/signin?error=MissingCSRF");
  const fields = { csrfToken: await ada.browser.csrf(), action: "authenticate", data };
  const headers = { origin: "https://evil.test", "sec-fetch-site": "cross-site" };
  const foreign = await ada.browser.post("/auth/callback/passkey", fields, { headers });
  assert.equal(leadsTo(foreign), "/auth/signin?error=MissingCSRF");
  assert.equal(leadsTo(await ada.answer("authenticate", data)), "/");
});

test("WAN-4: a credential has a bounded number of members, and bounded levels", async () => {
  const lists = [Array(980).fill(1), Array(1001).fill(1), JSON.parse(`${"[".repeat(8)}${"]".repeat(8)}`)];
  const { ada } = await registered();
  const answers = [];
  for (const list of lists) answers.push(leadsTo(await ada.authenticate({ members: { list } })));
  assert.deepEqual(answers, ["/", REFUSED, REFUSED]);
});

const JUNK = ["", "null", "5", "[]", "{}", '{"id":""}', "{", '"text"', '{"id":"AA","rawId":"AA","type":"public-key"}'];

for (const data of JUNK) {
  test(`WAN-4: ${JSON.stringify(data)} is no credential`, async () => {
    for (const action of ["authenticate", "register"]) {
      const { ada } = await registered();
      await ada.offered({ action, email: "new@example.com" });
      assert.equal(leadsTo(await ada.answer(action, data)), REFUSED);
    }
  });
}

const STRATEGIES = ["database", "jwt"] as const;

for (const kind of STORES) {
  for (const strategy of STRATEGIES) {
    test(`U9: who verifies a mailbox is rid of passkeys made in their name, with ${kind.name} and ${strategy} sessions`, async () => {
      const store = kind.open(() => START);
      try {
        await reclaim(store.adapter, strategy);
        const { users, accounts } = await store.dump();
        assert.deepEqual([users.length, accounts.length], [1, 1]);
      } finally {
        store.close();
      }
    });
  }
}

for (const { name, open } of FOREIGN_ADAPTERS.slice(1)) {
  test(`U9: who verifies a mailbox is rid of passkeys made in their name, with ${name}`, async () => {
    const { adapter, close } = await open({ passkeys: true });
    await reclaim(adapter, "jwt");
    await close();
  });
}

/** Mallory makes a passkey in Ada's name, Ada verifies her mailbox, and what Mallory made is worth nothing. */
async function reclaim(adapter: Adapter, strategy: "database" | "jwt"): Promise<void> {
  const mails: string[] = [];
  const email = { id: "email", name: "Email", type: "email" as const };
  const sendVerificationRequest = ({ url }: { readonly url: string }) => void mails.push(url);
  const providers = [passkey(), { ...email, sendVerificationRequest }];
  const { person } = openPasskeys({ adapter, providers, session: { strategy } });
  const mallory = person();
  assert.equal(leadsTo(await mallory.register()), "/");
  const ada = person();
  await ada.browser.post("/auth/signin/email", { csrfToken: await ada.browser.csrf(), email: ADDRESS });
  await ada.browser.open(mails[0] ?? "");
  assert.equal(await ada.email(), ADDRESS);
  // With some adapters the session ends by itself, and the page has no form then.
  await mallory.browser.post("/auth/signout", { csrfToken: await mallory.browser.csrf() });
  assert.equal(leadsTo(await mallory.authenticate()), REFUSED);
  assert.equal(await mallory.email(), null);
  assert.equal(leadsTo(await ada.register()), "/");
  await ada.browser.signOut();
  assert.equal(leadsTo(await ada.authenticate()), "/");
}

test("a provider of another library of the same shape signs people up and in", async () => {
  // Its types name classes of its own library.
  const other = OtherPasskey({ enableConditionalUI: false }) as unknown as WebAuthnProvider;
  const { ada } = await registered({ providers: [other] });
  assert.equal(leadsTo(await ada.authenticate()), "/");
  assert.equal(await ada.email(), ADDRESS);
  const { options } = await ada.offered({ action: "authenticate" });
  assert.equal(options.userVerification, "required");
});
