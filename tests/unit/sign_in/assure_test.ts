import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFeature } from "../../../src/contract/feature.ts";
import { AccessDenied } from "../../../src/kernel/errors.ts";
import type { Assurance, Mint, PointContext } from "../../../src/request/points.ts";
import { assure } from "../../../src/sign_in/assure.ts";

const MINT: Mint = {
  user: { id: "ada" },
  evicts: false,
  authentication: { time: undefined, methods: ["fed"], level: 1, provider: "github" },
};

function featureThat(answer: Assurance | undefined, id: string) {
  return makeFeature(id, [], () => Promise.resolve(answer ? { mint: () => answer } : {}));
}

function judge(answers: readonly (Assurance | undefined)[]) {
  const features = answers.map((answer, at) => featureThat(answer, String(at)));
  return assure({ config: { features } } as unknown as PointContext, MINT);
}

const enter: Assurance = { act: "enter" };
const refuse: Assurance = { act: "refuse", message: "Cannot sign in: banned" };
const missing = (...methods: string[]): Assurance => ({ act: "challenge", missing: methods });

const proven = (...methods: string[]): Assurance => ({ act: "enter", methods });

const CASES: readonly (readonly [answers: readonly (Assurance | undefined)[], object | "refused"])[] = [
  [[], enter],
  [[undefined], enter],
  [[enter, undefined, enter], enter],
  [[enter, missing("otp", "hwk")], missing("otp", "hwk")],
  [[missing("otp", "hwk"), enter], missing("otp", "hwk")],
  [[missing("otp", "hwk"), missing("hwk", "pin")], missing("hwk")],
  [[missing("otp"), missing("pin")], missing("otp", "pin")],
  [[proven("mfa")], { act: "enter", methods: ["mfa"] }],
  [[enter, proven("mfa"), proven("otp", "user")], { act: "enter", methods: ["mfa", "otp", "user"] }],
  [[proven("mfa"), missing("otp")], { ...missing("otp"), methods: ["mfa"] }],
  [[missing("otp"), proven("mfa")], { ...missing("otp"), methods: ["mfa"] }],
  [[proven("mfa"), refuse], "refused"],
  [[refuse], "refused"],
  [[enter, refuse], "refused"],
  [[refuse, enter], "refused"],
  [[missing("otp"), refuse], "refused"],
  [[refuse, missing("otp")], "refused"],
];

for (const [answers, expected] of CASES) {
  const asked = answers.map((answer) => JSON.stringify(answer) ?? "nothing").join(" and ");
  test(`assure() comes to ${JSON.stringify(expected)} where features say ${asked || "nothing"}`, async () => {
    if (expected === "refused") {
      await assert.rejects(judge(answers), (error) => error instanceof AccessDenied && /banned/.test(error.message));
    } else assert.deepEqual(await judge(answers), { methods: [], ...expected as object });
  });
}

test("assure() lets nobody in where a feature answers anything else", async () => {
  for (const answer of [undefined, null, true, {}, { act: "maybe" }, { act: "ENTER" }]) {
    const faulty = makeFeature("faulty", [], () => Promise.resolve({ mint: () => answer }));
    await assert.rejects(assure({ config: { features: [faulty] } } as unknown as PointContext, MINT));
  }
});

test("assure() gives each feature the same facts", async () => {
  const seen: Mint[] = [];
  const watching = makeFeature("watching", [], () => {
    return Promise.resolve({ mint: (_: PointContext, mint: Mint) => (seen.push(mint), enter) });
  });
  const other = makeFeature("other", [], () => {
    return Promise.resolve({ mint: (_: PointContext, mint: Mint) => (seen.push(mint), enter) });
  });
  await assure({ config: { features: [watching, other] } } as unknown as PointContext, MINT);
  assert.deepEqual(seen, [MINT, MINT]);
});
