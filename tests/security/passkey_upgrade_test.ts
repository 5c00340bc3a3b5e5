/** Passkeys that a browser makes by itself after a sign-in, and passkeys of several origins. */
import { test } from "node:test";
import assert from "node:assert/strict";
import { passkey } from "@x/auth/providers/passkey";
import { webauthn } from "@x/auth/providers/webauthn";
import type { WebAuthnProvider } from "@x/auth";
import { Authenticator } from "../_support/authenticator.ts";
import { leadsTo, openPasskeys, type PasskeyService } from "../_support/passkeys.ts";

/** What a browser sends that has made a passkey by itself: nobody was present, and nobody was verified. */
const ALONE = { clear: 1 | 4 };

const REFUSED = "/auth/error?error=WebAuthnVerificationError";
const NO_CHALLENGE = "/auth/error?error=Verification";

/** Somebody who signed in just now, and the device that may make a passkey by itself. */
async function signedIn(options: Partial<WebAuthnProvider> = {}) {
  const service = openPasskeys({ passkey: { upgrade: true, ...options } });
  const ada = service.person();
  assert.equal(leadsTo(await ada.register()), "/");
  return { ...service, ada, keeper: new Authenticator({ synced: true, counts: false }) };
}

async function passkeysIn({ adapter }: PasskeyService): Promise<number> {
  const user = await adapter.getUserByEmail("ada@example.com");
  return user ? (await adapter.listAuthenticatorsByUserId(user.id)).length : 0;
}

test("a passkey that a browser makes by itself is added to whoever signed in just now", async () => {
  const { ada, keeper, ...service } = await signedIn();
  const { options, body } = await ada.offered({ action: "upgrade" });
  assert.equal(body.action, "upgrade");
  assert.equal(leadsTo(await ada.answer("upgrade", await keeper.create(options, ALONE))), "/");
  assert.equal(await passkeysIn(service), 2);
});

test("where nobody need be present, the answer must still be signed for this site and this challenge", async () => {
  for (const forgery of [{ origin: "https://evil.test" }, { rpId: "evil.test" }, { challenge: "AAAA" }]) {
    const { ada, keeper, ...service } = await signedIn();
    const { options } = await ada.offered({ action: "upgrade" });
    assert.equal(leadsTo(await ada.answer("upgrade", await keeper.create(options, { ...ALONE, ...forgery }))), REFUSED);
    assert.equal(await passkeysIn(service), 1);
  }
});

test("an answer to an ordinary challenge is refused if nobody was present, or verified", async () => {
  for (const clear of [1, 4, 1 | 4]) {
    const { ada, keeper, ...service } = await signedIn();
    const { options } = await ada.offered({ action: "register" });
    assert.equal(leadsTo(await ada.answer("register", await keeper.create(options, { clear }))), REFUSED);
    assert.equal(await passkeysIn(service), 1);
  }
});

test("an answer cannot choose which kind of challenge it was for", async () => {
  for (
    const [asked, said] of [["register", "upgrade"], ["upgrade", "register"], ["authenticate", "upgrade"]] as const
  ) {
    const { ada, keeper, ...service } = await signedIn();
    const { options } = await ada.offered({ action: asked });
    const data = await keeper.create({ user: { id: "AAAA", name: "", displayName: "" }, ...options }, ALONE);
    assert.equal(leadsTo(await ada.answer(said, data)), NO_CHALLENGE);
    assert.equal(await passkeysIn(service), 1);
  }
});

test("nobody gets such a challenge who is not signed in, who signed in long ago, or where it is not chosen", async () => {
  const { ada, person, runtime } = await signedIn();
  assert.deepEqual((await person().offered({ action: "upgrade", email: "bob@example.com" })).status, 403);
  runtime.advance(11 * 60 * 1000);
  assert.equal((await ada.offered({ action: "upgrade" })).status, 403);
  const closed = openPasskeys().person();
  await closed.register();
  const { status, body } = await closed.offered({ action: "upgrade" });
  assert.deepEqual([status, body.error], [400, "Invalid action"]);
});

test("such a challenge is good for the user only who was signed in when it was asked for", async () => {
  const { ada, keeper, ...service } = await signedIn();
  const { options } = await ada.offered({ action: "upgrade" });
  await ada.browser.signOut();
  assert.equal(leadsTo(await ada.answer("upgrade", await keeper.create(options, ALONE))), REFUSED);
  assert.equal(await passkeysIn(service), 1);
});

