import { test } from "node:test";
import assert from "node:assert/strict";
import { openLink } from "../../../src/email/callback.ts";
import { startEmail } from "../../../src/email/start.ts";
import type { Adapter, VerificationToken } from "../../../src/contract/adapter.ts";
import { AdapterError, InvalidConfig, Verification } from "../../../src/kernel/errors.ts";
import { ADDRESS, bench, cookiesAfter, TARGET } from "./_bench.ts";

const CODE = "424242";

type Key = Parameters<Required<Adapter>["useVerificationToken"]>[0];

/** What an adapter of Auth.js lacks. */
const FOR_AUTH_JS = { commit: undefined, getVerificationToken: undefined, once: undefined } as unknown as Adapter;

/** A bench with the operations of Auth.js, and how it sends a code and types one. */
function open(storage: Adapter = {}) {
  const made = bench({
    email: { generateVerificationToken: () => CODE, maxAge: 600 },
    storage: { ...FOR_AUTH_JS, ...storage },
  });
  const send = async () => {
    const ctx = made.context();
    await startEmail(ctx, { provider: made.provider, fields: { email: ADDRESS }, redirectUrl: TARGET });
    return cookiesAfter(ctx);
  };
  const type = async (cookies: Readonly<Record<string, string>>, code: string) => {
    const url = `https://app.test/auth/callback/email?token=${code}&email=${ADDRESS}`;
    const query = new URL(url).searchParams;
    return await openLink(made.context(url, cookies), { provider: made.provider, query, redirectUrl: TARGET });
  };
  return { ...made, send, type };
}

/** Tokens in memory, read and removed as `take` says. */
function tokens(take: (rows: Map<string, VerificationToken>, id: string) => Promise<VerificationToken | null>) {
  const rows = new Map<string, VerificationToken>();
  const idOf = ({ identifier, token }: Key) => `${identifier} ${token}`;
  return {
    createVerificationToken: (row: VerificationToken) => (rows.set(idOf(row), row), row),
    useVerificationToken: (key: Key) => take(rows, idOf(key)),
  };
}

test("storage is tried before the first code, the rows are stored before the code, and the code before it is sent", async () => {
  const { calls, send } = open();
  await send();
  const takes = Array.from({ length: 8 }, () => "useVerificationToken");
  const race = ["createVerificationToken", ...takes, "createVerificationToken", "useVerificationToken"];
  const stored = Array.from({ length: 6 }, () => "createVerificationToken");
  assert.deepEqual(calls, ["getUserByEmail", ...race, ...race, ...stored, "send"]);
  calls.length = 0;
  await send();
  assert.deepEqual(calls, ["getUserByEmail", ...stored, "send"]);
});

test("a guess takes a row before anything is looked up, and a sign-in removes what is left", async () => {
  const { calls, send, type } = open();
  const cookies = await send();
  const removals = async (code: string) => {
    calls.length = 0;
    await type(cookies, code).catch((error) => assert.ok(error instanceof Verification));
    return calls.filter((name) => name === "useVerificationToken").length;
  };
  assert.deepEqual([await removals("000000"), await removals("000000")], [1, 2]);
  calls.length = 0;
  assert.equal((await type(cookies, CODE)).kind, "redirect");
  const taken = ["useVerificationToken", "useVerificationToken", "useVerificationToken", "createVerificationToken"];
  assert.deepEqual(calls.slice(0, 4), taken);
  // All five rows, and those that say which were taken: nobody knows which are left.
  assert.deepEqual(calls.slice(-10), Array.from({ length: 10 }, () => "useVerificationToken"));
});

test("storage that rejects those who come too late can bound guesses", async () => {
  const { send, type } = open(tokens((rows, id) => {
    const found = rows.get(id);
    rows.delete(id);
    return found ? Promise.resolve(found) : Promise.reject(new Error("conflict"));
  }));
  const cookies = await send();
  assert.equal((await type(cookies, CODE)).kind, "redirect");
});

test("storage that reads first and removes then is found out, even while its pool opens connections", async () => {
  // The first to come has the only connection. All others wait until they have one of their own.
  const connections = new Set<number>();
  let callers = 0;
  const { send, mails } = open(tokens(async (rows, id) => {
    const caller = callers++ % 8;
    if (caller > 0 && !connections.has(caller)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      connections.add(caller);
    }
    const found = rows.get(id) ?? null;
    await new Promise((resolve) => setTimeout(resolve, 1));
    rows.delete(id);
    return found;
  }));
  await assert.rejects(send(), (error) => error instanceof InvalidConfig && error.message.includes("`once`"));
  assert.deepEqual(mails, []);
});

for (
  const [what, take] of [
    ["fails", () => Promise.reject(new Error("down"))],
    ["loses what it stored", () => Promise.resolve(null)],
  ] as const
) {
  test(`no code is sent while storage ${what}, and storage is tried again`, async () => {
    let isDown = true;
    const { send, type, mails } = open(tokens((rows, id) => {
      if (isDown) return take();
      const found = rows.get(id) ?? null;
      rows.delete(id);
      return Promise.resolve(found);
    }));
    await assert.rejects(send(), AdapterError);
    assert.deepEqual(mails, []);
    isDown = false;
    assert.equal((await type(await send(), CODE)).kind, "redirect");
  });
}

test("a broken-off sending leaves no code that can be guessed at", async () => {
  // Storage fails at the first, second, … token that is stored for the code.
  for (let works = 0; works < 6; works++) {
    let left = Infinity;
    const rows = new Set<string>();
    const { adapter, send, mails } = open({
      createVerificationToken(row) {
        if (left-- <= 0) throw new Error("down");
        rows.add(row.identifier);
        return adapter.createVerificationToken(row);
      },
    });
    await send();
    rows.clear();
    left = works;
    await assert.rejects(send(), AdapterError);
    assert.equal(mails.length, 1);
    assert.ok(!rows.has(ADDRESS));
  }
});
