/** Keys that their authenticator does not store: refused, unless the browser gets a list of keys by email. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import type { GetUserInfo } from "../../../src/contract/webauthn_options.ts";
import { Authenticator } from "../../_support/authenticator.ts";
import { ADDRESS, leadsTo, openPasskeys, type PasskeyService, type Person } from "../../_support/passkeys.ts";

const REFUSED = "/auth/error?error=WebAuthnVerificationError";
const BOB = "bob@example.com";

const key = () => new Authenticator({ stores: false });

const byEmail = {
  allowCredentialsByEmail: true,
  registrationOptions: { authenticatorSelection: { residentKey: "preferred" } },
} as const;

const RESULTS: readonly (readonly [results: unknown, synced: boolean, accepted: boolean])[] = [
  [{ credProps: { rk: true } }, false, true],
  [{ credProps: { rk: true } }, true, true],
  [{ credProps: { rk: false } }, false, false],
  [{ credProps: { rk: false } }, true, false],
  [{ credProps: { rk: "true" } }, true, false],
  [{ credProps: { rk: 1 } }, true, false],
  [{ credProps: { rk: null } }, true, false],
  [{ credProps: {} }, false, false],
  [{ credProps: {} }, true, true],
  [{ credProps: true }, false, false],
  [{}, false, false],
  [{}, true, true],
  [undefined, false, false],
  [null, false, false],
  ["rk", false, false],
];

for (const [clientExtensionResults, synced, accepted] of RESULTS) {
  const said = JSON.stringify(clientExtensionResults);
  test(`a ${synced ? "synced" : "plain"} key with ${said} is ${accepted ? "" : "not "}registered`, async () => {
    const { person, adapter, log } = openPasskeys();
    const ada = person(new Authenticator({ synced }));
    const answer = await ada.register(ADDRESS, { members: { clientExtensionResults } });
    assert.equal(leadsTo(answer), accepted ? "/" : REFUSED);
    assert.equal(Boolean(await adapter.getUserByEmail(ADDRESS)), accepted);
    if (!accepted) assert.match(String(log.errors[0]), /does not store it.*`allowCredentialsByEmail`/);
  });
}

test("a second key that is not stored is refused, too, and the first one still signs in", async () => {
  const { person, adapter } = openPasskeys();
  const ada = person();
  await ada.register();
  const { options } = await ada.offered({ action: "register" });
  assert.equal(leadsTo(await ada.answer("register", await key().create(options))), REFUSED);
  const { id = "" } = await adapter.getUserByEmail(ADDRESS) ?? {};
  assert.equal((await adapter.listAuthenticatorsByUserId(id)).length, 1);
  assert.equal(leadsTo(await ada.authenticate()), "/");
});

async function listed(person: Person, email: string): Promise<readonly string[] | undefined> {
  const { options } = await person.offered({ action: "authenticate", email });
  return (options.allowCredentials as { id: string }[] | undefined)?.map(({ id }) => id);
}

test("without the option no list depends on what is typed", async () => {
  const { person } = openPasskeys();
  await person().register();
  for (const email of [ADDRESS, BOB, ""]) assert.equal(await listed(person(), email), undefined);
  const { body } = await person().offered({ email: ADDRESS });
  assert.equal(body.options?.allowCredentials, undefined);
});

test("with the option the browser gets the keys of the address, in either spelling, and no others", async () => {
  const { person } = openPasskeys({ passkey: byEmail });
  const [ada, bob] = [person(key()), person(key())];
  await ada.register();
  await bob.register(BOB);
  const ids = ({ device }: Person) => device.passkeys.map(({ id }) => Buffer.from(id).toString("base64url"));
  assert.deepEqual(await listed(person(), ADDRESS), ids(ada));
  assert.deepEqual(await listed(person(), "  Ada@Example.COM "), ids(ada));
  assert.deepEqual(await listed(person(), BOB), ids(bob));
  for (const email of ["", "nobody@example.com", "ada@example.com,bob@example.com", "not an address"]) {
    assert.equal(await listed(person(), email), undefined, email);
  }
  const { body: { action, options } } = await person().offered({ email: ADDRESS });
  assert.deepEqual([action, (options?.allowCredentials as unknown[]).length], ["authenticate", 1]);
});

async function signIn(person: Person, email: string, device = person.device): Promise<string> {
  const { options } = await person.offered({ action: "authenticate", email });
  return leadsTo(await person.answer("authenticate", await device.get(options)));
}

async function twoPeople(): Promise<{ service: PasskeyService; ada: Person; bob: Person }> {
  const service = openPasskeys({ passkey: byEmail });
  const [ada, bob] = [service.person(key()), service.person(key())];
  await ada.register();
  await bob.register(BOB);
  return { service, ada, bob };
}

test("a key that is not stored signs in after its address was typed, and only then", async () => {
  const { service, ada } = await twoPeople();
  const visitor = service.person(ada.device);
  assert.equal(await signIn(visitor, ""), REFUSED);
  assert.equal(await signIn(visitor, BOB), REFUSED);
  assert.equal(await signIn(visitor, "nobody@example.com"), REFUSED);
  assert.equal(await visitor.email(), null);
  assert.equal(await signIn(visitor, ADDRESS), "/");
  assert.equal(await visitor.email(), ADDRESS);
});

test("a key answers only the list it is on, also if it names its user", async () => {
  const { service, ada, bob } = await twoPeople();
  for (const userHandle of [null, bob.device.passkeys[0]?.userHandle ?? ""]) {
    const visitor = service.person(bob.device);
    const { options } = await visitor.offered({ action: "authenticate", email: ADDRESS });
    assert.equal(leadsTo(await visitor.answer("authenticate", await bob.device.get(options, { userHandle }))), REFUSED);
    assert.equal(await visitor.email(), null);
  }
  const visitor = service.person(ada.device);
  const { options } = await visitor.offered({ action: "authenticate", email: ADDRESS });
  const { userHandle } = bob.device.passkeys[0] ?? { userHandle: "" };
  assert.equal(leadsTo(await visitor.answer("authenticate", await ada.device.get(options, { userHandle }))), REFUSED);
});

test("a stored key signs in without an address where the option is set", async () => {
  const { person } = openPasskeys({ passkey: byEmail });
  const ada = person();
  await ada.register();
  assert.equal(leadsTo(await ada.authenticate()), "/");
  assert.equal(await signIn(ada, ADDRESS), "/");
  assert.equal(await signIn(person(ada.device), "nobody@example.com"), "/");
});

test("a list is for one browser and one time", async () => {
  const { service, ada } = await twoPeople();
  const [visitor, other] = [service.person(ada.device), service.person(ada.device)];
  const { options } = await visitor.offered({ action: "authenticate", email: ADDRESS });
  const data = await ada.device.get(options);
  await other.offered({ action: "authenticate", email: ADDRESS });
  assert.equal(leadsTo(await other.answer("authenticate", data)), REFUSED);
  assert.equal(leadsTo(await visitor.answer("authenticate", data)), "/");
  assert.notEqual(leadsTo(await visitor.answer("authenticate", data)), "/");
});

test("getUserInfo chooses whose keys are listed, if they exist", async () => {
  const getUserInfo: GetUserInfo = async ({ adapter }, { query }) => {
    const user = await adapter.getUserByEmail(`${query.name}@example.com`);
    return user ? { user, exists: query.claim !== "new" } : { user: { email: `${query.name}@example.com` } };
  };
  const { person } = openPasskeys({ passkey: { ...byEmail, getUserInfo } });
  const ada = person(key());
  const { options } = await ada.offered({ action: "register", name: "ada" });
  assert.equal(leadsTo(await ada.answer("register", await ada.device.create(options))), "/");
  const count = async (query: Readonly<Record<string, string>>) => {
    const { options } = await person().offered({ action: "authenticate", ...query });
    return (options.allowCredentials as unknown[] | undefined)?.length;
  };
  assert.equal(await count({ name: "ada" }), 1);
  assert.equal(await count({ name: "ada", claim: "new" }), undefined);
  assert.equal(await count({ name: "bob" }), undefined);
});

test("the option warns of what it gives away, and a weaker demand without it is mended with a warning", async () => {
  const warned = async (passkey: object) => {
    const { person, log } = openPasskeys({ passkey });
    await person().offered({ action: "authenticate" });
    return log.warnings.filter((code) => code === "credentials-by-email" || code === "resident-key-required");
  };
  assert.deepEqual(await warned({}), []);
  assert.deepEqual(await warned({ allowCredentialsByEmail: true }), ["credentials-by-email"]);
  assert.deepEqual(
    await warned({ registrationOptions: { authenticatorSelection: { residentKey: "preferred" } } }),
    ["resident-key-required"],
  );
});
