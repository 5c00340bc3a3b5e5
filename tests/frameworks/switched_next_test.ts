/** An application as it is written for next-auth, run with next-auth and, with other imports, with this package. */
import assert from "node:assert/strict";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { type DemoId, startDemoId } from "../../examples/demo/demo_id.ts";
import { findChromium, skipsWithout, startChromium, visitSite } from "../_support/chromium.ts";
import { freePort } from "../_support/free_port.ts";
import { installExample, nodeEnvironment } from "./_examples.ts";
import { runNpm } from "./_programs.ts";
import {
  type Answer,
  assertOnlyImportsChanged,
  ENVIRONMENT,
  json,
  Servers,
  SIDES,
  switchImports,
  Visitor as AnyVisitor,
} from "./_switched.ts";

const SOURCE = "tests/frameworks/authjs/next";

const ADA = { username: "ada", password: "lovelace" };
const BOB = { username: "bob", password: "builder" };

/** A visitor of this application, who can also fill in the forms of its pages. */
class Visitor extends AnyVisitor {
  readonly #origin: string;

  constructor(origin: string) {
    super(origin, "/api/auth");
    this.#origin = origin;
  }

  /** Opens a page. */
  async open(path: string): Promise<unknown> {
    return pageOf(await this.ask(path));
  }

