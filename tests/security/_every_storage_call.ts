/**
 * The k-th call to storage fails, for every k, in every flow: the answer is safe, the rows are sound, and whoever starts
 * again gets in.
 *
 * @module
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Browser } from "../_support/browser.ts";
import { readSetCookie } from "../_support/cookie_jar.ts";
import { LIMITS, pause, soon } from "../_support/faults.ts";
import { brokenRows, brokenSteps, type Dump } from "../_support/invariants.ts";
import type { StoreKind } from "../_support/stores.ts";
import { type Fault, MALLORY } from "./_storage_faults.ts";
import { type Flow, FLOWS } from "./_storage_flows.ts";
import { ADA, COOKIE, MAX_AGE, openWorld, type World } from "./_storage_world.ts";

/** Goes through every call of every flow. @param count Told of each point. */
export function testEveryCall(
  kinds: readonly StoreKind[],
  faults: readonly Fault[],
  count: () => void,
): void {
  for (const flow of FLOWS) {
    for (const kind of kinds) {
      for (const strategy of flow.strategies ?? ["database", "jwt"] as const) {
        if (flow.keepsIds && !kind.keepsIds) continue;
        test(`${flow.name} is whole or not at all, whichever call fails (${kind.name}, ${strategy})`, async () => {
          const world = await openWorld(flow, kind, strategy);
          try {
            await everyCall(world, flow, faults, count);
          } finally {
            world.store.close();
          }
        });
      }
    }
  }
}

async function everyCall(world: World, flow: Flow, faults: readonly Fault[], count: () => void): Promise<void> {
  const { trap } = world;
  const browser = await begin(world, flow);
  assert.equal(isRefusal(await flow.act(world, browser)), flow.end.refused === true, "nothing fails yet");
  const names = [...trap.calls];
  for (const [at, name] of names.entries()) {
    for (const fault of faults.filter(({ fits }) => !fits || fits.has(name))) {
      for (const lasting of [false, true]) {
        const point = { at: at + 1, fault, lasting };
        try {
          await onePoint(world, flow, point, name);
        } catch (error) {
          const where = `call ${at + 1}, ${name}, ${fault.name}${lasting ? ", and so do the next" : ""}`;
          throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
        }
        count();
      }
    }
  }
}

async function begin(world: World, flow: Flow): Promise<Browser> {
  const { store, trap, errors, told } = world;
  trap.reset();
  store.clear();
  await store.rows.createUser(MALLORY);
  await store.rows.linkAccount({ provider: "idp", providerAccountId: "mallory", type: "oauth", userId: MALLORY.id });
  const browser = await flow.prepare(world);
  trap.reset();
  errors.length = 0;
  told.length = 0;
  return browser;
}

interface Point {
  readonly at: number;
  readonly fault: Fault;
  readonly lasting: boolean;
}

async function onePoint(world: World, flow: Flow, { at, fault, lasting }: Point, name: string): Promise<void> {
  const { store, trap, runtime, errors } = world;
  const browser = await begin(world, flow);
  const before = await store.dump();
  const hung = trap.arm(at, fault, lasting);
  const act = flow.act(world, browser);
  if (fault.hangs) {
    await hung;
    await pause();
    // As a clock would: what has a deadline of its own is given up before the answer is.
    runtime.elapse(LIMITS.total / 4);
    await pause();
    runtime.elapse(LIMITS.total * 3 / 4);
  }
  const response = await soon(act, "the answer");
  assert.ok(trap.fired, "the call was made");
  trap.reset();
  const after = await store.dump();
  assertSafe(world, { flow, response, before, after });
  assert.ok(!isRefusal(response) || errors.length === 1, `one line for one failure: ${errors.map(String)}`);
  const halfDone = name === "createUser" || lasting || fault.hangs === true;
  await assertRecovers(world, flow, { browser, lockedOut: halfDone && isLockedOut(world, after) });
}

interface Aftermath {
  readonly flow: Flow;
  readonly response: Response;
  readonly before: Dump;
  readonly after: Dump;
}

