import assert from "node:assert/strict";
import { test } from "node:test";
import { createSealer, type Sealer } from "../../../src/crypto/seal.ts";
import { InvalidCheck } from "../../../src/kernel/errors.ts";
import { type Flow, type FlowKey, issueFlow, redeemFlow } from "../../../src/oauth/flow.ts";
import { changed, jarWith, keep, SECRET, testRuntime } from "../_builders.ts";

const PREFIX = "authjs.state.";

function flow(number: number, others: Partial<Flow> = {}): Flow {
  return { provider: "idp", state: stateOf(number), target: "https://app.test/", ...others };
}

function stateOf(number: number): string {
  return `state-${String(number).padStart(40, "0")}`;
}

function slotOf(number: number): string {
  return PREFIX + stateOf(number).slice(-10);
}

function key(number: number | null, others: Partial<FlowKey> = {}): FlowKey {
  return { provider: "idp", state: number === null ? null : stateOf(number), stateRequired: true, ...others };
}

function sealerAt(runtime = testRuntime()): Sealer {
  return createSealer([SECRET], runtime);
}

/** What a browser has that started these flows, one after the other. */
async function browserWith(sealer: Sealer, flows: readonly Flow[]): Promise<Record<string, string>> {
  let kept: Record<string, string> = {};
  for (const one of flows) {
    const jar = jarWith(kept);
    await issueFlow(jar, sealer, one);
    kept = keep(jar.close(), kept);
  }
  return kept;
}

async function refuses(cookies: Readonly<Record<string, string>>, sealer: Sealer, flowKey: FlowKey, message: RegExp) {
  const jar = jarWith(cookies);
  await assert.rejects(() => redeemFlow(jar, sealer, flowKey), (error) => {
    assert.ok(error instanceof InvalidCheck);
    assert.match(error.message, message);
    return true;
  });
  return jar;
}

test("redeemFlow() gives back what issueFlow() sealed, and spends its cookie", async () => {
  const sealer = sealerAt();
  const whole = flow(1, {
    verifier: "v",
    nonce: "n",
    endpoint: "https://idp.test/token",
    target: "https://app.test/x",
  });
  const jar = jarWith(await browserWith(sealer, [whole]));
  assert.deepEqual(await redeemFlow(jar, sealer, key(1)), whole);
  assert.deepEqual(changed(jar), { set: [], removed: [slotOf(1)] });
});

test("redeemFlow() gives back a flow that has only what it must have", async () => {
  const sealer = sealerAt();
  assert.deepEqual(await redeemFlow(jarWith(await browserWith(sealer, [flow(1)])), sealer, key(1)), flow(1));
});

test("issueFlow() sets a cookie of its own that lives as long as the flow", async () => {
  const jar = jarWith({}, { secure: true });
  await issueFlow(jar, sealerAt(), flow(1));
  const [cookie] = jar.close();
  assert.equal(cookie?.name, `__Secure-${slotOf(1)}`);
  assert.deepEqual(cookie?.options, { httpOnly: true, sameSite: "lax", path: "/", secure: true, maxAge: 900 });
  assert.doesNotMatch(cookie?.value ?? "", /state-/);
});

test("issueFlow() lets the cookie of a posted answer travel from another site", async () => {
  const jar = jarWith({}, { secure: true });
  await issueFlow(jar, sealerAt(), flow(1), "none");
  assert.equal(jar.close()[0]?.options.sameSite, "none");
});

test("issueFlow() keeps five flows and drops the oldest", async () => {
  const sealer = sealerAt();
  const kept = await browserWith(sealer, [1, 2, 3, 4, 5, 6, 7].map((number) => flow(number)));
  assert.deepEqual(Object.keys(kept), [3, 4, 5, 6, 7].map(slotOf));
  await refuses(kept, sealer, key(2), /missing/);
  for (const number of [3, 4, 5, 6, 7]) assert.ok(await redeemFlow(jarWith(kept), sealer, key(number)));
});

test("issueFlow() removes at most twenty flows at a time", async () => {
  const header = Array.from({ length: 1000 }, (_, i) => `${PREFIX}x${i}=1`).join("; ");
  const jar = jarWith(header);
  await issueFlow(jar, sealerAt(), flow(1));
  const oldest = Array.from({ length: 20 }, (_, i) => `${PREFIX}x${i}`);
  assert.deepEqual(changed(jar), { set: [slotOf(1)], removed: oldest });
});

