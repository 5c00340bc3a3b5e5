/** Passwords on pages of the application: what leads there, and what the links of emails still do themselves. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { password } from "@x/auth/providers/password";
import { ADA, BOB, cheapHash } from "../_support/passwords.ts";
import { openVisitedSite, type VisitedSite } from "../_support/password_visits.ts";

const FIRST = "a pelican on a bicycle";
const SECOND = "a bicycle on a pelican";

const PAGES = { signUp: "/join?theme=dark", reset: "/forgotten", password: "/account/password" };

function openSite(pages: typeof PAGES | Record<string, string> = PAGES): VisitedSite {
  return openVisitedSite({ pages });
}

const pageHeaders = { headers: { accept: "text/html" } };

/** Asks for a page as a browser does, and gives where it leads. */
async function leads(site: VisitedSite, path: string, browser = site.browser(), status = 302): Promise<URL> {
  const answer = await browser.get(path, pageHeaders);
  assert.equal(answer.status, status);
  assert.equal(answer.headers.get("referrer-policy"), "no-referrer");
  assert.equal(answer.headers.get("cache-control")?.includes("no-store"), true);
  return new URL(answer.headers.get("location") ?? "");
}

function queryOf({ searchParams }: URL): Record<string, string> {
  return Object.fromEntries(searchParams);
}

test("the pages of the service lead to those of the application, with what they were asked", async () => {
  const site = openSite();
  const query = `callbackUrl=/members&email=${ADA}`;
  const callbackUrl = "http://localhost:3000/members";
  const signUp = await leads(site, `/auth/signup?${query}`);
  assert.equal(signUp.pathname, "/join");
  assert.deepEqual(queryOf(signUp), { theme: "dark", callbackUrl, email: ADA });
  const reset = await leads(site, `/auth/reset?${query}&token=`).catch(() => null);
  assert.equal(reset?.pathname, "/auth/error");
  assert.deepEqual(queryOf(await leads(site, `/auth/reset?${query}`)), { callbackUrl, email: ADA });
  assert.equal((await leads(site, "/auth/password")).pathname, "/auth/signin");
});

test("a script gets JSON, whatever pages there are", async () => {
  const answer = await openSite().browser().get("/auth/signup");
  assert.deepEqual([answer.status, (await answer.json()).length], [200, { min: 15, max: 256 }]);
});

test("the link of a registration signs in the browser that began, and leads any other to the page to choose", async () => {
  const site = openSite();
  const browser = await begin(site);
  const link = new URL(site.linkTo(ADA));
  const other = site.browser();
  // Twice: whatever only looks at it uses nothing up.
  for (const who of [site.browser(), other]) {
    const choice = await leads(site, link.pathname + link.search, who);
    assert.equal(choice.pathname, "/join");
    assert.equal(choice.searchParams.get("token"), link.searchParams.get("token"));
    assert.equal(choice.searchParams.get("email"), ADA);
    assert.equal(await site.who(who), null);
  }
  await browser.open(link);
  assert.equal(await site.who(browser), ADA);
  assert.equal(browser.url.pathname, "/");
});

test("whoever asks for the head of a link is not told its token, and uses nothing up", async () => {
  const site = openSite();
  const browser = await begin(site);
  const { pathname, search } = new URL(site.linkTo(ADA));
  const answer = await browser.send("HEAD", pathname + search, undefined, pageHeaders);
  assert.equal(answer.status, 302);
  assert.deepEqual(Object.keys(queryOf(new URL(answer.headers.get("location") ?? ""))), [
    "theme",
    "callbackUrl",
    "email",
  ]);
  await browser.open(site.linkTo(ADA));
  assert.equal(await site.who(browser), ADA);
});

async function begin(site: VisitedSite) {
  const browser = site.browser();
  await browser.post("/auth/signup", { csrfToken: await browser.csrf(), email: ADA, password: FIRST });
  return browser;
}

