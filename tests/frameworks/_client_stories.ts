/**
 * The stories of the client in a real browser. They know nothing of the framework but the page `/client` that examples with
 * `client: true` have, and its way to the home page and back without loading a page.
 *
 * - `#status` is `loading`, `authenticated` or `unauthenticated`, `#who` the user's name or `nobody`, `#error` the last
 *   error.
 * - The form `#sign-in`, `#update` (which makes the name Countess) and `#sign-out` do it without leaving the page;
 *   `#provider` leaves it.
 * - `#to-home` leads to the home page, and `#to-client` back.
 */
import assert from "node:assert/strict";
import type { BrowserContext, Page } from "playwright-core";
import { ADA, type Site } from "./_words.ts";

/** What somebody does with a browser of their own. */
export interface Visit {
  readonly site: Site;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Requests for the session so far, in all tabs. */
  asked(): number;
}

export type ClientStory = readonly [name: string, tell: (visit: Visit) => Promise<void>];

type Way = "to-home" | "to-client";

/** Opens the page whose scripts use the client, and waits until it knows the session. */
export async function openClient({ site }: Visit, page: Page): Promise<void> {
  await page.goto(`${site.home}/client`);
  await page.locator("#status").filter({ hasText: /authenticated$/ }).waitFor();
  await untilAlive(page);
}

// What a server has rendered answers no click before the scripts are there.
async function untilAlive(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
}

async function assertShows(page: Page, id: string, text: string): Promise<void> {
  const place = page.locator(`#${id}`);
  await place.filter({ hasText: new RegExp(`^\\s*${text}\\s*$`) }).waitFor({ state: "attached", timeout: 10_000 })
    .catch(async () => assert.equal((await place.textContent())?.trim(), text, id));
}

async function assertKnown(page: Page, name: string | null): Promise<void> {
  await assertShows(page, "status", name === null ? "unauthenticated" : "authenticated");
  await assertShows(page, "who", name ?? "nobody");
}

async function signIn(page: Page, password = ADA.password): Promise<void> {
  await page.locator("#sign-in [name=username]").fill(ADA.username);
  await page.locator("#sign-in [name=password]").fill(password);
  await page.locator("#sign-in button").click();
}

async function signedIn(visit: Visit): Promise<Page> {
  await openClient(visit, visit.page);
  await signIn(visit.page);
  await assertKnown(visit.page, "Ada Lovelace");
  return visit.page;
}

/** Follows a link that loads no page, and waits for the page it leads to. */
async function go(page: Page, way: Way): Promise<void> {
  await page.locator(`#${way}`).click();
  await page.locator(way === "to-home" ? "#to-client" : "#to-home").waitFor();
}

async function assertGreeted(page: Page, name: string): Promise<void> {
  await page.getByText(`Hello ${name}`, { exact: true }).waitFor({ timeout: 10_000 });
}

function mark(page: Page): Promise<unknown> {
  return page.evaluate("globalThis.isOld = true");
}

async function assertNotLoaded(page: Page): Promise<void> {
  assert.equal(await page.evaluate("globalThis.isOld"), true, "the page was not loaded again");
}

/** Milliseconds after which somebody who comes back to a page has it ask again. */
const AWAY = 6000;

/** Lets time pass, for all who read the clock. */
async function passTime(page: Page): Promise<void> {
  const now = Number(await page.evaluate("Date.now()"));
  await page.clock.setFixedTime(now + AWAY);
}

/** Lets somebody come back to a page after a while. @returns The status of the answer to what it asks. */
async function comeBack({ site }: Visit, page: Page): Promise<number> {
  await passTime(page);
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === `${site.basePath}/session`);
  await page.evaluate(`dispatchEvent(new Event("focus"))`);
  return (await answered).status();
}