test("issueFlow() brings a browser with too many flows back to five", async () => {
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${PREFIX}old${i}`, "x"]));
  const jar = jarWith(many);
  await issueFlow(jar, sealerAt(), flow(1));
  assert.deepEqual(changed(jar).removed, [0, 1, 2, 3, 4].map((i) => `${PREFIX}old${i}`));
});

test("two tabs finish in any order", async () => {
  for (const order of [[1, 2], [2, 1]]) {
    const sealer = sealerAt();
    let kept = await browserWith(sealer, [
      flow(1, { target: "https://app.test/1" }),
      flow(2, { target: "https://app.test/2" }),
    ]);
    for (const number of order) {
      const jar = jarWith(kept);
      assert.equal((await redeemFlow(jar, sealer, key(number))).target, `https://app.test/${number}`);
      kept = keep(jar.close(), kept);
    }
    assert.deepEqual(kept, {});
  }
});

test("redeemFlow() spends a flow once", async () => {
  const sealer = sealerAt();
  const kept = await browserWith(sealer, [flow(1)]);
  const jar = jarWith(kept);
  await redeemFlow(jar, sealer, key(1));
  await refuses(keep(jar.close(), kept), sealer, key(1), /missing/);
});

test("redeemFlow() refuses a browser that started nothing", async () => {
  await refuses({}, sealerAt(), key(1), /missing/);
});

test("redeemFlow() refuses a flow of another provider, and spends it", async () => {
  const sealer = sealerAt();
  const kept = await browserWith(sealer, [flow(1, { provider: "evil" })]);
  const jar = await refuses(kept, sealer, key(1), /another provider/);
  assert.deepEqual(changed(jar).removed, [slotOf(1)]);
});

test("redeemFlow() refuses another state that ends alike, and spends the flow", async () => {
  const sealer = sealerAt();
  const kept = await browserWith(sealer, [flow(1)]);
  for (const state of [`x${stateOf(1)}`, stateOf(1).slice(1), `STATE-${stateOf(1).slice(6)}`, stateOf(1).slice(-10)]) {
    const jar = await refuses(kept, sealer, { ...key(1), state }, /its state is another/);
    assert.deepEqual(changed(jar).removed, [slotOf(1)]);
  }
});

test("redeemFlow() refuses a state that names no flow, and spends none", async () => {
  const sealer = sealerAt();
  const kept = await browserWith(sealer, [flow(1)]);
  const states = [
    "",
    "x",
    `${stateOf(1)}x`,
    stateOf(1).toUpperCase().replace("0", "O") + "A",
    stateOf(2),
    "\u0000",
    "é",
  ];
  for (const state of states) {
    const jar = await refuses(kept, sealer, { ...key(1), state }, /missing/);
    assert.deepEqual(jar.close(), []);
  }
});

test("redeemFlow() refuses the state of one tab with the cookie of another", async () => {
  const sealer = sealerAt();
  const kept = await browserWith(sealer, [flow(1), flow(2)]);
  const swapped = { [slotOf(1)]: kept[slotOf(2)] ?? "", [slotOf(2)]: kept[slotOf(1)] ?? "" };
  for (const number of [1, 2]) await refuses(swapped, sealer, key(number), /forged/);
  await refuses(swapped, sealer, key(null, { stateRequired: false }), /none was started/);
});

test("redeemFlow() refuses a forged cookie, and spends it", async () => {
  const sealer = sealerAt();
  const { [slotOf(1)]: sealed = "" } = await browserWith(sealer, [flow(1)]);
  for (const forged of ["x", "", sealed.slice(0, -1), `${sealed}A`, sealed.toUpperCase()]) {
    const jar = await refuses({ [slotOf(1)]: forged }, sealer, key(1), /forged/);
    assert.deepEqual(changed(jar).removed, [slotOf(1)]);
  }
});

test("redeemFlow() refuses what another secret or another purpose sealed", async () => {
  const sealer = sealerAt();
  const other = createSealer(["another secret"], testRuntime());
  await refuses(await browserWith(other, [flow(1)]), sealer, key(1), /forged/);
  for (const salt of ["authjs.session-token", "__Secure-authjs.state", slotOf(1)]) {
    const sealed = await sealer.seal({ ...flow(1) }, { salt, maxAge: 900 });
    await refuses({ [slotOf(1)]: sealed }, sealer, key(1), /forged/);
  }
});

