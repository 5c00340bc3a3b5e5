import { test } from "node:test";
import assert from "node:assert/strict";
import { solve } from "../../../client/core/challenge.ts";
import { solveChallenge } from "../../../client/client.ts";
import { firstWord } from "../limits/_solve.ts";

const DIGEST = "0a1b2c3d-4e5f-8a6b-9c7d-0e1f2a3b4c5d";

function challengeOf(work: number | string, digest = DIGEST) {
  const proofOfWork = `1767225600.${work}.q83vEjRWeJCrze8SNFZ4kA.${digest}`;
  return { id: "proof-of-work", fields: { proofOfWork }, waits: 30 };
}

test("a solution is the token with the first number whose hash is small enough", async () => {
  for (let round = 0; round < 20; round++) {
    const challenge = challengeOf(64, DIGEST.replace("0a", String(10 + round)));
    const { proofOfWork = "" } = await solveChallenge(challenge) ?? {};
    const number = Number(proofOfWork.split(".")[4]);
    assert.equal(proofOfWork, `${challenge.fields.proofOfWork}.${number}`);
    const right = [...Array(number + 1).keys()].filter((each) => firstWord(proofOfWork, each) < 2 ** 32 / 64);
    assert.deepEqual(right, [number]);
  }
});

test("what a script cannot solve gives nothing, at once", async () => {
  const widget = { className: "cf-turnstile", data: { sitekey: "x" }, script: "https://challenges.test/api.js" };
  for (
    const challenge of [
      { id: "turnstile", fields: {}, widget },
      { id: "proof-of-work", fields: { proofOfWork: "" } },
      { id: "proof-of-work", fields: { proofOfWork: "text" } },
      challengeOf("many"),
      challengeOf(-5),
      challengeOf("1e400"),
      ...["text", 5, {}, { fields: null }, { fields: 5 }, { fields: { proofOfWork: {} } }] as never[],
    ]
  ) {
    assert.equal(await solve(challenge, AbortSignal.timeout(5000)), null, JSON.stringify(challenge));
  }
});

test("the page does other things meanwhile, and can end it", async () => {
  const abort = new AbortController();
  let turns = 0;
  const clock = setInterval(() => ++turns === 3 && abort.abort(), 5);
  // More than anybody solves.
  await assert.rejects(solveChallenge(challengeOf(2 ** 32), { signal: abort.signal }), { name: "AbortError" });
  clearInterval(clock);
  assert.ok(turns >= 3);
  await assert.rejects(solve(challengeOf(1), AbortSignal.abort()), { name: "AbortError" });
});