export const CLIENT_STORIES: readonly ClientStory[] = [
  ["a wrong password is an error, the right one signs in, and the page stays", async (visit) => {
    const { page } = visit;
    await openClient(visit, page);
    await mark(page);
    await assertKnown(page, null);
    await signIn(page, "wrong");
    await assertShows(page, "error", "CredentialsSignin");
    await assertKnown(page, null);
    await signIn(page);
    await assertKnown(page, "Ada Lovelace");
    await assertShows(page, "error", "");
    await assertNotLoaded(page);
    assert.doesNotMatch(String(await page.evaluate("document.cookie")), /authjs/, "no script reads a cookie");
  }],
  ["a change of the name is shown, and lasts", async (visit) => {
    const page = await signedIn(visit);
    await page.locator("#update").click();
    await assertKnown(page, "Countess");
    await page.reload();
    await assertKnown(page, "Countess");
  }],
  ["whoever is not signed in cannot change the session", async (visit) => {
    await openClient(visit, visit.page);
    await visit.page.locator("#update").click();
    await assertShows(visit.page, "error", "SessionRequired");
    await assertKnown(visit.page, null);
  }],
  ["signing out keeps the page, and lasts", async (visit) => {
    const page = await signedIn(visit);
    await mark(page);
    await page.locator("#sign-out").click();
    await assertKnown(page, null);
    await assertNotLoaded(page);
    await page.reload();
    await assertKnown(page, null);
  }],
  ["a provider signs in, and leads back to the page", async (visit) => {
    const { page, site } = visit;
    await openClient(visit, page);
    await page.locator("#provider").click();
    await page.locator("[name=login]").fill("grace");
    await page.locator("form button").click();
    await page.waitForURL(`${site.home}/client`);
    await assertKnown(page, "Grace Hopper");
  }],
  ["a way to another page and back loads nothing, and asks for no session", async (visit) => {
    const page = await signedIn(visit);
    await page.reload();
    await assertKnown(page, "Ada Lovelace");
    await untilAlive(page);
    await mark(page);
    const asked = visit.asked();
    for (let round = 0; round < 2; round++) {
      await go(page, "to-home");
      await assertGreeted(page, "Ada Lovelace");
      await go(page, "to-client");
      await assertKnown(page, "Ada Lovelace");
    }
    await assertNotLoaded(page);
    assert.equal(visit.asked(), asked);
  }],
  ["a page reached without loading greets whoever has signed in or out meanwhile", async (visit) => {
    const { page, site } = visit;
    await page.goto(`${site.home}/`);
    await assertGreeted(page, "stranger");
    await untilAlive(page);
    await mark(page);
    await go(page, "to-client");
    await signIn(page);
    await assertKnown(page, "Ada Lovelace");
    await go(page, "to-home");
    await assertGreeted(page, "Ada Lovelace");
    await go(page, "to-client");
    await page.locator("#sign-out").click();
    await assertKnown(page, null);
    await go(page, "to-home");
    await assertGreeted(page, "stranger");
    await assertNotLoaded(page);
  }],
  ["two tabs keep in step", async (visit) => {
    const other = await visit.context.newPage();
    await openClient(visit, other);
    const page = await signedIn(visit);
    await assertKnown(other, "Ada Lovelace");
    await other.locator("#update").click();
    await assertKnown(page, "Countess");
    await page.locator("#sign-out").click();
    await assertKnown(other, null);
  }],
  ["what another tab did while this one showed another page is known on the way back", async (visit) => {
    const page = await signedIn(visit);
    const other = await visit.context.newPage();
    await openClient(visit, other);
    await mark(page);
    await go(page, "to-home");
    await other.locator("#sign-out").click();
    await assertKnown(other, null);
    // A page that a server has rendered with the session knows it at once. Others ask, unless they have just asked.
    await passTime(page);
    await go(page, "to-client");
    await assertKnown(page, null);
    await assertNotLoaded(page);
  }],
  ["while the service is away the page knows what it knew, and learns the rest when it is back", async (visit) => {
    const page = await signedIn(visit);
    visit.site.storage.setDown(true);
    try {
      assert.equal(await comeBack(visit, page), 503);
      await assertKnown(page, "Ada Lovelace");
      await page.locator("#update").click();
      await assertShows(page, "error", "\\S+");
      await assertKnown(page, "Ada Lovelace");
    } finally {
      visit.site.storage.setDown(false);
    }
    await visit.context.clearCookies();
    assert.equal(await comeBack(visit, page), 200);
    await assertKnown(page, null);
  }],
  ["a page that comes back by the history does not show who has signed out", async (visit) => {
    const page = await signedIn(visit);
    await page.goto(`${visit.site.home}/about`);
    const other = await visit.context.newPage();
    await openClient(visit, other);
    await other.locator("#sign-out").click();
    await assertKnown(other, null);
    await page.evaluate("history.back()");
    await page.waitForURL(`${visit.site.home}/client`, { waitUntil: "commit" });
    await assertKnown(page, null);
  }],
  ["a link to a guarded page leads strangers to the sign-in page, and on", async (visit) => {
    const { page, site } = visit;
    await page.goto(`${site.home}/`);
    await untilAlive(page);
    await page.getByRole("link", { name: "For members" }).click();
    await page.waitForURL((url) => url.pathname === `${site.basePath}/signin`);
    const form = page.locator(`form[action$="/credentials"]`);
    await form.locator("[name=username]").fill(ADA.username);
    await form.locator("[name=password]").fill(ADA.password);
    await form.locator("button[type=submit]").click();
    await page.waitForURL(`${site.home}/members`);
    await page.getByText("For members only: Ada Lovelace").waitFor();
  }],
  [
    "a link to a guarded page loads nothing for members, and shows nothing after they have signed out",
    async (visit) => {
      const page = await signedIn(visit);
      const link = page.getByRole("link", { name: "For members" });
      await mark(page);
      await go(page, "to-home");
      await link.click();
      await page.getByText("For members only: Ada Lovelace").waitFor();
      await assertNotLoaded(page);
      await page.goBack();
      await go(page, "to-client");
      await page.locator("#sign-out").click();
      await assertKnown(page, null);
      await go(page, "to-home");
      await link.click();
      await page.waitForURL((url) => url.pathname === `${visit.site.basePath}/signin`);
      assert.doesNotMatch(await page.content(), /For members only/);
    },
  ],
];
