import assert from "node:assert/strict";
import { test } from "node:test";
import { testAuth } from "@x/auth/testing";
import { createApp } from "./app.js";

test("strangers are sent to the sign-in page", async () => {
  const stranger = testAuth(createApp).visitor();
  await stranger.open("/members/hello");
  assert.equal(stranger.url.pathname, "/auth/signin");
});

test("who is signed in is greeted by name", async () => {
  const ada = await testAuth(createApp).visitor().signInAs({ name: "Ada", email: "ada@example.com" });
  assert.equal(await (await ada.get("/members/hello")).text(), "Hello Ada");
});

test("people sign in with Google, and out", async () => {
  const ada = await testAuth(createApp).visitor().signIn("google", { name: "Ada", email: "ada@example.com" });
  assert.equal(await (await ada.get("/members/hello")).text(), "Hello Ada");
  await ada.signOut();
  assert.equal(await ada.session(), null);
});

test("people sign in by email", async () => {
  const world = testAuth(createApp);
  const ada = await world.visitor().signIn("resend", { email: "ada@example.com" });
  assert.equal((await ada.session()).user.email, "ada@example.com");
  assert.equal(world.mailbox.all.length, 1);
});

test("sessions end after 30 days, and a token of another issuer opens none", async () => {
  const world = testAuth(createApp);
  const ada = await world.visitor().signInAs({ name: "Ada", email: "ada@example.com" });
  world.clock.advance("31d");
  assert.equal(await ada.session(), null);
  world.provider("google").next({ iss: "https://evil.example" });
  await ada.signIn("google", { email: "ada@example.com" });
  assert.equal(await ada.session(), null);
});