test("the link for a new password leads to the page to choose, until it was used", async () => {
  const site = openSite();
  await site.join(ADA, FIRST);
  const browser = site.browser();
  await browser.post("/auth/reset", { csrfToken: await browser.csrf(), email: ADA });
  const link = new URL(site.linkTo(ADA));
  const choice = await leads(site, link.pathname + link.search);
  assert.equal(choice.pathname, "/forgotten");
  const { email, token } = queryOf(choice);
  assert.deepEqual([email, token?.length], [ADA, 64]);

  const csrfToken = await browser.csrf();
  const fields = { csrfToken, email: ADA, token: token ?? "" };
  const short = await browser.post("/auth/reset", { ...fields, password: "short" }, pageHeaders);
  assert.equal(short.status, 303);
  const back = new URL(short.headers.get("location") ?? "");
  assert.equal(back.pathname, "/forgotten");
  assert.deepEqual(queryOf(back), {
    ...{ callbackUrl: "http://localhost:3000/", email: ADA, token },
    ...{ error: "BadRequest", code: "short" },
  });
  await browser.post("/auth/reset", { ...fields, password: SECOND }, pageHeaders);
  assert.equal(await site.who(browser), ADA);
  const late = await leads(site, link.pathname + link.search, site.browser(), 303);
  assert.equal(late.pathname, "/forgotten");
  assert.deepEqual(queryOf(late), {
    ...{ callbackUrl: "http://localhost:3000/", email: ADA },
    ...{ error: "Verification", code: "expired" },
  });
});

test("only who may change a password is led to the page for it, and their address is in no URL", async () => {
  const site = openSite();
  const browser = await begin(site);
  await browser.open(site.linkTo(ADA));
  const page = await leads(site, "/auth/password", browser);
  assert.equal(page.pathname, "/account/password");
  assert.deepEqual(Object.keys(queryOf(page)), ["callbackUrl"]);
  const fields = { csrfToken: await browser.csrf(), password: SECOND };
  const saved = await browser.post("/auth/password", fields, pageHeaders);
  const { pathname, search } = new URL(saved.headers.get("location") ?? "");
  assert.equal((await leads(site, pathname + search, browser)).searchParams.get("done"), "saved");
  site.runtime.advance(11 * 60);
  assert.equal((await leads(site, "/auth/password", browser)).pathname, "/auth/signin");
});

test("an address that is none does not get into the URL of a page", async () => {
  const site = openSite();
  const browser = site.browser();
  const fields = { csrfToken: await browser.csrf(), email: "x".repeat(9000), password: FIRST };
  const answer = await browser.post("/auth/signup", fields, pageHeaders);
  assert.equal(answer.status, 303);
  assert.deepEqual(queryOf(new URL(answer.headers.get("location") ?? "")), {
    ...{ theme: "dark", callbackUrl: "http://localhost:3000/" },
    ...{ error: "EmailSignInError", code: "email" },
  });
  assert.equal(site.mails.length, 0);
});

test("an application has some of the pages, and the service shows the others", async () => {
  const site = openSite({ reset: "/forgotten" });
  const browser = await site.browser().open("/auth/signup");
  assert.match(browser.html, /Create account|Create an account/);
  await site.signUp(browser, BOB, FIRST);
  const other = await site.browser().open(site.linkTo(BOB));
  assert.match(other.html, /was begun in another browser/);
});

test("strangers see the pages to register and to choose a password, whatever `protect` lists", async () => {
  const { auth } = createAuth({
    secret: "x".repeat(43),
    adapter: memoryAdapter(),
    providers: [password({ hash: cheapHash() })],
    mail: () => {},
    trustHost: true,
    pages: PAGES,
    protect: ["/*"],
  });
  const site = auth(() => new Response("open"));
  const statuses = [];
  for (const path of ["/join", "/forgotten", "/account/password"]) {
    statuses.push((await site(new Request(`http://localhost:3000${path}`, pageHeaders))).status);
  }
  assert.deepEqual(statuses, [200, 200, 302]);
});
