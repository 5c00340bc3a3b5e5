import { test } from "node:test";
import assert from "node:assert/strict";
import type { Adapter } from "../../../src/contract/adapter.ts";
import { isChallenge } from "../../../src/contract/challenge.ts";
import { InvalidConfig } from "../../../src/kernel/errors.ts";
import { actsOf } from "../../../src/limits/challenge.ts";
import { proofOfWork, type ProofOfWorkOptions } from "../../../src/limits/proof_of_work.ts";
import type { RequestContext } from "../../../src/request/context.ts";
import { testConfig, testContext, testLog, testRuntime } from "../_builders.ts";
import { solve } from "./_solve.ts";

const ADA = "a keyed hash of ada";
const BOB = "a keyed hash of bob";
const HOME = "a keyed hash of a network";

/** A service with a challenge, whose clock moves only when told. */
async function setUp(options: ProofOfWorkOptions = {}, { adapter = marks() }: { adapter?: Marks | null } = {}) {
  const runtime = testRuntime();
  const { logger, errors } = testLog();
  const ctx = (over: { readonly secret?: string | string[] } = {}) =>
    testContext("https://app.test/auth/signin", {
      config: testConfig({ ...(adapter && { adapter }), secret: "one", logger, ...over }, runtime),
    });
  const { show, verify } = await actsOf(proofOfWork({ hashes: 64, ...options }));
  const token = async (subject = ADA, debt = 1, given = ctx()): Promise<string> => {
    return (await show(given, { subject, debt, network: HOME })).fields.proofOfWork ?? "";
  };
  const answer = async (
    proofOfWork: unknown,
    { subject = ADA, network = HOME as string | null, given = ctx() as RequestContext } = {},
  ): Promise<boolean> => await verify(given, { subject, network, fields: { proofOfWork } });
  return { ctx, runtime, errors, show, token, answer };
}

type Marks = Adapter & { readonly set: string[] };

/** An adapter that can do nothing but set a mark once, and lists the marks. */
function marks(): Marks {
  const set: string[] = [];
  return {
    set,
    once(key: string) {
      if (set.includes(key)) return false;
      set.push(key);
      return true;
    },
  } as Partial<Adapter> as Marks;
}

test("a solution is right once, and nothing is stored before", async () => {
  const adapter = marks();
  const { token, answer } = await setUp({}, { adapter });
  const solved = solve(await token());
  assert.deepEqual(adapter.set, []);
  assert.equal(await answer(solved), true);
  assert.equal(adapter.set.length, 1);
  assert.equal(await answer(solved), false);
});

test("another solution of a token that was used is not right either", async () => {
  const { token, answer } = await setUp({ hashes: 1 });
  const text = await token();
  assert.equal(await answer(`${text}.1`), true);
  assert.equal(await answer(`${text}.2`), false);
});

test("of many at the same time, one is right", async () => {
  for (const adapter of [marks(), null]) {
    const { token, answer } = await setUp({}, { adapter });
    const solved = solve(await token());
    const answers = await Promise.all(Array.from({ length: 64 }, () => answer(solved)));
    assert.equal(answers.filter(Boolean).length, 1);
  }
});

test("a number whose hash is not small is wrong, and leaves the token as it was", async () => {
  const { token, answer } = await setUp();
  const text = await token();
  assert.equal(await answer(solve(text, false)), false);
  assert.equal(await answer(solve(text)), true);
});

test("a token is for its subject only", async () => {
  const { token, answer } = await setUp();
  const solved = solve(await token(ADA));
  assert.equal(await answer(solved, { subject: BOB }), false);
  assert.equal(await answer(solved), true);
});

test("a token is refused after five minutes, and before it was made", async () => {
  const { token, answer, runtime } = await setUp();
  const early = solve(await token());
  runtime.advance(300);
  assert.equal(await answer(early), true);
  const late = solve(await token());
  runtime.advance(301);
  assert.equal(await answer(late), false);
  const ahead = solve(await token());
  runtime.advance(-16);
  assert.equal(await answer(ahead), false);
  runtime.advance(1);
  assert.equal(await answer(ahead), true);
});

