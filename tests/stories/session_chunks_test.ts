import { test } from "node:test";
import assert from "node:assert/strict";
import { createAuth } from "@x/auth";
import { Browser } from "../_support/browser.ts";
import { ADA, recordLog, testConfig } from "../_support/service.ts";

const CHUNK = /^authjs\.session-token\.\d$/;

/** A service whose session is as long as the update asks for. */
function open(length: number): { browser: Browser; errors: Error[] } {
  const { logger, errors } = recordLog();
  const { handler } = createAuth(testConfig({
    logger,
    callbacks: {
      jwt: ({ token, trigger, session }) => {
        const wanted = trigger === "update" ? Number(session) : length;
        return trigger ? { ...token, roles: "r".repeat(wanted) } : token;
      },
      session: ({ session, token }) => ({ ...session, roles: token?.roles }),
    },
  }));
  return { browser: new Browser(handler), errors };
}

async function resize(browser: Browser, length: number): Promise<void> {
  await browser.postJson("/auth/session", { csrfToken: await browser.csrf(), data: length });
}

function parts(browser: Browser): string[] {
  return browser.cookies.names("session-token").toSorted();
}

test("a large session is spread over several cookies", async () => {
  const { browser } = open(6000);
  await browser.signIn("credentials", ADA);
  assert.equal(parts(browser).length, 3);
  assert.ok(parts(browser).every((name) => CHUNK.test(name)));
  assert.equal((await browser.session())?.roles, "r".repeat(6000));
});

for (const length of [40_000, 270_000, 5_000_000]) {
  test(`a session of ${length} characters is refused, and the log says what to do`, async () => {
    const { logger, errors } = recordLog();
    const { handler } = createAuth(testConfig({
      logger,
      callbacks: { jwt: ({ token }) => ({ ...token, roles: "r".repeat(length) }) },
    }));
    const browser = new Browser(handler, { mayFail: true });
    await browser.signIn("credentials", ADA);
    assert.equal(browser.url.pathname, "/auth/error");
    assert.equal(await browser.session(), null);
    assert.match(
      String(errors[0]?.message),
      /of at most 19680, and `roles` takes most .* Return less from `callbacks.jwt`/,
    );
  });
}

test("a session that grows too large keeps the one before", async () => {
  const { browser, errors } = open(10);
  await browser.signIn("credentials", ADA);
  await resize(browser, 40_000);
  assert.equal((await browser.session())?.roles, "r".repeat(10));
  assert.equal(errors.length, 1);
});

const OTHERS = Array.from({ length: 400 }, (_, i) => `other${i}=${i}`).join("; ");

/** A browser that signs in and then sends these cookies besides its own, and what the log hears. */
async function visit(others: string): Promise<{ subjects: unknown[]; warnings: string[]; told: string[] }> {
  const { logger, warnings } = recordLog();
  const told: string[] = [];
  const warn = (code: string, ...rest: unknown[]) => {
    logger.warn?.(code, ...rest as [never]);
    told.push(JSON.stringify(rest));
  };
  const { handler, auth } = createAuth(testConfig({ logger: { ...logger, warn } }));
  const browser = new Browser(handler);
  await browser.signIn("credentials", ADA);
  const own = browser.cookies.names("session-token").map((name) => `${name}=${browser.cookies.get(name)?.value}`);
  const subjects: unknown[] = [];
  for (const cookie of [`${others}; ${own}`, `${own}; ${others}`]) {
    const request = () => new Request("http://localhost:3000/auth/session", { headers: { cookie } });
    subjects.push((await (await handler(request())).json())?.user?.name, (await auth(request()))?.user?.name);
  }
  // After the sign-in the browser asks for the page of an application, which is not there.
  return { subjects, warnings: warnings.filter((code) => code !== "path-elsewhere"), told };
}

test("many cookies of other software sign nobody out", async () => {
  const { subjects, warnings } = await visit(OTHERS);
  assert.equal(subjects.length, 4);
  assert.ok(subjects[0]);
  assert.equal(new Set(subjects).size, 1);
  assert.deepEqual(warnings, []);
});

test("more cookies than are read are logged once, without their values", async () => {
  const { subjects, warnings, told } = await visit(`other=${"secret".repeat(6000)}`);
  assert.deepEqual(subjects, [undefined, undefined, undefined, undefined]);
  assert.deepEqual(warnings, ["cookies-unread"]);
  assert.match(told.join(), /32768/);
  assert.doesNotMatch(told.join(), /secret|session-token/);
});
