/** Sign-ins that end in an application of the device, compared with Auth.js. */
import assert from "node:assert/strict";
import { test } from "node:test";
import Credentials from "@auth/core/providers/credentials";
import { createAuth } from "@x/auth";
import { bothServices, Client } from "../_support/both_services.ts";
import { Browser } from "../_support/browser.ts";
import { password, testConfig } from "../_support/service.ts";
import { liveIssuer, providerOf, signInAt } from "../_support/sign_in_twice.ts";

const SCHEMES = ["myapp", "com.example.app"];
const ada = () => Credentials({ authorize: () => ({ id: "1", name: "Ada" }) });
const asked = ({ url }: { url: string }) => url;

/** Where the browser is sent after it asked for `callbackUrl`. */
async function leadsTo(callbackUrl: string, config: object = {}): Promise<readonly (string | null)[]> {
  const sides = bothServices(() => ({ providers: [ada()], callbacks: { redirect: asked }, ...config }));
  return await Promise.all(
    sides.map((side) => new Client(side).post("/auth/callback/credentials", { callbackUrl })),
  );
}

for (const url of ["myapp://signed-in", "myapp://a/b?c=d#e", "com.example.app:/oauth", "myapp:x"]) {
  test(`callbacks.redirect sends the browser to ${url} where its scheme is listed, as with Auth.js`, async () => {
    const [here, there] = await leadsTo(url, { redirectSchemes: SCHEMES });
    assert.equal(here, url);
    assert.equal(here, there);
  });

  test(`callbacks.redirect sends nobody to ${url} where no scheme is listed`, async () => {
    const [here] = await leadsTo(url);
    assert.equal(here, "http://localhost:3000/");
  });
}

const REFUSED = [
  "otherapp://x",
  "myapp2://x",
  "javascript:alert(1)",
  "data:text/html,x",
  "myapp://user:password@host/",
  "myapp://x\r\nset-cookie: a=b",
  "myapp://x/ y",
  "myapp:x y",
  `myapp://${"x".repeat(2000)}`,
  "my\tapp2://x",
  "vbscript:x",
  "intent://x#Intent;end",
  "blob:http://localhost:3000/x",
];

for (const url of REFUSED) {
  test(`callbacks.redirect sends nobody to ${JSON.stringify(url).slice(0, 40)} although schemes are listed`, async () => {
    const [here] = await leadsTo(url, { redirectSchemes: SCHEMES });
    const { origin, protocol } = new URL(here ?? "");
    assert.ok(origin === "http://localhost:3000" || (protocol === "myapp:" && !/[\s@]/.test(here ?? "")), here ?? "");
    assert.ok((here ?? "").length < 1100);
  });
}

test("a visitor's callbackUrl opens no application unless callbacks.redirect says so", async () => {
  const [here] = await leadsTo("myapp://x", { redirectSchemes: SCHEMES, callbacks: {} });
  assert.equal(here, "http://localhost:3000/");
});

test("a sign-in with a provider ends in the application, where Auth.js refuses its own cookie", async () => {
  const issuer = liveIssuer();
  const [here, there] = bothServices(() => ({
    redirectSchemes: SCHEMES,
    providers: [providerOf(issuer)],
    callbacks: { redirect: () => "myapp://signed-in" },
  }));
  assert.equal(await signInAt(new Client(here), issuer), "myapp://signed-in");
  assert.equal(await signInAt(new Client(there), issuer), null);
});

test("the browser client of Auth.js is told of the application's URL, as with Auth.js", async () => {
  const sides = bothServices(() => ({
    redirectSchemes: SCHEMES,
    providers: [ada()],
    callbacks: { redirect: () => "myapp://x" },
  }));
  for (const side of sides) {
    const client = new Client(side);
    const { csrfToken } = await client.json("/auth/csrf");
    const headers = { "content-type": "application/x-www-form-urlencoded", "x-auth-return-redirect": "1" };
    const body = String(new URLSearchParams({ csrfToken, callbackUrl: "/" }));
    const answer = await client.send("/auth/callback/credentials", { method: "POST", headers, body });
    assert.deepEqual(await answer.json(), { url: "myapp://x" }, side.name);
  }
});

test("the policy of the sign-in page lets a form lead into the application", async () => {
  const { handler } = createAuth(testConfig({ providers: [password()], redirectSchemes: SCHEMES }));
  const page = await new Browser(handler).get("/auth/signin");
  assert.match(page.headers.get("content-security-policy") ?? "", /form-action 'self' myapp: com\.example\.app:;/);
});
