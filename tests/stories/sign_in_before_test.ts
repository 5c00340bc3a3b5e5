import { test } from "node:test";
import assert from "node:assert/strict";
import type { Browser } from "../_support/browser.ts";
import { leadsTo, NOT_LINKED, openMultiProvider } from "../_support/multi_provider.ts";

const ADA = { sub: "ada", name: "Ada", email: "ada@example.com", email_verified: true };
const BOB = { sub: "bob", name: "Bob", email: "bob@example.com", email_verified: true };

/** Ada's address at a provider that does not vouch for it. */
const UNPROVEN = { ...ADA, sub: "ada-2", email_verified: false };

function open() {
  return openMultiProvider({ idps: { google: { name: "Goo" }, lax: { name: "Lax & Co" }, other: { name: "Other" } } });
}

/** Follows an answer to the sign-in page, and gives what its alert says. */
async function alertAt(browser: Browser, answer: Response): Promise<string> {
  assert.equal(leadsTo(answer), NOT_LINKED);
  const { html } = await browser.open(answer.headers.get("location") ?? "");
  return /role="alert".*?<p>(.*?)<\/p>/s.exec(html)?.[1]?.replace(/<[^>]+>/g, "") ?? "";
}

const USUAL = "You already have an account here. Please sign in the way you did the first time.";

test("somebody who has to sign in as before reads what this browser signed in with last", async () => {
  const { visitor, come } = open();
  const browser = visitor();
  await come(browser, "google", ADA);
  await browser.signOut();
  const answer = await come(browser, "lax", UNPROVEN);
  assert.equal(await alertAt(browser, answer), `${USUAL} The last sign-in in this browser was with Goo.`);
});

test("a browser that has not signed in yet does not learn which provider belongs to the address", async () => {
  const { visitor, come } = open();
  await come(visitor(), "google", ADA);
  const stranger = visitor();
  assert.equal(await alertAt(stranger, await come(stranger, "lax", UNPROVEN)), USUAL);
  assert.doesNotMatch(stranger.html, /Last used/);
});

test("what is said depends on the browser alone, whoever has the address", async () => {
  const { visitor, come } = open();
  await come(visitor(), "google", ADA);
  const browser = visitor();
  await come(browser, "other", BOB);
  await browser.signOut();
  const answer = await come(browser, "lax", UNPROVEN);
  assert.equal(await alertAt(browser, answer), `${USUAL} The last sign-in in this browser was with Other.`);
});

test("the provider that has just been refused is not named as the one to try", async () => {
  const { visitor, come } = open();
  await come(visitor(), "google", ADA);
  const browser = visitor();
  await come(browser, "lax", BOB);
  await browser.signOut();
  assert.equal(await alertAt(browser, await come(browser, "lax", UNPROVEN)), USUAL);
});

test("a link to the page with this error names no provider", async () => {
  const { visitor, come } = open();
  const browser = visitor();
  await come(browser, "google", ADA);
  await browser.signOut();
  for (const error of ["OAuthAccountNotLinked", "AccountNotLinked"]) {
    const { html } = await browser.open(`/auth/signin?error=${error}`);
    assert.match(html, /You already have an account here/);
    assert.doesNotMatch(html, /The last sign-in/);
  }
});