test("nobody can change what a token says", async () => {
  const { token, answer } = await setUp();
  const [issued = "", work = "", nonce = "", mac = ""] = (await token()).split(".");
  for (
    const parts of [
      [String(Number(issued) + 1), work, nonce, mac],
      [issued, "1", nonce, mac],
      [issued, work, "A".repeat(22), mac],
      [issued, work, nonce, mac.replace(/.$/, (last) => last === "0" ? "1" : "0")],
      [issued, work, nonce, "00000000-0000-8000-8000-000000000000"],
    ]
  ) {
    assert.equal(await answer(solve(parts.join("."))), false, parts.join("."));
  }
});

test("what is no token is not right, whatever it is", async () => {
  const { token, answer } = await setUp({ hashes: 1 });
  const text = await token();
  const sent: readonly unknown[] = [
    ...[undefined, null, "", 1, true, {}, [], [`${text}.1`], { toString: () => `${text}.1` }],
    ...[`${text}.`, `${text}.-1`, `${text}.01`, `${text}.1e3`, `${text}.12345678901`, `${text}.1\n`, ` ${text}.1`],
    ...[`${text}.${"1".repeat(60_000)}`, text.toUpperCase() + ".1", "..".repeat(30_000)],
  ];
  for (const each of sent) assert.equal(await answer(each), false, String(each).slice(0, 80));
  assert.equal(await answer(`${text}.1`), true);
});

test("the work grows with the debt, and has an end", async () => {
  const { token } = await setUp({ hashes: 100 });
  const workOf = async (debt: number) => Number((await token(ADA, debt)).split(".")[1]);
  assert.deepEqual(await Promise.all([0, 1, 1.2, 2, 15, 16, 17, 1e9, Infinity].map(workOf)), [
    ...[100, 100, 200, 200, 1500, 1600, 1600, 1600, 1600],
  ]);
});

test("a hash is small as often as the work says", async () => {
  const { token } = await setUp({ hashes: 64 });
  let tried = 0;
  for (let round = 0; round < 400; round++) tried += Number(solve(await token()).split(".")[4]) + 1;
  // The mean of 400 geometric numbers: five standard deviations are a quarter of it.
  assert.ok(Math.abs(tried / 400 - 64) < 16, String(tried / 400));
});

test("two pages never have the same token, so nobody can use up that of another", async () => {
  const { token } = await setUp();
  assert.equal(new Set(await Promise.all(Array.from({ length: 100 }, () => token()))).size, 100);
});

test("tokens of an older secret are good while the secret is listed", async () => {
  const { ctx, token, answer } = await setUp();
  const [first, second] = [solve(await token()), solve(await token())];
  assert.equal(await answer(first, { given: ctx({ secret: ["two", "one"] }) }), true);
  assert.equal(await answer(second, { given: ctx({ secret: "two" }) }), false);
});

test("without script a token is a ticket once it is old enough", async () => {
  const { token, answer, runtime } = await setUp();
  const ticket = await token();
  assert.equal(await answer(ticket), false);
  runtime.advance(29);
  assert.equal(await answer(ticket), false);
  runtime.advance(1);
  assert.equal(await answer(ticket), true);
  runtime.advance(60);
  assert.equal(await answer(ticket), false);
});

test("who comes back too early need not wait again", async () => {
  const { ctx, show, token, answer, runtime } = await setUp();
  const ticket = await token();
  runtime.advance(20);
  const asked = { subject: ADA, debt: 3, network: HOME };
  assert.deepEqual(await show(ctx(), { ...asked, fields: { proofOfWork: ticket } }), {
    ...{ id: "proof-of-work", fields: { proofOfWork: ticket }, waits: 10 },
  });
  runtime.advance(10);
  assert.equal(await answer(ticket), true);
});

test("a token that was used, solved or made for another is not shown again", async () => {
  const { ctx, show, token, runtime } = await setUp();
  const ticket = await token();
  const shown = async (proofOfWork: string, subject = ADA) => {
    return (await show(ctx(), { subject, debt: 1, network: HOME, fields: { proofOfWork } })).fields.proofOfWork;
  };
  assert.equal(await shown(ticket), ticket);
  assert.notEqual(await shown(solve(ticket)), ticket);
  assert.notEqual(await shown(ticket, BOB), ticket);
  runtime.advance(30);
  assert.notEqual(await shown(ticket), ticket);
});

