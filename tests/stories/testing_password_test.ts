/** Visitors of the test kit with passwords. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { password, type PasswordOptions } from "@x/auth/providers/password";
import { secondFactor } from "@x/auth/second-factor";
import { testAuth, type Visitor, type World } from "@x/auth/testing";
import type { AuthConfig } from "@x/auth";

const ADA = { email: "ada@example.com", password: "a pelican on a bicycle" };
const LATER = { ...ADA, password: "a bicycle on a pelican" };

const hash: PasswordOptions["hash"] = {
  make: (text) => `hash of ${text}`,
  verify: (text, stored) => stored === `hash of ${text}` ? "yes" : "no",
};

function open(config: AuthConfig = {}): World {
  return testAuth({ adapter: memoryAdapter(), providers: [password({ hash })], mail: () => {}, ...config });
}

async function who(visitor: Visitor): Promise<string | null> {
  return (await visitor.session())?.user?.email ?? null;
}

test("a visitor registers, signs in, and chooses another password", async () => {
  const world = open();
  const first = await world.visitor().signUp({ ...ADA, name: "Ada" }, { callbackUrl: "/welcome" });
  assert.deepEqual([await who(first), first.url.pathname], [ADA.email, "/welcome"]);
  assert.equal((await first.session())?.user?.name, "Ada");
  assert.deepEqual(world.mailbox.all.map(({ to }) => to), [ADA.email]);

  const again = await world.visitor().signIn("password", ADA);
  assert.equal(await who(again), ADA.email);
  assert.equal(await who(await world.visitor().signIn("password", LATER)), null);

  const later = await world.visitor().resetPassword(LATER, { callbackUrl: "/back" });
  assert.deepEqual([await who(later), later.url.pathname], [ADA.email, "/back"]);
  assert.deepEqual([await who(first), await who(again)], [null, null]);
  assert.equal(await who(await world.visitor().signIn("password", ADA)), null);
  assert.equal(await who(await world.visitor().signIn("password", LATER)), ADA.email);
});

test("a visitor sees why a password is refused", async () => {
  const world = open();
  const visitor = await world.visitor().signUp({ ...ADA, password: "short" });
  assert.deepEqual([visitor.status, visitor.url.pathname, world.mailbox.all.length], [400, "/auth/signup", 0]);
  assert.match(visitor.html, /15/);
  await visitor.signUp(ADA);
  await visitor.resetPassword({ ...ADA, password: "short" });
  assert.deepEqual([visitor.status, visitor.url.pathname], [400, "/auth/reset"]);
});

test("who has an account gets no other one, and who has none gets no password", async () => {
  const world = open();
  await world.visitor().signUp(ADA);
  const twin = await world.visitor().signUp(LATER);
  assert.deepEqual([await who(twin), twin.url.pathname], [null, "/auth/signin"]);
  assert.equal(await who(await world.visitor().signIn("password", LATER)), null);
  const bob = await world.visitor().resetPassword({ ...ADA, email: "bob@example.com" });
  assert.deepEqual([await who(bob), bob.url.pathname], [null, "/auth/signin"]);
});

test("a visitor who opens the link elsewhere chooses a password there", async () => {
  const world = open();
  const stranger = world.visitor();
  const csrfToken = await stranger.csrf();
  await stranger.post("/auth/signup", { ...ADA, csrfToken });
  const owner = await world.visitor().open(world.mailbox.link());
  await owner.submit({ password: LATER.password }, "/signup");
  assert.equal(await who(owner), ADA.email);
  assert.equal(await who(await world.visitor().signIn("password", ADA)), null);
});

test("a visitor with a second factor is asked for it after each password", async () => {
  const world = open({ features: [secondFactor()] });
  const { recoveryCodes: [code = ""] } = await (await world.visitor().signUp(ADA)).enrol();
  const ada = await world.visitor().signIn("password", ADA);
  assert.deepEqual([await who(ada), ada.url.pathname], [null, "/auth/challenge"]);
  const later = await world.visitor().resetPassword(LATER);
  assert.deepEqual([await who(later), later.url.pathname], [null, "/auth/challenge"]);
  await later.prove({ method: "recovery-code", code });
  assert.equal(await who(later), ADA.email);
  const again = await world.visitor().signIn("password", LATER);
  assert.equal(again.url.pathname, "/auth/challenge");
});

test("pages of the application do not stand in the way of a visitor", async () => {
  const world = open({ pages: { signUp: "/join", reset: "/forgotten" } });
  assert.equal(await who(await world.visitor().signUp(ADA)), ADA.email);
  assert.equal(await who(await world.visitor().resetPassword(LATER)), ADA.email);
  const short = await world.visitor().signUp({ ...ADA, password: "short" });
  assert.deepEqual([short.url.pathname, short.url.searchParams.get("code")], ["/join", "short"]);
});
