/** The account page in frameworks: it opens after a sign-in, takes forms, and answers scripts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { accountPage } from "@x/auth/account";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { FreshAuth, type FreshState } from "@x/auth/fresh";
import { credentials } from "@x/auth/providers/credentials";
import { passkey } from "@x/auth/providers/passkey";
import { App } from "../../scripts/docs/fresh.ts";
import { Browser } from "../_support/browser.ts";
import { findChromium, skipsWithout, startChromium, visitSite } from "../_support/chromium.ts";
import { installExample, SECRETS } from "./_examples.ts";
import { secondFactorExamples } from "./_second_factor_examples.ts";
import { openSite, type Site } from "./_site.ts";
import { ADA } from "./_words.ts";

for (const { example, basePath } of secondFactorExamples()) {
  const { name, folder = name } = example;
  test(`people change their account in ${folder}, and their other sessions end`, async () => {
    const site = await openSite(example, await installExample(example));
    try {
      await tell(site, basePath);
    } finally {
      await site.close();
    }
  });
}

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of the account by a hook in Next");

for (const { example, basePath } of secondFactorExamples().filter(({ example }) => example.name === "next")) {
  test("a page of Next shows the account by a hook, and changes it", { skip }, async () => {
    const site = await openSite(example, await installExample(example));
    const browser = await startChromium(executablePath);
    try {
      await visitSite(browser, { home: site.home, mayRefuse: true }, async (page) => {
        page.setDefaultTimeout(15_000);
        const shown = (name: string) => page.locator("#own").filter({ hasText: name }).waitFor();
        await page.goto(`${site.home}/own`);
        await shown("nobody");
        await page.goto(`${site.home}${basePath}/signin?callbackUrl=/own`);
        await page.locator("[name=username]").fill(ADA.username);
        await page.locator("[name=password]").fill(ADA.password);
        await page.locator(`form[action$="/credentials"] [type=submit]`).click();
        await shown("Ada Lovelace");
        await page.locator("#rename").click();
        await shown("Ada King");
        await page.reload();
        await shown("Ada King");
      });
    } finally {
      await browser.close();
      await site.close();
    }
  });
}

// Fresh is not on npm.
test("people change their account in Fresh, and their other sessions end", async () => {
  const home = "http://localhost:8000";
  const auth = FreshAuth({
    secret: SECRETS.AUTH_SECRET,
    trustHost: true,
    adapter: memoryAdapter(),
    providers: [
      credentials({
        credentials: { username: {}, password: { type: "password" } },
        authorize: ({ username, password }) => {
          if (username !== "ada" || password !== "lovelace") return null;
          return { id: "ada", name: "Ada Lovelace", email: "ada@example.com" };
        },
      }),
      passkey({ relayingParty: { id: "localhost" }, relatedOrigins: ["https://example.de"] }),
    ],
    mail: () => {},
    features: [accountPage()],
  });
  const app = new App<FreshState>().use(auth.middleware).get("/", () => new Response("Home"));
  const browser = () => new Browser(app.handler(), { origin: home, basePath: "/auth", application: true });
  await tell({ home, browser }, "/auth");
});

async function tell({ home, browser }: Pick<Site, "home" | "browser">, basePath: string): Promise<void> {
  const account = `${home}${basePath}/account`;

  const own = await browser().open(account);
  assert.equal(own.url.pathname, `${basePath}/signin`);
  await own.submit(ADA, "/credentials");
  assert.equal(own.url.href, account);
  assert.match(own.html, /<h1>Your account<\/h1>/);

  await own.open(`${account}?act=rename`);
  await own.submit({ name: "Ada King" });
  assert.equal(own.url.searchParams.get("done"), "rename");
  assert.match(own.html, /Ada King/);

  const other = browser();
  await other.signIn("credentials", ADA, { callbackUrl: `${home}/` });
  assert.deepEqual(await sessionsOf(own, account), [true, false]);
  const fields = new URLSearchParams({ act: "endOthers", csrfToken: await own.csrf() });
  await own.open(account);
  await own.arrive(account, account, fields);
  assert.equal(own.url.searchParams.get("done"), "endOthers");
  assert.deepEqual(await sessionsOf(own, account), [true]);
  await other.open(account);
  assert.equal(other.url.pathname, `${basePath}/signin`);

  await own.open(`${account}?act=delete`);
  await own.submit({ typed: "ada@example.com" });
  assert.equal(own.url.pathname, `${basePath}/signin`);
  await own.open(account);
  assert.equal(own.url.pathname, `${basePath}/signin`);

  // Outside of the path of the service. Browsers ask without cookies.
  const related = await browser().open(`${home}/.well-known/webauthn`);
  assert.deepEqual(JSON.parse(related.html), { origins: ["https://example.de"] });
}

/** Asks as a script which sessions there are: whether each is the one that asks, which comes first. */
async function sessionsOf(browser: Browser, account: string): Promise<readonly boolean[]> {
  await browser.open(account, { headers: { accept: "application/json" } });
  const { view } = JSON.parse(browser.html) as { view: { sessions: readonly { readonly isCurrent: boolean }[] } };
  return view.sessions.map(({ isCurrent }) => isCurrent).sort((one, another) => Number(another) - Number(one));
}
