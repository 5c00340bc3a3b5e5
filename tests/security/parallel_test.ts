/** Many at once: one person is one user, one flow is finished once, and nobody sees a failure for it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Adapter, createAuth, customFetch } from "@x/auth";
import { Browser } from "../_support/browser.ts";
import { pause, watchProcess } from "../_support/faults.ts";
import { brokenRows } from "../_support/invariants.ts";
import { mailbox } from "../_support/mailbox.ts";
import { ADA, password, recordLog, testConfig } from "../_support/service.ts";
import { MEMORY, NUMBERING_STORE, PLAIN_STORE, SQLITE, type StoreKind } from "../_support/stores.ts";
import { answerOf, countRows, fetchOf, givesSession, liveIssuer, locationOf } from "./_service.ts";

watchProcess();
const rows = countRows("parallel requests");

const MAX_AGE = 1000;

/** Storage of which every call takes its time. */
function slow(adapter: Adapter): Adapter {
  return Object.fromEntries(
    Object.entries(adapter).map(([name, operation]) => [name, async (...args: never[]) => {
      await pause(Math.random() * 4);
      const result = await (operation as (...args: never[]) => unknown)(...args);
      await pause(Math.random() * 4);
      return result;
    }]),
  );
}

interface Shape {
  readonly kind: StoreKind;
  readonly hurried?: boolean;
}

/** Every kind of storage, and how it takes its time. */
const SHAPES: readonly Shape[] = [
  { kind: MEMORY, hurried: true },
  { kind: MEMORY },
  { kind: PLAIN_STORE },
  { kind: NUMBERING_STORE },
  { kind: SQLITE, hurried: true },
];

function open({ kind, hurried = false }: Shape) {
  const store = kind.open(Date.now);
  const issuer = liveIssuer();
  const fetch = fetchOf(issuer);
  const { logger, errors } = recordLog();
  const mail = mailbox();
  const { handler } = createAuth(testConfig({
    logger,
    adapter: hurried ? store.adapter : slow(store.adapter),
    session: { strategy: "database", maxAge: MAX_AGE, updateAge: 0 },
    providers: [
      issuer.provider({ [customFetch]: fetch }),
      issuer.provider({ id: "second", [customFetch]: fetch }),
      mail.provider,
      password(),
    ],
  }));
  issuer.claim({ email: ADDRESS, email_verified: true });
  const visitor = () => new Browser(handler);
  return {
    store,
    issuer,
    errors,
    mail,
    visitor,
    handler,
    /** Goes to a provider and stops before the callback; `path` is where the provider sends them. */
    async reachCallback(provider = "idp", browser = visitor()) {
      const start = await browser.post(`/auth/signin/${provider}`, { csrfToken: await browser.csrf() });
      return { browser, path: await answerOf(issuer, locationOf(start)) };
    },
    /** The rows, which are to be sound. */
    async dump() {
      const dump = await store.dump();
      assert.deepEqual(brokenRows(dump, { now: Date.now(), maxAge: MAX_AGE, exempt: ["1"] }), []);
      return dump;
    },
  };
}

const ADDRESS = "ada@example.com";

/** Does something many times over, all at once. */
async function times<T>(count: number, run: (at: number) => Promise<T>): Promise<T[]> {
  return await Promise.all(Array.from({ length: count }, (_, at) => run(at)));
}

function isWelcome(response: Response): boolean {
  return locationOf(response) === "http://localhost:3000/";
}