test("a passkey that was made without its owner signs in only with verification where that is required", async () => {
  const { ada, keeper } = await signedIn();
  const { options } = await ada.offered({ action: "upgrade" });
  await ada.answer("upgrade", await keeper.create(options, ALONE));
  await ada.browser.signOut();
  const use = async (forgery: object) => {
    const { options } = await ada.offered({ action: "authenticate" });
    return leadsTo(await ada.answer("authenticate", await keeper.get(options, forgery)));
  };
  assert.equal(await use({ clear: 4 }), REFUSED);
  assert.equal(await use({}), "/");
});

test("a passkey that was made without its owner counts as two factors only where its owner is verified", async () => {
  const seen: string[][] = [];
  const provider = webauthn({ id: "passkey", upgrade: true });
  const service = openPasskeys({
    providers: [provider],
    callbacks: { session: ({ session, auth }) => (seen.push([...auth?.methods ?? []]), session) },
  });
  const ada = service.person();
  await ada.register();
  const keeper = new Authenticator({ synced: true, counts: false });
  const { options } = await ada.offered({ action: "upgrade" });
  await ada.answer("upgrade", await keeper.create(options, ALONE));
  const methodsAfter = async (forgery: object) => {
    await ada.browser.signOut();
    const { options } = await ada.offered({ action: "authenticate" });
    await ada.answer("authenticate", await keeper.get(options, forgery));
    await ada.browser.session();
    return seen.at(-1);
  };
  assert.deepEqual(await methodsAfter({ clear: 4 }), ["swk", "user"]);
  assert.deepEqual(await methodsAfter({}), ["mfa", "swk", "user"]);
});

test("no more passkeys than allowed are made by themselves", async () => {
  const { ada } = await signedIn({ maxCredentials: 1 });
  const { status, body } = await ada.offered({ action: "upgrade" });
  assert.deepEqual([status, body.error], [400, "TooManyPasskeys"]);
});

const RELATED = { relayingParty: { id: "localhost" }, relatedOrigins: ["https://example.de", "https://example.fr"] };

test("a passkey is used at an origin that is listed, and at no other", async () => {
  const { person } = openPasskeys({ passkey: RELATED });
  const ada = person();
  assert.equal(leadsTo(await ada.register(undefined, { origin: "https://example.de" })), "/");
  for (
    const [origin, leads] of [
      ["https://example.fr", "/"],
      ["https://example.it", REFUSED],
      ["https://sub.example.de", REFUSED],
      ["https://example.de:8443", REFUSED],
      ["http://example.de", REFUSED],
      ["https://example.de.evil.test", REFUSED],
      ["http://localhost:3000", "/"],
    ] as const
  ) {
    if (await ada.email()) await ada.browser.signOut();
    assert.equal(leadsTo(await ada.authenticate({ origin })), leads, origin);
  }
});

test("browsers find the origins at /.well-known/webauthn, and nothing where none are chosen", async () => {
  const found = await openPasskeys({ passkey: RELATED }).person().browser.get("/.well-known/webauthn");
  assert.match(found.headers.get("content-type") ?? "", /^application\/json/);
  assert.deepEqual(await found.json(), { origins: RELATED.relatedOrigins });
  assert.equal((await openPasskeys().person().browser.get("/.well-known/webauthn")).status, 404);
});

test("related origins need the domain whose passkeys they use, and must be origins", async () => {
  for (
    const options of [
      { relatedOrigins: ["https://example.de"] },
      { relayingParty: { id: "localhost" }, relatedOrigins: ["example.de"] },
      { relayingParty: { id: "localhost" }, relatedOrigins: ["https://example.de/"] },
      { relayingParty: { id: "localhost" }, relatedOrigins: ["http://example.de"] },
      { relayingParty: { id: "localhost" }, relatedOrigins: ["http://localhost.example"] },
      { relayingParty: { id: "localhost" }, relatedOrigins: Array.from({ length: 21 }, (_, at) => `https://${at}.de`) },
    ]
  ) {
    const { log, person } = openPasskeys({ providers: [passkey(options)] });
    await person().offered({ action: "authenticate" }).catch(() => {});
    assert.match(log.errors.map(({ message }) => message).join("\n"), /relatedOrigins/, JSON.stringify(options));
  }
});

test("more names than browsers look at are warned of", async () => {
  const related = (names: readonly string[]) =>
    openPasskeys({
      passkey: { relayingParty: { id: "localhost" }, relatedOrigins: names.map((name) => `https://${name}`) },
    });
  const five = ["a.com", "b.co.uk", "c.de", "d.fr", "e.it", "shop.a.com", "a.de", "www.b.de"];
  for (const [names, warns] of [[five, false], [[...five, "f.es"], true]] as const) {
    const { log, person } = related(names);
    await person().offered({ action: "authenticate" });
    assert.equal(log.warnings.includes("related-origins"), warns, names.join());
  }
});
