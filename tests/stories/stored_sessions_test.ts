import assert from "node:assert/strict";
import { test } from "node:test";
import type { AdapterUser } from "@x/auth";
import { GRACE, openStored } from "../_support/stored.ts";

test("somebody new becomes a user with an account and a stored session, and is told so", async () => {
  const told: string[] = [];
  const { come, adapter } = openStored({
    events: {
      createUser: ({ user }) => void told.push(`createUser ${user.email}`),
      linkAccount: ({ account }) => void told.push(`linkAccount ${account.providerAccountId}`),
      signIn: ({ isNewUser }) => void told.push(`signIn ${isNewUser}`),
    },
    pages: { newUser: "/welcome" },
  });
  const { browser, response } = await come();
  const welcome = new URL(response.headers.get("location") ?? "");
  assert.deepEqual([welcome.pathname, welcome.searchParams.get("callbackUrl")], ["/welcome", "http://localhost:3000/"]);
  assert.deepEqual(told, ["createUser grace@example.com", "linkAccount grace", "signIn true"]);
  const user = await adapter.getUserByEmail("grace@example.com") as AdapterUser;
  assert.equal(user.emailVerified, null);
  const session = await browser.session();
  assert.deepEqual(session?.user, { name: "Grace Hopper", email: "grace@example.com" });
  const [row] = await adapter.listSessionsByUserId(user.id);
  assert.equal(session?.expires, row?.expires.toISOString());
  assert.equal(browser.cookies.get("authjs.session-token")?.value, row?.sessionToken);
});

test("whoever comes back is the same user, with a new session, and the old one has ended", async () => {
  const { come, adapter } = openStored({ pages: { newUser: "/welcome" } });
  const { browser } = await come();
  const before = browser.cookies.get("authjs.session-token")?.value;
  const { response } = await come({ ...GRACE, email: "other@example.com", name: "Another" }, browser);
  assert.equal(new URL(response.headers.get("location") ?? "").pathname, "/");
  const user = await adapter.getUserByEmail("grace@example.com");
  assert.equal(user?.name, "Grace Hopper");
  const sessions = await adapter.listSessionsByUserId(user?.id ?? "");
  assert.equal(sessions.length, 1);
  assert.notEqual(sessions[0]?.sessionToken, before);
});