  /** Fills in a form of a page that is a server action, and sends it, as a browser without scripts does. */
  async submit(path: string, form: string, fields: Readonly<Record<string, string>>): Promise<unknown> {
    const { text } = await this.ask(path);
    const [, inputs] = new RegExp(`<form[^>]*${form}[^>]*>(.*?)</form>`, "s").exec(text) ?? assert.fail(text);
    const sent = new FormData();
    for (const [input] of inputs?.matchAll(/<input type="hidden"[^>]*>/g) ?? []) {
      sent.set(attribute(input, "name"), attribute(input, "value"));
    }
    for (const [name, value] of Object.entries(fields)) sent.set(name, value);
    return pageOf(await this.ask(path, sent, { origin: this.#origin, "sec-fetch-site": "same-origin" }));
  }
}

function attribute(tag: string, name: string): string {
  const [, value = ""] = new RegExp(` ${name}="([^"]*)"`).exec(tag) ?? [];
  return value.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

/** What somebody sees of a page. */
function pageOf({ status, type, location, text }: Answer): unknown {
  const [, body = ""] = /<body>(.*)<\/body>/s.exec(text) ?? [];
  const seen = body.replace(/<script.*?<\/script>|<!--.*?-->/gs, "").replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
  return location ? { status, to: addressOf(location) } : { status, type, seen: seen.trim() };
}

/** The address that somebody is led to, without what is new each time. */
function addressOf(location: string): unknown {
  const { origin, pathname, searchParams } = new URL(location, "http://here.test");
  // Auth.js names the home page without a slash.
  if (origin !== "https://github.com") return location.replace(/=ORIGIN(?:%2F)?$/, "=ORIGIN/");
  const names = ["client_id", "redirect_uri", "response_type", "scope", "prompt", "code_challenge_method"];
  return [origin + pathname, names.map((name) => searchParams.get(name)?.replace(/localhost:\d+/, "ORIGIN"))];
}

/** What a visitor does, and what is compared. */
const STORIES: Readonly<Record<string, (visitor: Visitor) => Promise<unknown>>> = {
  "the CSRF token is a text of 64 digits, beside its cookie": async (visitor) => {
    const answer = await visitor.send("/api/auth/csrf");
    return [answer.status, answer.type, answer.text.replace(/[0-9a-f]{64}/, "TOKEN"), visitor.cookies];
  },
  "the providers are the same, in the same order": async (visitor) => {
    const answer = await visitor.send("/api/auth/providers");
    return [json(answer), Object.keys(JSON.parse(answer.text))];
  },
  "a stranger has no session, and is led from what is for members to the page for signing in": async (visitor) => {
    const told: unknown[] = [];
    for (const path of ["/api/auth/session", "/api/me", "/api/token"]) told.push(json(await visitor.send(path)));
    for (
      const path of ["/", "/client", "/account", "/login", "/login?error=AccessDenied", "/members?of=us", "/staff"]
    ) {
      told.push(await visitor.open(path));
    }
    return [...told, pageOf(await visitor.send("/api/auth/signin"))];
  },
  "a sign-in with a provider leads there with the same parameters": async (visitor) => {
    const posted = pageOf(await visitor.send("/api/auth/signin/github", { callbackUrl: "/members" }));
    return [posted, await visitor.submit("/login", 'id="provider"', { provider: "github" })];
  },
  "a wrong user name and a wrong password lead back with the code of the application": async (visitor) => {
    const unknown = await visitor.send("/api/auth/callback/credentials", { ...ADA, username: "eve" });
    const wrong = await visitor.send("/api/auth/callback/credentials", { ...ADA, password: "wrong" });
    return [pageOf(unknown), pageOf(wrong), json(await visitor.send("/api/auth/session"))];
  },
  "credentials sign in, the session has what the callbacks gave it, and a sign-out ends it": async (visitor) => {
    const told: unknown[] = [pageOf(await visitor.send("/api/auth/callback/credentials", ADA)), visitor.cookies];
    for (const path of ["/api/auth/session", "/api/me", "/api/token"]) told.push(json(await visitor.send(path)));
    for (const path of ["/", "/client", "/login", "/members", "/staff"]) told.push(await visitor.open(path));
    told.push(pageOf(await visitor.send("/api/auth/signout", { callbackUrl: "/" })));
    return [...told, json(await visitor.send("/api/auth/session")), await visitor.open("/members"), visitor.cookies];
  },
  "somebody with another role is led away by the proxy, and refused by a route handler": async (visitor) => {
    const told: unknown[] = [await visitor.send("/api/notes/7?a=b", {})];
    for (const who of [BOB, ADA]) {
      await visitor.send("/api/auth/callback/credentials", who);
      told.push(
        await visitor.open("/members"),
        await visitor.open("/staff"),
        await visitor.send("/api/notes/7?a=b", {}),
      );
    }
    return told;
  },
  "server actions sign in, change the session and sign out without scripts": async (visitor) => {
    const told: unknown[] = [];
    for (const form of ['id="credentials"', 'id="checked"']) {
      told.push(await visitor.submit("/login", form, { ...ADA, username: "eve" }));
      told.push(await visitor.submit("/login", form, { ...ADA, password: "wrong" }));
      told.push(await visitor.submit("/login?callbackUrl=/client", form, ADA));
      told.push(await visitor.submit("/members", 'id="rename"', { name: "Countess" }), await visitor.open("/members"));
      told.push(await visitor.submit("/members", "", {}), await visitor.open("/members"));
    }
    return told;
  },
  "a script gets the URL in JSON": async (visitor) => {
    const asked = { "x-auth-return-redirect": "1" };
    const wrong = await visitor.send("/api/auth/callback/credentials", { ...ADA, password: "wrong" }, asked);
    const right = await visitor.send("/api/auth/callback/credentials", { ...ADA, callbackUrl: "/members" }, asked);
    return [json(wrong), json(right), json(await visitor.send("/api/auth/signout", { callbackUrl: "/" }, asked))];
  },
  "a callbackUrl of another site is not followed": async (visitor) => {
    const fields = { ...ADA, callbackUrl: "https://evil.test/" };
    return [
      pageOf(await visitor.send("/api/auth/callback/credentials", fields)),
      await visitor.submit("/client", "", {}),
      await visitor.submit("/login?callbackUrl=https://evil.test/", 'id="credentials"', ADA),
    ];
  },
};

interface Sight {
  readonly home: string;
  /** Notes what is compared. */
  see(...things: readonly unknown[]): void;
}

/** What a visitor does with scripts. */
const CLIENT_STORIES: Readonly<Record<string, (page: Page, sight: Sight) => Promise<void>>> = {
  "a client component signs in, changes the session and signs out": async (page, { home, see }) => {
    await page.goto(`${home}/client`);
    await isReady(page);
    await shows(page, "#state", "unauthenticated");
    await enter(page, "#enter", "wrong");
    await shows(page, "#message", "CredentialsSignin wrong_password");
    await enter(page, "#enter", ADA.password);
    await shows(page, "#message", "");
    await shows(page, "header", "Ada Lovelace Sign out");
    see(await page.locator("body").innerText());
    // What the page knows of the session is what somebody sees after the next visit.
    await page.reload();
    await isReady(page);
    await shows(page, "#state", "authenticated Ada Lovelace admin");
    await page.locator("#rename").click();
    await shows(page, "#state", "authenticated Countess admin");
    await page.reload();
    await isReady(page);
    await shows(page, "header", "Countess Sign out");
    await page.locator("#check").click();
    await shows(page, "#message", "64 ada@example.com");
    await page.goto(`${home}/account`);
    await shows(page, "#state", "ada@example.com admin credentials");
    await page.goto(`${home}/client`);
    await isReady(page);
    await page.locator("#leave").click();
    await shows(page, "#state", "unauthenticated");
    await shows(page, "#message", "/client");
    see(await page.locator("body").innerText());
  },
  "a sign-out that leaves the page leads to where it was told": async (page, { home, see }) => {
    await page.goto(`${home}/login`);
    await enter(page, "#credentials", ADA.password);
    await page.waitForURL(`${home}/members`);
    await page.goto(`${home}/client`);
    await isReady(page);
    await page.locator("#out").click();
    await page.waitForURL(`${home}/login`);
    see(await page.locator("body").innerText());
  },
  "a sign-in with a provider leaves the page": async (page, { home, see }) => {
    await page.goto(`${home}/client`);
    await isReady(page);
    await page.locator("#github").click();
    await page.waitForURL("https://github.com/**");
    see(addressOf(page.url()));
  },
  "a page that needs a session leads to the page for signing in, and back": async (page, { home, see }) => {
    await page.goto(`${home}/account?tab=2`);
    await page.waitForURL(`${home}/login?**`);
    see(page.url().replace(home, "").replaceAll(encodeURIComponent(home), "ORIGIN"));
    await enter(page, "#credentials", ADA.password);
    await page.waitForURL(`${home}/account?tab=2`);
    await shows(page, "#state", "ada@example.com admin credentials");
  },
  "a provider signs in, knows who comes back, and somebody who cancels is told": async (page, { home, see }) => {
    for (const login of ["grace", "grace", ""]) {
      await page.goto(`${home}/login`);
      await page.locator("[value=keycloak]").click();
      await page.waitForURL((url) => url.origin !== home);
      await page.locator("[name=login]").fill(login);
      await page.locator("button").click();
      await page.waitForURL((url) => url.origin === home);
      await page.locator("header button, #error").waitFor();
      see(page.url().replace(home, ""), (await page.locator("body").innerText()).replace(/[\da-f-]{36}/, "ID"));
      await page.context().clearCookies();
    }
  },
  "the form of a server action tells what is wrong, and signs in": async (page, { home, see }) => {
    await page.goto(`${home}/members`);
    await enter(page, "#credentials", "wrong");
    await page.getByText("Invalid credentials.").waitFor();
    await enter(page, "#credentials", ADA.password);
    await page.waitForURL(`${home}/members`);
    see(await page.locator("body").innerText());
    await page.locator("header button").click();
    await page.waitForURL(`${home}/`);
    see(await page.locator("body").innerText());
  },
};

/** Waits until the scripts of the page `/client` run. */
async function isReady(page: Page): Promise<void> {
  await shows(page, "#providers", "GitHub, Google, Password, Staff ID");
}

async function enter(page: Page, form: string, password: string): Promise<void> {
  await page.locator(`${form} [name=username]`).fill(ADA.username);
  await page.locator(`${form} [name=password]`).fill(password);
  await page.locator(`${form} button`).click();
}

async function shows(page: Page, place: string, text: string): Promise<void> {
  const shown = page.locator(place).filter({ hasText: new RegExp(`^${RegExp.escape(text)}$`) });
  await shown.waitFor({ state: "attached" })
    .catch(async () => assert.equal(await page.locator(place).textContent(), text));
}

const executablePath = findChromium();

describe("an application of next-auth with other imports", () => {
  const servers = new Servers();
  let folder = "";
  let demoId: DemoId;

  before(async () => {
    folder = await installExample({ name: "authjs-next", basePath: "/api/auth", built: false, source: SOURCE });
    // Both use the packages above them, which Next looks for where a lock file is.
    writeFileSync(`${folder}/package-lock.json`, "{}");
    for (const side of SIDES) {
      rmSync(`${folder}/${side}`, { recursive: true, force: true });
      cpSync(SOURCE, `${folder}/${side}`, { recursive: true });
    }
    switchImports(SOURCE, `${folder}/ours`);
    const ports = await Promise.all(SIDES.map(freePort));
    const redirectUris = ports.map((port) => `http://localhost:${port}/api/auth/callback/keycloak`);
    demoId = await startDemoId({
      port: 0,
      clients: [{
        clientId: KEYCLOAK.AUTH_KEYCLOAK_ID,
        clientSecret: KEYCLOAK.AUTH_KEYCLOAK_SECRET,
        redirectUris,
      }],
      loginPage: ({ action }) =>
        `<form method="post" action="${action}"><input name="login"><button>Go on</button></form>`,
    });
    await Promise.all(SIDES.map(async (side, at) => {
      const env = {
        ...await nodeEnvironment(),
        ...ENVIRONMENT,
        ...KEYCLOAK,
        AUTH_KEYCLOAK_ISSUER: demoId.issuer,
        PORT: String(ports[at]),
      };
      const cwd = `${folder}/${side}`;
      // It checks the types, too.
      await runNpm(["run", "build"], { cwd, env }, 600);
      await servers.start(side, { cwd, env }, { port: ports[at] ?? 0, said: "Ready in" });
    }));
  });
  after(async () => {
    await servers.stop();
    await demoId?.close();
  });

  test("nothing but import lines has changed, and nothing of next-auth is left but its adapter", () => {
    assertOnlyImportsChanged(SOURCE, `${folder}/ours`);
  });

  servers.testStories(STORIES, (origin) => new Visitor(origin));

  describe("in Chromium", { skip: skipsWithout(executablePath, "The test of a switched client of next-auth") }, () => {
    let browser: Browser;
    before(async () => {
      browser = await startChromium(executablePath);
    });
    after(async () => {
      await browser?.close();
    });

    for (const [sentence, tell] of Object.entries(CLIENT_STORIES)) {
      test(sentence, async () => {
        const [theirs, ours] = await Promise.all(SIDES.map(async (side) => {
          const seen: unknown[] = [];
          const home = servers.originOf(side);
          await visitSite(browser, { home, mayRefuse: true }, async (page) => {
            page.setDefaultTimeout(10_000);
            await page.route("https://github.com/**", (route) => route.fulfill({ body: "GitHub" }));
            await tell(page, { home, see: (...things) => seen.push(...things) });
          });
          return seen;
        }));
        assert.deepEqual(ours, theirs);
      });
    }
  });

  test("the handlers of events were called for the same", () => {
    const all = servers.eventLines();
    // The beginning of a long output is not kept.
    const least = Math.min(...all.map((lines) => lines.length));
    const [theirs, ours] = all.map((lines) => lines.slice(-least));
    assert.ok(least > 3);
    assert.deepEqual(ours, theirs);
  });
});

const KEYCLOAK = { AUTH_KEYCLOAK_ID: "keycloak-id", AUTH_KEYCLOAK_SECRET: "keycloak-secret" };
