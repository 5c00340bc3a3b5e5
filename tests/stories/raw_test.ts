import { test } from "node:test";
import assert from "node:assert/strict";
import { Auth, type AuthConfig, raw, type RawResponse } from "@x/auth";
import { CredentialsSignin } from "@x/auth/errors";
import { Browser } from "../_support/browser.ts";
import { ADA, testConfig } from "../_support/service.ts";

function rawConfig(config: AuthConfig = {}): AuthConfig & { raw: symbol } {
  return { ...testConfig(config), raw };
}

/** Posts a form with `raw`, from a browser that has its token by the same configuration without `raw`. */
async function post(path: string, fields: Record<string, string>, headers = {}): Promise<RawResponse> {
  const config = testConfig();
  const browser = new Browser((request) => Auth(request, config));
  const body = new URLSearchParams({ ...fields, csrfToken: await browser.csrf() });
  const url = new URL(path, browser.origin);
  const cookie = browser.cookies.headerFor(url, { sameSite: true, safe: true }) ?? "";
  return await Auth(new Request(url, { method: "POST", body, headers: { cookie, ...headers } }), { ...config, raw });
}

test("Auth() answers like the handler", async () => {
  const config = testConfig();
  const browser = new Browser((request) => Auth(request, config));
  await browser.signIn("credentials", ADA);
  assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
});

test("Auth() with raw gives a JSON body as a value", async () => {
  const answer = await Auth(new Request("http://localhost:3000/auth/providers"), rawConfig());
  assert.deepEqual(Object.keys(answer.body as object), ["credentials"]);
  const session = await Auth(new Request("http://localhost:3000/auth/session"), rawConfig());
  assert.equal(session.body, null);
});

test("Auth() with raw gives a page as text, with its headers", async () => {
  const { status, headers, body } = await Auth(new Request("http://localhost:3000/auth/signin"), rawConfig());
  assert.equal(status, 200);
  assert.match(headers?.get("content-type") ?? "", /^text\/html/);
  assert.match(String(body), /<form/);
});

test("Auth() with raw gives the redirect and the cookies of a sign-in", async () => {
  const { redirect, cookies = [] } = await post("/auth/callback/credentials", { ...ADA, callbackUrl: "/cart" });
  assert.equal(redirect, "http://localhost:3000/cart");
  const session = cookies.find(({ name }) => name === "authjs.session-token");
  assert.ok(session && session.value.length > 100 && session.options.httpOnly);
});

test("Auth() with raw throws the error", async () => {
  const wrong = { username: "ada", password: "guess" };
  await assert.rejects(() => post("/auth/callback/credentials", wrong), CredentialsSignin);
});

test("Auth() with raw does not throw for a request with X-Auth-Return-Redirect", async () => {
  const wrong = { username: "ada", password: "guess" };
  const answer = await post("/auth/callback/credentials", wrong, { "x-auth-return-redirect": "1" });
  assert.match(answer.redirect ?? "", /error=CredentialsSignin/);
});

test("Auth() with raw gives nothing that a caller could change for the next one", async () => {
  const ask = async (path: string, config: AuthConfig & { raw: symbol }) => {
    return await Auth(new Request(`http://localhost:3000/auth/${path}`), config);
  };
  const good = rawConfig();
  const broken = { ...rawConfig({ secret: "" }), raw };
  const told = { headers: { "x-auth-return-redirect": "1" } };
  const askTold = (path: string) => Auth(new Request(`http://localhost:3000/auth/${path}`, told), broken);
  for (const answer of [() => ask("providers", good), () => askTold("session"), () => ask("csrf", good)]) {
    const { body } = await answer();
    scribble(body);
    assert.ok(!JSON.stringify((await answer()).body).includes("scribbled"));
  }
  const errors = [];
  for (let round = 0; round < 2; round++) {
    const error = await ask("session", broken).then(() => null, (error: Error) => error);
    assert.ok(error && !error.message.includes("scribbled"));
    errors.push(error.name);
    scribble(error);
  }
  assert.deepEqual(errors, ["MissingSecret", "MissingSecret"]);
});

test("Auth() with raw gives cookies that nobody can change for the next one", async () => {
  const { cookies = [] } = await Auth(new Request("http://localhost:3000/auth/csrf"), rawConfig());
  assert.ok(cookies.length > 0 && cookies.every(({ options }) => Object.isFrozen(options)));
});

/** Writes on everything that can be reached from a value. */
function scribble(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const member of Object.values(value)) scribble(member);
  for (const name of [...Object.keys(value), "message", "added"]) {
    Reflect.set(value, name, "scribbled");
  }
}