function assertSafe(world: World, { flow, response, before, after }: Aftermath): void {
  const { kind, runtime, told } = world;
  const { status } = response;
  assert.ok([200, 302, 400, 503].includes(status) || isCatchAll(response), `the status is ${status}`);
  const given = givenSession(response);
  if (isRefusal(response)) {
    assert.equal(given, undefined, "a failure makes no session");
    // A sealed session is made last: a user who was created stays, and was reported.
    const created = after.users.filter(({ id }) => !before.users.some((user) => user.id === id));
    const reported = world.strategy === "jwt" ? created.map(({ id }) => `createUser ${id}`) : [];
    assert.deepEqual(told.filter((line) => !reported.includes(line)), [], "a failure is no news");
    if (status === 503) assert.deepEqual(response.headers.getSetCookie(), []);
  }
  if (given && world.strategy === "database") {
    const row = after.sessions.find(({ sessionToken }) => sessionToken === given);
    assert.ok(row, "a session that is given exists");
    assert.notEqual(row.userId, MALLORY.id, "and is not somebody else's");
  }
  if (flow.end.refused) assert.equal(given, undefined, "nobody is let in who is not to be");
  const rules = { now: runtime.now(), maxAge: MAX_AGE, exempt: exemptIn(flow), unfinished: !kind.hasCommit };
  assert.deepEqual([...brokenRows(after, rules), ...brokenSteps(before, after)], []);
}

// Junk that only shows when the answer is written.
function isCatchAll(response: Response): boolean {
  return response.status === 500 && response.headers.getSetCookie().length === 0;
}

// A user whose password is the application's affair needs no way in here.
function exemptIn({ end }: Flow): readonly string[] {
  return end.accounts === 0 ? [ADA.id] : [];
}

interface Recovery {
  readonly browser: Browser;
  readonly lockedOut: boolean;
}

async function assertRecovers(world: World, flow: Flow, { browser, lockedOut }: Recovery): Promise<void> {
  const { store, runtime } = world;
  world.errors.length = 0;
  const before = await store.dump();
  const response = await soon((flow.again ?? flow.act)(world, browser), "the second answer");
  const after = await store.dump();
  if (lockedOut && isRefusal(response)) return;
  const reason = `${response.status} ${response.headers.get("location")} ${world.errors.map(String)}`;
  assert.equal(isRefusal(response), flow.end.refused === true, `starting again: ${reason}`);
  const users = after.users.filter(({ id }) => id !== MALLORY.id);
  // That credentials opened a user is kept where storage can; it is no way in by itself.
  const accounts = after.accounts.filter(({ userId, type }) => userId !== MALLORY.id && type !== "credentials");
  assert.deepEqual([users.length, accounts.length], [flow.end.users, flow.end.accounts], "users and accounts");
  const rules = { now: runtime.now(), maxAge: MAX_AGE, exempt: exemptIn(flow) };
  assert.deepEqual([...brokenRows(after, rules), ...brokenSteps(before, after)], []);
  const session = await browser.session();
  assert.equal(session !== null, flow.end.in, "signed in");
  if (session) assert.equal(session.user?.email, ADA.email);
  const created = world.told.filter((line) => line.startsWith("createUser"));
  assert.ok(created.length <= 1, created.join());
}

/**
 * Whether a user was made of whom nobody can tell whose they are: storage chose the id, nothing else was written, and
 * nothing could be taken back. An address alone does not prove it, so that the person is refused.
 */
function isLockedOut({ kind }: World, { users, accounts }: Dump): boolean {
  if (kind.keepsIds) return false;
  return users.some(({ id }) => id !== MALLORY.id && !accounts.some(({ userId }) => userId === id));
}

function isRefusal({ status, headers }: Response): boolean {
  return status >= 400 || /[?&]error=/.test(headers.get("location") ?? "");
}

function givenSession(response: Response): string | undefined {
  const cookies = response.headers.getSetCookie().map(readSetCookie);
  return cookies.find(({ name, value }) => name.startsWith(COOKIE) && value !== "")?.value;
}
