import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { denoKvAdapter, type KvLike } from "../../../adapters/deno_kv.ts";
import type { CompleteAdapter } from "../../../src/contract/adapter.ts";
import { storeFor } from "./_kv.ts";

const LATER = new Date(Date.UTC(2100, 0, 1));
const SESSION = { sessionToken: "s", userId: "ada", expires: LATER };

/** A store that notes which keys are read at once. */
function noting(kv: Deno.Kv, reads: string[][], withMany = true): KvLike {
  const note = (...keys: (readonly string[])[]) => reads.push(keys.map((key) => key.slice(1).join(" ")));
  return {
    get: (key) => {
      note(key);
      return kv.get([...key]);
    },
    ...(withMany && {
      getMany: (keys) => {
        note(...keys);
        return kv.getMany(keys.map((key) => [...key]));
      },
    }),
    list: ({ prefix }) => kv.list({ prefix: [...prefix] }),
    atomic: () => kv.atomic() as ReturnType<KvLike["atomic"]>,
  };
}

interface World {
  /** The adapter whose reads are noted. */
  readonly here: CompleteAdapter;
  /** Another adapter on the same file, as another process has it. */
  readonly there: CompleteAdapter;
  /** Finds a session with `here`: who is signed in, and which keys were read at once. */
  readonly find: (token?: string) => Promise<readonly [userId: string | undefined, reads: readonly string[][]]>;
}

async function worldFor(t: TestContext, withMany = true): Promise<World> {
  const kv = await storeFor(t);
  const reads: string[][] = [];
  const here = denoKvAdapter(noting(kv, reads, withMany));
  const there = denoKvAdapter(kv);
  for (const id of ["ada", "bob"]) await there.createUser({ id, email: `${id}@example.com`, emailVerified: null });
  await there.createSession(SESSION);
  const find: World["find"] = async (token = "s") => {
    reads.length = 0;
    const found = await here.getSessionAndUser(token);
    assert.equal(found?.session.userId, found?.user.id);
    return [found?.user.id, reads.splice(0)];
  };
  return { here, there, find };
}

const ALONE = [["session s"], ["user ada"]];
const AT_ONCE = [["session s", "user ada"]];

test("getSessionAndUser() of Deno KV reads a session that it has found before, and its user, at once", async (t) => {
  const { find } = await worldFor(t);
  assert.deepEqual(await find(), ["ada", ALONE]);
  assert.deepEqual(await find(), ["ada", AT_ONCE]);
  assert.deepEqual(await find(), ["ada", AT_ONCE]);
});

test("getSessionAndUser() of Deno KV reads both entries at once from a store that reads one by one", async (t) => {
  const { find } = await worldFor(t, false);
  assert.deepEqual(await find(), ["ada", ALONE]);
  assert.deepEqual(await find(), ["ada", [["session s"], ["user ada"]]]);
});

test("getSessionAndUser() of Deno KV sees what another process changed", async (t) => {
  const { find, here, there } = await worldFor(t);
  await find();
  await there.updateUser({ id: "ada", name: "Ada" });
  await there.updateSession({ sessionToken: "s", expires: new Date(Date.UTC(2101, 0, 1)) });
  const found = await here.getSessionAndUser("s");
  assert.equal(found?.user.name, "Ada");
  assert.equal(found.session.expires.getUTCFullYear(), 2101);
});

test("getSessionAndUser() of Deno KV gives the user to whom a session was moved", async (t) => {
  const { find, there } = await worldFor(t);
  await find();
  await there.updateSession({ sessionToken: "s", userId: "bob" });
  assert.deepEqual(await find(), ["bob", [...AT_ONCE, ["user bob"]]]);
  assert.deepEqual(await find(), ["bob", [["session s", "user bob"]]]);
});

test("getSessionAndUser() of Deno KV finds no session whose user was deleted, nor one that came after", async (t) => {
  const { find, there } = await worldFor(t);
  await find();
  await there.deleteUser("ada");
  assert.equal((await find())[0], undefined);
  await there.createUser({ id: "ada", email: "ada@example.com", emailVerified: null });
  assert.equal((await find())[0], undefined);
});

test("getSessionAndUser() of Deno KV finds no session that another process ended", async (t) => {
  for (const end of ["deleteSession", "deleteSessionsByUserId"] as const) {
    await t.test(end, async (t) => {
      const { find, there } = await worldFor(t);
      await find();
      await there[end](end === "deleteSession" ? "s" : "ada");
      assert.equal((await find())[0], undefined);
    });
  }
});

test("getSessionAndUser() of Deno KV gives a session to who has its token now", async (t) => {
  const { find, there } = await worldFor(t);
  await find();
  await there.deleteSession("s");
  await there.createSession({ ...SESSION, userId: "bob" });
  assert.equal((await find())[0], "bob");
});

test("getSessionAndUser() of Deno KV remembers nothing of a session that is not stored, or not any more", async (t) => {
  const { find, here, there } = await worldFor(t);
  for (const _ of [1, 2]) assert.deepEqual(await find("guessed"), [undefined, [["session guessed"]]]);
  await find();
  await here.deleteSession("s");
  assert.deepEqual(await find(), [undefined, [["session s"]]]);
  await there.createSession(SESSION);
  await find();
  await there.deleteSession("s");
  assert.deepEqual(await find(), [undefined, AT_ONCE]);
  assert.deepEqual(await find(), [undefined, [["session s"]]]);
});

test("getSessionAndUser() of Deno KV never shares what it gives", async (t) => {
  const { here } = await worldFor(t);
  for (const _ of [1, 2, 3]) {
    const found = await here.getSessionAndUser("s");
    assert.equal(found?.user.email, "ada@example.com");
    Object.assign(found.user, { email: "eve@example.com" });
    found.session.expires.setTime(0);
  }
});
