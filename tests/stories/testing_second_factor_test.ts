/** Visitors of the test kit with second factors. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { google } from "@x/auth/providers/google";
import { passkey } from "@x/auth/providers/passkey";
import { secondFactor, type SecondFactorOptions } from "@x/auth/second-factor";
import { testAuth, type Visitor, type World } from "@x/auth/testing";

// Google vouches for addresses of its own.
const ADA = { name: "Ada", email: "ada@gmail.com" };

function open(options: SecondFactorOptions = {}, origin = "http://localhost:3000"): World {
  return testAuth((test) => {
    const { handler, auth } = createAuth({
      adapter: memoryAdapter(),
      providers: [google(), passkey()],
      mail: () => {},
      features: [secondFactor(options)],
      protect: [{ routes: ["/admin"], level: 2 }],
      callbacks: { session: ({ session, auth }) => ({ ...session, methods: auth?.methods }) },
      ...test,
    });
    return auth((request) => {
      const { pathname } = new URL(request.url);
      return pathname.startsWith("/auth/") ? handler(request) : new Response(`This is ${pathname}`);
    });
  }, { origin });
}

async function methodsOf(visitor: Visitor): Promise<unknown> {
  return (await visitor.session() as { readonly methods?: unknown } | null)?.methods ?? null;
}

test("a visitor enrols, is asked at the next sign-in, and gives each proof", async () => {
  const world = open();
  const { totp, recoveryCodes } = await (await world.visitor().signIn("google", ADA)).enrol();
  assert.equal(recoveryCodes.length, 10);
  assert.ok(world.mailbox.all.some(({ to }) => to === ADA.email));

  const ada = await world.visitor().signIn("google", ADA, { callbackUrl: "/members" });
  assert.equal(ada.url.pathname, "/auth/challenge");
  assert.equal(await ada.session(), null);
  await ada.prove({ method: "totp", code: "12345" });
  assert.equal(ada.status, 401);
  assert.equal(await ada.session(), null);
  await ada.prove({ method: "totp", code: await totp() });
  assert.equal(ada.html, "This is /members");
  assert.deepEqual(await methodsOf(ada), ["fed", "mfa", "otp"]);

  const [code = ""] = recoveryCodes;
  for (const isNew of [true, false]) {
    const again = await world.visitor().signIn("google", ADA);
    await again.prove({ method: "recovery-code", code });
    assert.equal(await again.session() !== null, isNew);
  }
  await assert.rejects(totp(), /clock\.advance/);
  world.clock.advance("1m");
  const late = await world.visitor().signIn("google", ADA);
  assert.ok(await (await late.prove({ method: "totp", code: await totp() })).session());
});

test("a passkey of a visitor is a second proof", async () => {
  let isNeeded = false;
  const world = open({ methods: ["passkey"], require: () => isNeeded });
  const ada = await world.visitor().signIn("google", ADA);
  await ada.signIn("passkey");
  assert.equal(ada.authenticator.passkeys.length, 1);
  await ada.signOut();
  isNeeded = true;
  await ada.signIn("google", ADA);
  assert.equal(ada.url.pathname, "/auth/challenge");
  await ada.prove({ method: "passkey" });
  assert.deepEqual(new Set(await methodsOf(ada) as string[]), new Set(["fed", "mfa", "user", "hwk"]));
});

test("a visitor of whom a factor is required enrols while the sign-in waits", async () => {
  const world = open({ require: "always" });
  const ada = await world.visitor().signIn("google", ADA, { callbackUrl: "/members" });
  assert.equal(ada.url.pathname, "/auth/factors");
  await ada.enrol();
  assert.equal(ada.html, "This is /members");
});

test("a page that needs two factors leads to the challenge, and back", async () => {
  const world = open({}, "https://app.test");
  const ada = await world.visitor().signIn("google", ADA);
  const { totp } = await ada.enrol();
  await ada.signOut();
  await ada.signIn("google", ADA);
  await ada.prove({ method: "totp", code: await totp() });
  await ada.open("/admin");
  assert.equal(ada.html, "This is /admin");

  const bob = await world.visitor().signInAs({ name: "Bob", email: "bob@gmail.com" });
  await bob.open("/admin");
  assert.equal(bob.url.pathname, "/auth/factors");
  await bob.enrol();
  await bob.open("/admin");
  assert.equal(bob.html, "This is /admin");
});

test("signInAs() at level 2 passes wherever two factors are asked for, and says so at level 1", async () => {
  for (const options of [{}, { require: "always" }, { require: () => true }] as const) {
    const world = open(options);
    const ada = await world.visitor().signInAs(ADA, { level: 2 });
    assert.equal((await ada.open("/admin")).html, "This is /admin");
    if (options.require) {
      await assert.rejects(world.visitor().signInAs(ADA), /Cannot sign in as ada@gmail\.com.*`\{ level: 2 \}`/);
    }
    await ada.enrol();
    await assert.rejects(world.visitor().signInAs(ADA), /A second factor is asked for/);
    const again = await world.visitor().signInAs(ADA, { level: 2 });
    assert.equal((await again.open("/admin")).html, "This is /admin");
  }
});
