/** Guesses at a code of six digits, many at once and by several instances of a service, over any storage. */
import assert from "node:assert/strict";
import { type Adapter, createAuth } from "@x/auth";
import { Browser } from "./browser.ts";
import { mailbox } from "./mailbox.ts";
import { limits } from "@x/auth/limits";
import { recordLog, testConfig } from "./service.ts";

/** Guesses at one code that are looked at. */
export const MOST_GUESSES = 5;

const ADDRESS = "ada@example.com";
const CODE = "424242";
const AT_ONCE = 64;

/** So many guesses at once wait for each other where storage has few connections. */
const PATIENT = { total: 120 };

/** What became of a request with a code. */
export type Verdict = "in" | "refused";

/** Demands that of 64 guesses at once five are counted, however slow the one that is right, and that a new code works. */
export async function assertGuessesCounted(adapter: Adapter): Promise<void> {
  const box = mailbox({ generateVerificationToken: () => CODE });
  const counted: string[] = [];
  const instance = (before = () => Promise.resolve()) => {
    const { logger, errors } = recordLog();
    const counting = countingGuesses(adapter, counted, before);
    const { handler } = createAuth(
      testConfig({
        adapter: counting,
        providers: [box.provider],
        logger,
        timeouts: PATIENT,
        features: [limits({ off: "the guesses at one code are counted here" })],
      }),
    );
    return { handler, errors };
  };
  const instances = [instance(), instance()];
  const browser = new Browser(instances[0]?.handler ?? assert.fail());
  const cookie = await askedBy(browser);
  counted.length = 0;
  // Begun before all others; its count is taken when they are through.
  let [reach, pass] = [() => {}, () => {}];
  const reached = new Promise<void>((resolve) => void (reach = resolve));
  const others = new Promise<void>((resolve) => void (pass = resolve));
  const slow = instance(() => {
    reach();
    return others;
  });
  const right = guess(slow.handler, { code: CODE, cookie });
  await Promise.race([reached, right]);
  const wrong = Array.from({ length: AT_ONCE - 1 }, (_, at) => {
    return guess(instances[at % 2]?.handler ?? assert.fail(), { code: String(at).padStart(6, "0"), cookie });
  });
  const verdicts = await Promise.all(wrong);
  pass();
  verdicts.push(await right);
  assert.deepEqual(new Set(verdicts), new Set(["refused"]));
  assert.equal(counted.length, MOST_GUESSES, "guesses that were counted");
  assert.ok(counted.every((key) => !key.includes("@")), "nobody's address is in what is counted");
  for (const code of [CODE, "000000", CODE]) {
    assert.equal(await guess(instance().handler, { code, cookie }), "refused");
  }
  assert.equal(counted.length, MOST_GUESSES);
  assert.deepEqual(
    new Set(instances.flatMap(({ errors }) => errors.map(({ name }) => name))),
    new Set(["Verification"]),
  );

  const next = await askedBy(browser);
  assert.equal(await guess(instance().handler, { code: "000000", cookie: next }), "refused");
  assert.equal(
    await guess(instance().handler, { code: CODE, cookie: next }),
    "in",
    "the next code has its own guesses",
  );
}

/** An adapter that notes each guess that storage counts: a mark that is set, or a token that is taken. */
function countingGuesses(adapter: Adapter, counted: string[], before: () => Promise<void>): Adapter {
  if (adapter.once) {
    return {
      ...adapter,
      async once(key, expires) {
        await before();
        const isSet = await adapter.once?.(key, expires) ?? false;
        if (isSet) counted.push(key);
        return isSet;
      },
    };
  }
  // While a code is sent, five are stored, too: forget them.
  return {
    ...adapter,
    async createVerificationToken(row) {
      const stored = await adapter.createVerificationToken?.(row) ?? null;
      if (row.identifier.startsWith("code:")) counted.push(row.identifier);
      return stored;
    },
    async useVerificationToken(key) {
      if (key.identifier.startsWith("code:")) await before();
      return await adapter.useVerificationToken?.(key) ?? null;
    },
  };
}

/** Asks for a code, and gives what the browser holds then. */
export async function askedBy(browser: Browser, email = ADDRESS): Promise<string> {
  await browser.signIn("email", { email });
  assert.equal(browser.url.pathname, "/auth/verify-request");
  return browser.cookies.headerFor(new URL(browser.origin), { sameSite: true, safe: true }) ?? "";
}

/** Sends a code as a browser with these cookies does. */
export async function guess(
  handler: (request: Request) => Promise<Response>,
  { code, cookie, email = ADDRESS }: { readonly code: string; readonly cookie: string; readonly email?: string },
): Promise<Verdict> {
  const url = `http://localhost:3000/auth/callback/email?${new URLSearchParams({ token: code, email })}`;
  const response = await handler(new Request(url, { headers: { cookie } }));
  await response.body?.cancel();
  // Too many guesses at one address are not compared at all.
  if (response.status === 429) return "refused";
  const isIn = response.headers.getSetCookie().some((text) => /session-token=[^;]/.test(text));
  const location = response.headers.get("location") ?? "";
  assert.equal(location, isIn ? "http://localhost:3000/" : "http://localhost:3000/auth/error?error=Verification");
  return isIn ? "in" : "refused";
}