test("redeemFlow() refuses sealed claims that are no flow", async () => {
  const sealer = sealerAt();
  const { provider, state, target } = flow(1);
  for (
    const claims of [{}, { provider, state }, { provider, target }, { state, target }, { provider, state: 1, target }]
  ) {
    const sealed = await sealer.seal(claims, { salt: "authjs.state", maxAge: 900 });
    await refuses({ [slotOf(1)]: sealed }, sealer, key(1), /forged/);
  }
});

test("redeemFlow() drops members of a flow that are not text", async () => {
  const sealer = sealerAt();
  const claims = { ...flow(1), verifier: 1, nonce: null, endpoint: ["x"], extra: "x" };
  const sealed = await sealer.seal(claims, { salt: "authjs.state", maxAge: 900 });
  assert.deepEqual(await redeemFlow(jarWith({ [slotOf(1)]: sealed }), sealer, key(1)), flow(1));
});

const CLOCK: readonly (readonly [seconds: number, redeems: boolean])[] = [[0, true], [899, true], [914, true], [
  916,
  false,
]];

for (const [seconds, redeems] of CLOCK) {
  test(`redeemFlow() ${redeems ? "redeems" : "refuses"} a flow after ${seconds} s`, async () => {
    const runtime = testRuntime();
    const sealer = sealerAt(runtime);
    const kept = await browserWith(sealer, [flow(1)]);
    runtime.advance(seconds);
    if (redeems) assert.ok(await redeemFlow(jarWith(kept), sealer, key(1)));
    else await refuses(kept, sealer, key(1), /expired/);
  });
}

test("redeemFlow() refuses a flow whose cookie arrives twice", async () => {
  const sealer = sealerAt();
  const { [slotOf(1)]: sealed } = await browserWith(sealer, [flow(1)]);
  const jar = jarWith(`${slotOf(1)}=${sealed}; ${slotOf(1)}=${sealed}`);
  await assert.rejects(() => redeemFlow(jar, sealer, key(1)), InvalidCheck);
  assert.deepEqual(changed(jar).removed, [slotOf(1)]);
});

test("redeemFlow() refuses an answer without state where one is required", async () => {
  const sealer = sealerAt();
  const kept = await browserWith(sealer, [flow(1)]);
  const jar = await refuses(kept, sealer, key(null), /no state/);
  assert.deepEqual(jar.close(), []);
});

test("redeemFlow() takes the newest flow of the provider for an answer without state", async () => {
  const sealer = sealerAt();
  const kept = await browserWith(sealer, [
    flow(1, { target: "https://app.test/1" }),
    flow(2, { target: "https://app.test/2" }),
    flow(3, { provider: "other" }),
  ]);
  const jar = jarWith({ ...kept, [`${PREFIX}forged`]: "x" });
  assert.equal((await redeemFlow(jar, sealer, key(null, { stateRequired: false }))).target, "https://app.test/2");
  assert.deepEqual(changed(jar).removed, [slotOf(2)]);
});

test("redeemFlow() refuses an answer without state for a provider that nobody went to", async () => {
  const sealer = sealerAt();
  const kept = await browserWith(sealer, [flow(1), flow(2)]);
  const jar = await refuses(kept, sealer, key(null, { provider: "other", stateRequired: false }), /none was started/);
  assert.deepEqual(jar.close(), []);
});

test("redeemFlow() compares a state that comes back although none is required", async () => {
  const sealer = sealerAt();
  const kept = await browserWith(sealer, [flow(1)]);
  await refuses(kept, sealer, { ...key(2), stateRequired: false }, /missing/);
  await refuses(kept, sealer, { ...key(1), state: "", stateRequired: false }, /missing/);
});

test("a state of any characters names a cookie that can be set", async () => {
  const sealer = sealerAt();
  for (const state of ["abc.def~ghi", "=;,\r\n\u0000é%", "a", "x".repeat(2000)]) {
    const jar = jarWith();
    await issueFlow(jar, sealer, { ...flow(1), state });
    const kept = keep(jar.close());
    assert.match(Object.keys(kept)[0] ?? "", /^authjs\.state\.[\w-]{1,10}$/);
    assert.equal((await redeemFlow(jarWith(kept), sealer, { ...key(1), state })).state, state);
  }
});