for (const shape of SHAPES) {
  const where = `${shape.kind.name}${shape.hurried ? "" : ", slow"}`;

  test(`100 first sign-ins of one person at once make one user and one account (${where})`, async () => {
    const { store, reachCallback, dump, errors } = open(shape);
    const arrivals = await times(100, () => reachCallback());
    const answers = await Promise.all(arrivals.map(({ browser, path }) => browser.get(path)));
    const { users, accounts, sessions } = await dump();
    assert.deepEqual([users.length, accounts.length], [1, 1]);
    for (const response of answers) assert.equal(givesSession(response), isWelcome(response));
    const welcome = answers.filter(isWelcome).length;
    assert.equal(sessions.length, welcome);
    // Where storage numbers users, whoever comes between user and account cannot know whose the user is.
    const refused = answers.filter((response) => /error=OAuthAccountNotLinked$/.test(locationOf(response))).length;
    assert.equal(welcome + refused, 100, errors.map(String).join());
    if (shape.kind.keepsIds) assert.equal(refused, 0);
    for (const [at, { browser }] of arrivals.entries()) {
      const session = await browser.session();
      assert.equal(session?.user?.email, isWelcome(answers[at] ?? Response.error()) ? ADDRESS : undefined);
    }
    const again = await reachCallback();
    assert.ok(isWelcome(await again.browser.get(again.path)), "and the next one gets in");
    rows(100);
    store.close();
  });

  test(`two providers with one address at once make one user, and the other is refused (${where})`, async () => {
    for (let round = 0; round < 5; round++) {
      const { store, reachCallback, dump } = open(shape);
      const arrivals = [await reachCallback("idp"), await reachCallback("second")];
      const answers = await Promise.all(arrivals.map(({ browser, path }) => browser.get(path)));
      const { users, accounts } = await dump();
      assert.deepEqual([users.length, accounts.length], [1, 1]);
      const places = answers.map(locationOf).toSorted();
      assert.deepEqual(places, [
        "http://localhost:3000/",
        "http://localhost:3000/auth/signin?error=OAuthAccountNotLinked",
      ]);
      rows(2);
      store.close();
    }
  });

  test(`100 first sign-ins by password at once make one user (${where})`, async () => {
    if (!shape.kind.keepsIds) return;
    const { store, visitor, dump } = open(shape);
    const answers = await times(100, async () => {
      const browser = visitor();
      return await browser.post("/auth/callback/credentials", { ...ADA, csrfToken: await browser.csrf() });
    });
    assert.ok(answers.every(isWelcome), answers.map(locationOf).find((place) => place.includes("error")));
    const { users, sessions } = await dump();
    assert.deepEqual([users.length, sessions.length], [1, 100]);
    rows(100);
    store.close();
  });

  test(`one link that is pressed 64 times at once lets in once (${where})`, async () => {
    const { store, mail, visitor, dump } = open(shape);
    const asking = visitor();
    await asking.post("/auth/signin/email", { email: ADDRESS, csrfToken: await asking.csrf() });
    const { pathname, search } = mail.link();
    const answers = await times(64, async () => {
      const browser = visitor();
      return await browser.post(pathname + search, { csrfToken: await browser.csrf() });
    });
    assert.equal(answers.filter(givesSession).length, 1);
    assert.equal(answers.filter((answer) => /error=Verification$/.test(locationOf(answer))).length, 63);
    const { users, sessions, tokens } = await dump();
    assert.deepEqual([users.length, sessions.length, tokens.length], [1, 1, 0]);
    rows(64);
    store.close();
  });

  test(`a session that is renewed and ended at once is ended (${where})`, async () => {
    const { store, visitor, handler } = open(shape);
    const browser = visitor();
    const csrfToken = await browser.csrf();
    await browser.post("/auth/callback/credentials", { ...ADA, csrfToken });
    const cookie = browser.cookies.headerFor(new URL(browser.origin), { sameSite: true, safe: true }) ?? "";
    const read = () => handler(new Request("http://localhost:3000/auth/session", { headers: { cookie } }));
    await Promise.all([...Array.from({ length: 16 }, read), browser.post("/auth/signout", { csrfToken })]);
    assert.equal(await (await read()).json(), null);
    assert.deepEqual((await store.dump()).sessions, []);
    rows(17);
    store.close();
  });
}

for (const shape of SHAPES.filter(({ kind }) => kind.hasCommit)) {
  test(`one answer of a provider that comes 64 times at once is taken once (${shape.kind.name})`, async () => {
    const { store, issuer, handler, reachCallback, dump } = open(shape);
    const { browser, path } = await reachCallback();
    // A browser would drop the cookie after the first answer: whoever stole the request has it.
    const cookie = browser.cookies.headerFor(new URL(browser.origin), { sameSite: true, safe: true }) ?? "";
    const answers = await times(
      64,
      () => handler(new Request(`http://localhost:3000${path}`, { headers: { cookie } })),
    );
    assert.equal(issuer.count("token"), 1);
    assert.equal(answers.filter(givesSession).length, 1);
    assert.equal(answers.filter((answer) => /error=Verification$/.test(locationOf(answer))).length, 63);
    assert.equal((await dump()).sessions.length, 1);
    const late = await handler(new Request(`http://localhost:3000${path}`, { headers: { cookie } }));
    assert.equal(givesSession(late), false, "nor later");
    assert.equal(issuer.count("token"), 1);
    rows(65);
    store.close();
  });
}

/** What somebody else does between two looks of a sign-in at storage. */
function between(adapter: Adapter): { adapter: Adapter; meanwhile(act: () => unknown): void } {
  let pending: (() => unknown) | null = null;
  return {
    adapter: {
      ...adapter,
      getUserByEmail: async (address) => {
        const act = pending;
        pending = null;
        await act?.();
        return await adapter.getUserByEmail?.(address) ?? null;
      },
    },
    meanwhile: (act) => void (pending = act),
  };
}

for (const kind of [MEMORY, PLAIN_STORE, NUMBERING_STORE]) {
  test(`a sign-in that is overtaken by one of the same person lets in all the same (${kind.name})`, async () => {
    const store = kind.open(Date.now);
    const { adapter, meanwhile } = between(store.adapter);
    const { reachCallback, dump, visitor } = open({
      kind: { ...kind, open: () => ({ ...store, adapter }) },
      hurried: true,
    });
    const [first, second] = [await reachCallback(), await reachCallback()];
    meanwhile(() => first.browser.get(first.path));
    assert.ok(isWelcome(await second.browser.get(second.path)));
    const { users, accounts, sessions } = await dump();
    assert.deepEqual([users.length, accounts.length, sessions.length], [1, 1, 2]);
    if (!kind.keepsIds) return;
    store.clear();
    const byPassword = async () => {
      const browser = visitor();
      return await browser.post("/auth/callback/credentials", { ...ADA, csrfToken: await browser.csrf() });
    };
    meanwhile(byPassword);
    assert.ok(isWelcome(await byPassword()));
    assert.equal((await dump()).users.length, 1);
  });
}