test("a thousand pages that were opened together give one ticket for each wait and network", async () => {
  const { token, answer, runtime } = await setUp();
  let tickets = await Promise.all(Array.from({ length: 1000 }, (_, at) => token(`person ${at}`)));
  for (let wait = 1; wait <= 4; wait++) {
    runtime.advance(30);
    const answers = await Promise.all(tickets.map((ticket, at) => answer(ticket, { subject: `person ${at}` })));
    assert.equal(answers.filter(Boolean).length, 1);
    // What was used is not sent again.
    tickets = tickets.map((ticket, at) => answers[at] ? "" : ticket);
  }
});

test("where the address is unknown, tickets are counted for each subject, never for all", async () => {
  const { token, answer, runtime } = await setUp();
  const [ada, again, bob] = [await token(ADA), await token(ADA), await token(BOB)];
  runtime.advance(30);
  assert.equal(await answer(ada, { network: null }), true);
  assert.equal(await answer(again, { network: null }), false);
  assert.equal(await answer(bob, { network: null, subject: BOB }), true);
});

test("a ticket that comes in the wait of another is good in the next", async () => {
  const { token, answer, runtime } = await setUp();
  const [mine, theirs] = [await token(ADA), await token(BOB)];
  runtime.advance(30);
  assert.equal(await answer(theirs, { subject: BOB }), true);
  assert.equal(await answer(mine), false);
  runtime.advance(30);
  assert.equal(await answer(mine), true);
});

test("a ticket does not keep a solution out, nor a solution a ticket of the same network", async () => {
  const { token, answer, runtime } = await setUp();
  const [ticket, other] = [await token(), await token()];
  runtime.advance(30);
  assert.equal(await answer(solve(other)), true);
  assert.equal(await answer(ticket), true);
  assert.equal(await answer(solve(await token())), true);
});

test("without marks in storage, memory keeps a solution from being used twice", async () => {
  const { token, answer, runtime } = await setUp({}, { adapter: null });
  const solved = solve(await token());
  assert.equal(await answer(solved), true);
  runtime.advance(299);
  assert.equal(await answer(solved), false);
});

test("while storage is down, memory keeps a solution from being used twice, and the log says why", async () => {
  const adapter = { once: () => Promise.reject(new Error("down")) } as Partial<Adapter> as Marks;
  const { token, answer, errors } = await setUp({}, { adapter });
  const solved = solve(await token());
  assert.equal(await answer(solved), true);
  assert.equal(await answer(solved), false);
  assert.deepEqual(errors.map(({ name }) => name), ["AdapterError", "AdapterError"]);
});

test("a mark in storage ends after the token does", async () => {
  const ends: number[] = [];
  const adapter = { once: (_: string, end: Date) => ends.push(end.getTime()) > 0 } as Partial<Adapter> as Marks;
  const { token, answer, runtime } = await setUp({}, { adapter });
  const solved = solve(await token());
  const made = runtime.now();
  runtime.advance(200);
  assert.equal(await answer(solved), true);
  assert.deepEqual(ends, [made + 360_000]);
});

test("storage gets neither a subject nor a network as they are", async () => {
  const adapter = marks();
  const { token, answer, runtime } = await setUp({}, { adapter });
  const ticket = await token();
  runtime.advance(30);
  await answer(ticket);
  assert.equal(adapter.set.length, 2);
  assert.doesNotMatch(adapter.set.join(), /ada|network/);
});

for (
  const options of [{ hashes: 0 }, { hashes: 1.5 }, { hashes: 2 ** 25 }, { wait: 0 }, { wait: 241 }, { wait: NaN }]
) {
  test(`proofOfWork() refuses ${Object.entries(options).join()}, and names the option`, () => {
    const [option = ""] = Object.keys(options);
    assert.throws(
      () => proofOfWork(options),
      (error) => error instanceof InvalidConfig && error.message.includes(option),
    );
  });
}

test("only what this package makes is a challenge", async () => {
  assert.equal(isChallenge(proofOfWork()), true);
  for (const other of [null, undefined, "proof-of-work", { id: "proof-of-work" }, { ...proofOfWork() }]) {
    assert.equal(isChallenge(other), false);
  }
  await assert.rejects(() => actsOf({ id: "proof-of-work" }), InvalidConfig);
});
