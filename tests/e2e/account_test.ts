import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { findChromium, HASTE, skipsWithout, startChromium } from "../_support/chromium.ts";
import { type AccountSite, PASSWORD, startAccountSite } from "./_account_site.ts";
import { offerNothing, plugIn } from "./_passkeys.ts";
import { audit, MEASURE } from "./pages_tour.ts";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of the account page in a browser");

const ADA = "ada@example.com";
const NEW = "ada@new.example";
const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
  "Version/18.0 Mobile/15E148 Safari/604.1";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

type Options = NonNullable<Parameters<Browser["newContext"]>[0]>;

/** What somebody holds in their hands, and how their session is kept. */
interface Device {
  readonly how: string;
  readonly strategy: "database" | "jwt";
  readonly options: Options;
}

const PHONE: Device = {
  how: "on a phone in the dark",
  strategy: "database",
  options: { viewport: { width: 320, height: 640 }, colorScheme: "dark" },
};

const DESK: Device = {
  how: "without a script, in a sealed session",
  strategy: "jwt",
  options: { javaScriptEnabled: false, colorScheme: "light" },
};

describe("the account page in Chromium", { skip }, () => {
  let site: AccountSite;
  let chromium: Browser;

  before(async () => {
    site = await startAccountSite();
    chromium = await startChromium(executablePath);
  });
  after(async () => {
    await chromium?.close();
    await site?.close();
  });

  /** Gives somebody a browser of their own, of which nobody may complain. */
  async function visit(options: Options, act: (page: Page, context: BrowserContext) => Promise<void>): Promise<void> {
    const context = await chromium.newContext(options);
    const faults: string[] = [];
    context.on("weberror", (error) => faults.push(String(error.error())));
    context.on("console", (message) => {
      const text = message.text();
      const isOurs = message.page()?.url().startsWith(site.home) && message.type() !== "log";
      if (isOurs && !HASTE.test(text) && !text.includes("responded with a status of 4")) faults.push(text);
    });
    try {
      await act(await context.newPage(), context);
      assert.deepEqual(faults, []);
    } finally {
      await context.close();
    }
  }

  /** What pages have said that axe has looked at. */
  const audited = new Set<string>();

  /** Waits for a page. On a phone it has to fit, and axe finds nothing. */
  async function meet(page: Page, name: string): Promise<void> {
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    if (page.viewportSize()?.width !== PHONE.options.viewport?.width) return;
    assert.deepEqual(await page.evaluate(MEASURE), [], name);
    const text = await page.locator("main").innerText();
    if (audited.has(text)) return;
    audited.add(text);
    assert.deepEqual(await audit(page), [], name);
  }

  const button = (page: Page | Locator, name: string): Locator => page.getByRole("button", { name, exact: true });

  const link = (page: Page | Locator, name: string): Locator => page.getByRole("link", { name, exact: true });

  /** What a section of the overview lists. */
  const row = (page: Page, section: string, text: string): Locator =>
    page.getByRole("region", { name: section }).getByRole("listitem").filter({ hasText: text });

  const says = (page: Page, text: string): Promise<void> =>
    page.getByRole("status").filter({ hasText: text }).waitFor();

  const warns = (page: Page, text: string): Promise<void> =>
    page.getByRole("alert").filter({ hasText: text }).waitFor();

  async function open(page: Page, query = ""): Promise<void> {
    await page.goto(`${site.home}/auth/account${query}`);
  }

  /** Proves the address on the sign-in page, where somebody was sent. */
  async function byLink(page: Page, email = ADA): Promise<void> {
    const form = page.locator("form", { has: button(page, "Continue") });
    await form.getByLabel("Email").fill(email);
    await form.getByLabel("Email").press("Enter");
    await meet(page, "Check your email");
    await page.goto(await site.linkTo(email, "Sign in to Acme"));
  }

  /** Types the password on the sign-in page, where somebody was sent. */
  async function byPassword(page: Page, email = ADA): Promise<void> {
    const form = page.locator("form", { has: page.locator("input[type=password]") });
    await form.getByLabel("Email").fill(email);
    await form.locator("input[type=password]").fill(PASSWORD);
    await page.keyboard.press("Enter");
  }

  const withPasskey = (page: Page): Promise<void> =>
    page.getByRole("button", { name: "Sign in with a passkey" }).click();

  /** Logs in at the provider and agrees. */
  async function logIn(page: Page, login: string): Promise<void> {
    await page.locator("[name=login]").fill(login);
    await page.locator("[name=password]").fill("any");
    await button(page, "Sign-in").click();
    await button(page, "Continue").click();
  }

  /** Goes on with the keyboard alone, which has to get there. */
  async function tabTo(page: Page, target: Locator): Promise<void> {
    for (let stops = 0; await target.and(page.locator(":focus")).count() === 0; stops++) {
      assert.ok(stops < 60, "the keyboard does not get there");
      await page.keyboard.press("Tab");
    }
  }

  /** Opens the account, and signs in first. */
  async function enter(page: Page, prove: (page: Page) => Promise<void>): Promise<void> {
    await open(page);
    await meet(page, "Sign in to Acme");
    await prove(page);
    await meet(page, "Your account");
  }

  /** Asks for another address, on the page of the account. */
  async function askFor(page: Page, address: string): Promise<void> {
    await link(page.getByRole("region", { name: "Email" }), "Change").click();
    await meet(page, "Change your email address");
    await page.getByLabel("New email address").fill(address);
    await button(page, "Send the link").click();
    await meet(page, "Check your email");
    await says(page, "We sent a link to the new address.");
  }

  async function isSignedIn(page: Page, email: string): Promise<void> {
    await page.goto(site.home);
    assert.equal(await page.locator("#who").innerText(), email);
  }

  const isSignedOut = (page: Page): Promise<void> => isSignedIn(page, "nobody");

  for (const { how, strategy, options } of [PHONE, DESK]) {
    test(`somebody adds an account, removes it, and gets it back by the link of the email: ${how}`, () =>
      visit(options, (page) =>
        visit(options, async (other) => {
          site.open({ strategy, ways: ["link", "mock"] });
          await enter(page, byLink);
          await button(page, "Add Mock").click();
          await logIn(page, "joan");
          await meet(page, "Your account");
          await row(page, "Ways to sign in", "Mock").waitFor();
          assert.equal(await button(page, "Add Mock").count(), 0);
          assert.equal(site.subjectsTo(ADA).at(-1), "Sign-in with Mock was added to your account at Acme");

          // Of what was added just now, nothing is kept.
          site.advance(DAY + MINUTE);
          await link(row(page, "Ways to sign in", "Mock"), "Remove").click();
          await meet(page, "Confirm it’s you");
          await byLink(page);
          await meet(page, "Remove “Mock”?");
          await button(page, "Remove").click();
          await says(page, "It was removed.");
          await meet(page, "Your account");
          await button(page, "Add Mock").waitFor();

          const undo = await site.linkTo(ADA, "Sign-in with Mock was removed from your account at Acme");
          await other.goto(undo);
          await meet(other, "Bring back what was removed?");
          await other.getByText("Sign in first, so that we know that it is you.").waitFor();
          await link(other, "Sign in").click();
          await byLink(other);
          await meet(other, "Bring back what was removed?");
          await button(other, "Undo").click();
          await meet(other, "It was undone");
          await isSignedOut(page);
          // The clock of the provider was not moved.
          site.advance(-DAY);
          await open(page);
          await page.getByRole("button", { name: "Sign in with Mock" }).click();
          // The provider knows them still.
          await meet(page, "Your account");
          await page.getByText(ADA).first().waitFor();
          await row(page, "Ways to sign in", "Mock").waitFor();
          await page.goto(undo);
          await meet(page, "Please sign in again");
        })));

    test(`the last way in stays, and the page says why: ${how}`, () =>
      visit(options, async (page) => {
        site.open({ strategy, ways: ["mock"] });
        await enter(page, async () => {
          await button(page, "Sign in with Mock").click();
          await logIn(page, "joan");
        });
        const mock = row(page, "Ways to sign in", "Mock");
        await mock.getByText("Your only way in").waitFor();
        await mock.getByText("You cannot remove it before you add another way to sign in.").waitFor();
        assert.equal(await link(mock, "Remove").count(), 0);
        const id = (await mock.locator("[id^=way-]").getAttribute("id"))?.slice("way-".length);
        // Somebody may have had the page open before it was the last one.
        await open(page, `?act=unlink&id=${id}`);
        await meet(page, "Remove “Mock”?");
        await button(page, "Remove").click();
        await warns(page, "This is your only way in. Add another way to sign in first.");
        await mock.waitFor();
        assert.deepEqual(site.subjectsTo("joan@example.com"), []);
      }));

    test(`an address changes once both mailboxes have agreed: ${how}`, () =>
      visit(options, (page) =>
        visit(options, async (other) => {
          site.open({ strategy, ways: ["link", "password"] });
          const userId = await site.enrol(ADA);
          await enter(page, byPassword);
          await askFor(page, NEW);

          await page.goto(await site.linkTo(NEW, "Confirm your new email address"));
          await meet(page, "Is this your new address?");
          await page.getByText(NEW).waitFor();
          assert.deepEqual(site.subjectsTo(ADA), [], "who opens a link has not pressed the button yet");
          await button(page, "Continue").click();
          await meet(page, "Check your email");
          await says(page, "open the link that we sent to your present address");
          await open(page);
          await page.getByRole("region", { name: "Email" }).getByText(ADA).waitFor();

          const former = await site.linkTo(ADA, "Is the email address of your account at Acme to change?");
          await other.goto(former);
          await meet(other, "Allow another address?");
          await other.getByText(NEW).waitFor();
          assert.equal((await site.adapter.getUser(userId))?.email, ADA);
          await button(other, "Allow the change").click();
          await says(other, "Your email address is changed.");
          for (const address of [ADA, NEW]) {
            assert.equal(site.subjectsTo(address).at(-1), "The email address of your account at Acme was changed");
          }
          await other.goto(former);
          await meet(other, "Please sign in again");

          await isSignedOut(page);
          await enter(page, (page) => byLink(page, NEW));
          await page.getByRole("region", { name: "Email" }).getByText(NEW).waitFor();
          assert.equal((await site.adapter.getUserByEmail(NEW))?.id, userId);
          await open(other);
          await byPassword(other);
          await warns(other, "check them and try again");
          await byPassword(other, NEW);
          await meet(other, "Your account");
        })));

    test(`whoever did not ask for another address stops it, and all sessions end: ${how}`, () =>
      visit(options, (page) =>
        visit(options, async (other) => {
          site.open({ strategy, ways: ["link", "password"] });
          const userId = await site.enrol(ADA);
          await enter(page, byPassword);
          await askFor(page, NEW);
          await page.goto(await site.linkTo(NEW, "Confirm your new email address"));
          await button(page, "Continue").click();
          await meet(page, "Check your email");

          await other.goto(await site.linkTo(ADA, "Is the email address of your account at Acme to change?"));
          await button(other, "This was not me").click();
          await says(other, "Your email address stays as it is.");
          await isSignedOut(page);
          assert.equal((await site.adapter.getUser(userId))?.email, ADA);
          assert.equal(site.subjectsTo(ADA).at(-1), "The email address of your account at Acme stays as it is");
          assert.equal(site.subjectsTo(NEW).length, 1);
          await link(other, "Back to your account").click();
          await meet(other, "Sign in to Acme");
          await byPassword(other);
          await other.getByRole("region", { name: "Email" }).getByText(ADA).waitFor();
        })));

    test(`somebody signs out another device, and then all others: ${how}`, () =>
      visit(
        options,
        (page) =>
          visit({ ...options, userAgent: IPHONE }, (phone) =>
            visit({ ...options, userAgent: FIREFOX }, async (old) => {
              site.open({ strategy, ways: ["password"] });
              await site.enrol(ADA);
              for (const each of [phone, old, page]) await enter(each, byPassword);
              await row(page, "Devices", "This device").filter({ hasText: "Chrome" }).waitFor();
              assert.equal(await page.getByRole("region", { name: "Devices" }).getByRole("listitem").count(), 3);
              await button(row(page, "Devices", "Safari on iOS"), "Sign out").click();
              await says(page, "That device is signed out.");
              assert.equal(await row(page, "Devices", "Safari on iOS").count(), 0);
              await isSignedOut(phone);

              await enter(phone, byPassword);
              await page.reload();
              await button(page, "Sign out on all other devices").click();
              await says(page, "You are signed out on all other devices.");
              await isSignedOut(phone);
              await isSignedOut(old);
              await open(page);
              await meet(page, "Your account");
              assert.equal(await button(page, "Sign out on all other devices").count(), 0);
            })),
      ));

    test(`somebody saves what is stored of them, and no secret is in it: ${how}`, () =>
      visit(options, async (page, context) => {
        site.open({ strategy, ways: ["link", "password", "mock"], options: { export: () => ({ orders: [7] }) } });
        const userId = await site.enrol(ADA);
        await enter(page, byPassword);
        await button(page, "Add Mock").click();
        await logIn(page, "joan");
        await meet(page, "Your account");
        const saving = page.waitForEvent("download");
        await button(page, "Download your data").click();
        const file = await saving;
        assert.equal(file.suggestedFilename(), "account.json");
        const text = await readFile(await file.path(), "utf8");
        const { user, accounts, sessions, password, application } = JSON.parse(text);
        assert.deepEqual([user.id, user.email, user.name], [userId, ADA, null]);
        assert.deepEqual(accounts, [{ provider: "mock", providerAccountId: "joan", type: "oidc" }]);
        assert.deepEqual([sessions.length, sessions[0].browser, sessions[0].provider], [1, "Chrome", "Password"]);
        assert.ok(password.setAt);
        assert.deepEqual(application, { orders: [7] });

        const { access_token, id_token } = (await site.adapter.listAccountsByUserId(userId))[0] ?? assert.fail();
        const rows = await site.adapter.listSessionsByUserId(userId);
        const cookies = (await context.cookies()).flatMap(({ value }) => decodeURIComponent(value).split("|"));
        const tokens = rows.map(({ sessionToken }) => sessionToken);
        const secrets = [PASSWORD, access_token, id_token, ...tokens, ...cookies.filter(({ length }) => length > 16)];
        assert.ok(secrets.length > 5);
        for (const secret of secrets) assert.ok(secret && !text.includes(secret), `${secret}`);
        assert.equal(site.subjectsTo(ADA).at(-1), "The data of your account at Acme were downloaded");
      }));

    test(`somebody deletes their account with the keyboard, and nobody gets in as who they were: ${how}`, () =>
      visit(options, (page) =>
        visit(options, async (other) => {
          site.open({ strategy, ways: ["link", "password"] });
          const userId = await site.enrol(ADA);
          await enter(other, byPassword);
          await enter(page, byPassword);
          await tabTo(page, link(page, "Delete account"));
          await page.keyboard.press("Enter");
          await meet(page, "Delete your account?");
          await tabTo(page, page.getByLabel(`To confirm, type: ${ADA}`));
          await page.keyboard.type("ada@example.org");
          await page.keyboard.press("Enter");
          await warns(page, `That is not what was asked for. Please type: ${ADA}`);
          await meet(page, "Delete your account?");
          assert.ok(await site.adapter.getUser(userId));

          // Meanwhile the sign-in has become old.
          site.advance(11 * MINUTE);
          await tabTo(page, page.getByLabel(`To confirm, type: ${ADA}`));
          await page.keyboard.press("Control+A");
          await page.keyboard.type("Ada@Example.com");
          await page.keyboard.press("Enter");
          await meet(page, "Confirm it’s you");
          await byPassword(page);
          await meet(page, "Delete your account?");
          await tabTo(page, page.getByLabel(`To confirm, type: ${ADA}`));
          await page.keyboard.type(ADA);
          await tabTo(page, button(page, "Delete account"));
          await page.keyboard.press("Enter");
          await meet(page, "Sign in to Acme");

          assert.equal(await site.adapter.getUser(userId), null);
          assert.equal(site.subjectsTo(ADA).at(-1), "Your account at Acme was deleted");
          await isSignedOut(page);
          await isSignedOut(other);
          await open(page);
          await byPassword(page);
          await warns(page, "check them and try again");
          await enter(page, byLink);
          const { id } = await site.adapter.getUserByEmail(ADA) ?? assert.fail();
          assert.notEqual(id, userId);
        })));

    test(`somebody keeps their account, and later lets it go: ${how}`, () =>
      visit(options, async (page) => {
        site.open({ strategy, ways: ["link", "password"], options: { delete: { graceDays: 7 } } });
        const userId = await site.enrol(ADA);
        const leave = async (): Promise<void> => {
          await link(page, "Delete account").click();
          await meet(page, "Delete your account?");
          await page.getByText("is deleted after a wait: 7 days").waitFor();
          await page.getByLabel(`To confirm, type: ${ADA}`).fill(ADA);
          await button(page, "Delete account").click();
          await meet(page, "Sign in to Acme");
          await isSignedOut(page);
          assert.equal(site.subjectsTo(ADA).at(-1), "Your account at Acme is going to be deleted");
        };
        await enter(page, byPassword);
        await leave();

        site.advance(6 * DAY);
        await page.goto(await site.linkTo(ADA, "Your account at Acme is going to be deleted"));
        await byPassword(page);
        await meet(page, "Your account");
        await page.getByText("Your account will be deleted on").waitFor();
        assert.equal(await link(page, "Delete account").count(), 0);
        await button(page, "Keep my account").click();
        await says(page, "Your account will not be deleted.");
        assert.equal(site.subjectsTo(ADA).at(-1), "Your account at Acme is not deleted");

        site.advance(DAY + MINUTE);
        await isSignedIn(page, ADA);
        await open(page);
        await link(page, "Delete account").click();
        await byPassword(page);
        await meet(page, "Delete your account?");
        await open(page);
        await leave();
        site.advance(7 * DAY + MINUTE);
        await open(page);
        await byPassword(page);
        await meet(page, "No access");
        assert.equal(await site.adapter.getUser(userId), null);
        await open(page);
        await byPassword(page);
        await warns(page, "check them and try again");
      }));

    test(`whoever signed in long ago is asked who they are, and comes back to what they wanted: ${how}`, () =>
      visit(options, (page) =>
        visit(options, async (other) => {
          site.open({ strategy, ways: ["link", "password", "mock"] });
          const userId = await site.enrol(ADA);
          const account = { provider: "mock", providerAccountId: "joan", type: "oidc", userId } as const;
          await site.adapter.linkAccount(account);
          await enter(other, byPassword);
          await enter(page, byPassword);
          const steps = [
            ["Email", "Change", "Change your email address"],
            ["Ways to sign in", "Remove", "Remove “Mock”?"],
            ["Password", "Change", "Change your password"],
            ["Delete account", "Delete account", "Delete your account?"],
          ] as const;
          for (const [section, name, heading] of steps) {
            site.advance(11 * MINUTE);
            await open(page);
            await link(page.getByRole("region", { name: section }), name).click();
            await meet(page, "Confirm it’s you");
            await byPassword(page);
            await meet(page, heading);
          }
          for (const name of ["Sign out on all other devices", "Download your data"]) {
            site.advance(11 * MINUTE);
            await open(page);
            await button(page, name).click();
            await meet(page, "Confirm it’s you");
            await byPassword(page);
            await meet(page, "Your account");
            await button(page, name).waitFor();
          }
          await isSignedIn(other, ADA);
          // What shows and changes nothing of importance asks for nothing.
          site.advance(11 * MINUTE);
          await open(page);
          await link(page.getByRole("region", { name: "Profile" }), "Change").click();
          await page.getByLabel("Name").fill("Ada Lovelace");
          await button(page, "Save").click();
          await says(page, "Saved");
          assert.equal((await site.adapter.getUser(userId))?.name, "Ada Lovelace");
        })));
  }

  test("a passkey of a lost phone is removed: the phone is signed out, and forgets it as soon as somebody tries it", () =>
    visit({}, (page) =>
      visit({ userAgent: IPHONE }, async (phone) => {
        site.open({ strategy: "database", ways: ["link", "passkey"] });
        const devices = [];
        for (const each of [page, phone]) {
          await offerNothing(each);
          devices.push(await plugIn(each, { isUserVerified: true }));
          await enter(each, byLink);
          await link(each.getByRole("region", { name: "Passkeys" }), "Add a passkey").click();
          await button(each, "Create a passkey").click();
          await meet(each, "Your account");
        }
        const [own, lost] = devices;
        await page.reload();
        const passkeys = page.getByRole("region", { name: "Passkeys" }).getByRole("listitem");
        assert.equal(await passkeys.count(), 2);
        await link(passkeys.last(), "Rename").click();
        await page.getByLabel("Name").fill("The phone");
        await button(page, "Save").click();
        await link(row(page, "Passkeys", "The phone"), "Remove").click();
        await meet(page, "Remove “The phone”?");
        await button(page, "Remove").click();
        await says(page, "It was removed.");
        assert.equal(await passkeys.count(), 1);
        assert.equal(site.subjectsTo(ADA).at(-1), "A passkey was removed from your account at Acme");
        assert.deepEqual([await own?.count(), await lost?.count()], [1, 1], "each device has its own");

        await isSignedOut(phone);
        await open(phone);
        await withPasskey(phone);
        await meet(phone, "This passkey cannot be used");
        for (let tries = 0; await lost?.count() !== 0; tries++) {
          assert.ok(tries < 100, "the phone was not told");
          await phone.waitForTimeout(20);
        }
        await isSignedOut(phone);

        await page.goto(`${site.home}/auth/signout`);
        await button(page, "Sign out").click();
        await enter(page, withPasskey);
        assert.equal(await own?.count(), 1);
      })));
});
