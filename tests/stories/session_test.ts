import { test } from "node:test";
import assert from "node:assert/strict";
import { type AuthConfig, createAuth } from "@x/auth";
import { Browser } from "../_support/browser.ts";
import { ADA, testConfig } from "../_support/service.ts";

async function signedIn(config: AuthConfig = {}): Promise<Browser> {
  const browser = new Browser(createAuth(testConfig(config)).handler);
  return await browser.signIn("credentials", ADA);
}

test("a stranger's session is null, and leaves no cookie", async () => {
  const browser = new Browser(createAuth(testConfig()).handler);
  assert.equal(await browser.session(), null);
  assert.deepEqual(browser.cookies.names(), []);
});

test("a session that is due is renewed when it is read, and not by HEAD", async () => {
  const browser = await signedIn({ session: { updateAge: 0 } });
  const head = await browser.head("/auth/session");
  assert.equal(head.status, 200);
  assert.equal(await head.text(), "");
  assert.deepEqual(head.headers.getSetCookie(), []);
  const answer = await browser.get("/auth/session");
  assert.equal(answer.headers.getSetCookie().length, 1);
});

test("a script changes the session, and what the jwt callback takes of it stays", async () => {
  const browser = await signedIn({
    callbacks: {
      jwt: ({ token, trigger, session }) => {
        if (trigger !== "update") return token;
        return { ...token, name: (session as { name: string }).name };
      },
    },
  });
  const change = { csrfToken: await browser.csrf(), data: { name: "Countess", email: "evil@example.com" } };
  const answer = await browser.postJson("/auth/session", change);
  assert.equal(answer.status, 200);
  const expected = { name: "Countess", email: "ada@example.com", image: "https://example.com/ada.png" };
  assert.deepEqual((await answer.json()).user, expected);
  assert.deepEqual((await browser.session())?.user, expected);
});

test("without a jwt callback a script changes nothing", async () => {
  const browser = await signedIn();
  await browser.postJson("/auth/session", { csrfToken: await browser.csrf(), data: { name: "Countess" } });
  assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
});

test("a change without the CSRF token answers 400 null and changes nothing", async () => {
  const browser = await signedIn({ callbacks: { jwt: ({ token, session }) => ({ ...token, ...session as object }) } });
  const answer = await browser.postJson("/auth/session", { data: { name: "Countess" } });
  assert.equal(answer.status, 400);
  assert.equal(await answer.json(), null);
  assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
});

test("signing out ends the session and leads where it was asked to", async () => {
  const browser = await signedIn();
  await browser.open("/auth/signout?callbackUrl=/bye");
  await browser.submit();
  assert.equal(browser.url.pathname, "/bye");
  assert.equal(await browser.session(), null);
  assert.deepEqual(browser.cookies.names("session-token"), []);
});

test("opening the sign-out page does not sign out", async () => {
  const browser = await signedIn();
  await browser.open("/auth/signout");
  assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
});
