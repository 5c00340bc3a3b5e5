/** A running application with fake providers, visited by somebody without script. */
import assert from "node:assert/strict";
import process from "node:process";
import { describe, test } from "node:test";
import { type AuthConfig, createAuth } from "@x/auth";
import { apple } from "@x/auth/providers/apple";
import { github } from "@x/auth/providers/github";
import { google } from "@x/auth/providers/google";
import { Browser, withFakeProviders } from "@x/auth/testing";

const quiet = { error: () => {}, warn: () => {}, debug: () => {} };

const config: AuthConfig = {
  providers: [google(), github(), apple()],
  secret: "the secret of an application, which is long enough",
  logger: quiet,
};

/** A browser on the sign-in page of an application, which may visit any server of this machine. */
async function openSignIn(given: AuthConfig, provider: string): Promise<Browser> {
  const { handler } = createAuth(withFakeProviders(given, { allow: true }));
  const origin = "http://localhost:3000";
  const browser = new Browser(async (request) => {
    return new URL(request.url).pathname.startsWith("/auth/") ? await handler(request) : new Response("Home");
  });
  // The form of the page, as a script would post it, tells where the provider is.
  const form = { csrfToken: await browser.csrf() };
  const answer = await browser.post(`/auth/signin/${provider}`, form);
  const page = new URL(answer.headers.get("location") ?? "");
  assert.match(page.href, new RegExp(`^http://127\\.0\\.0\\.1:\\d+/${provider}\\?`));
  assert.equal(browser.origin, origin);
  return await browser.allow(page.origin).click(page.href);
}

describe("withFakeProviders()", () => {
  for (const provider of ["google", "github", "apple"]) {
    test(`has a page for ${provider}, on which a developer says who they are`, async () => {
      const browser = await openSignIn(config, provider);
      assert.match(browser.html, /This is not /);
      await browser.submit({ name: "Bob", email: "bob@example.com", answer: "agree" });
      // Apple's answer is posted.
      if (provider === "apple") await browser.submit();
      assert.equal(browser.html, "Home");
      assert.equal((await browser.session())?.user?.email, "bob@example.com");
    });
  }

  test("lets a developer refuse, and names what is wrong with further claims", async () => {
    const browser = await openSignIn(config, "google");
    await browser.submit({ claims: "{" });
    assert.equal(browser.status, 400);
    assert.match(browser.html, /must be an object of JSON/);
    await browser.submit({ answer: "refuse" });
    assert.equal(await browser.session(), null);
    assert.equal(browser.url.pathname, "/auth/signin");
  });

  test("gives cookies that are worth nothing at the application", async () => {
    const browser = await openSignIn(config, "google");
    await browser.submit({ answer: "agree" });
    const cookie = browser.jar.headerFor(new URL("http://localhost:3000/"), { sameSite: true, safe: true }) ?? "";
    assert.match(cookie, /session-token=/);
    const request = new Request("http://localhost:3000/auth/session", { headers: { cookie } });
    assert.equal(await (await createAuth(config).handler(request)).json(), null);
  });

  test("answers on the hosts of this machine only, whatever the configuration trusts", async () => {
    const { handler } = createAuth(withFakeProviders({ ...config, trustHost: true }, { allow: true }));
    const answer = await handler(new Request("https://shop.com/auth/signin"));
    assert.equal(answer.status, 500);
    assert.equal((await handler(new Request("http://localhost:3000/auth/signin"))).status, 200);
  });

  test("its server answers on the names of this machine only", async () => {
    const browser = await openSignIn(config, "google");
    const { port } = browser.url;
    const { request } = await import("node:http");
    const status = await new Promise((resolve, reject) => {
      request({ port, host: "127.0.0.1", path: "/google?", headers: { host: `evil.test:${port}` } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).on("error", reject).end();
    });
    assert.equal(status, 404);
  });

  test("refuses production, whoever vouches for it", () => {
    const before = process.env.NODE_ENV;
    try {
      process.env.NODE_ENV = "production";
      assert.throws(() => withFakeProviders(config, { allow: true }), /NODE_ENV says that this is production/);
    } finally {
      if (before === undefined) delete process.env.NODE_ENV;
      else process.env.NODE_ENV = before;
    }
  });
});
