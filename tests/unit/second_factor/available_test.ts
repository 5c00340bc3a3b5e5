/** Which ways somebody has to give a second proof: every combination of what decides it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { availableMethods, canAdd, mayRecover, type ProofFacts } from "../../../src/second_factor/available.ts";

const FLAGS = [
  "isOn",
  "hasTotp",
  "hasRecoveryCodes",
  "hasPasskey",
  "isEmailProven",
  "sendsMail",
  "beganByMail",
  "isRecovering",
] as const;

const CHOSEN = ["passkey", "totp", "email-code"] as const;
const MISSING = [["mfa"], ["otp"], ["hwk", "swk"], ["mail"], ["rcv"], ["pwd"], [], ["otp", "rcv"]];

function* everything(): Generator<ProofFacts> {
  for (let bits = 0; bits < 1 << FLAGS.length; bits++) {
    const flags = Object.fromEntries(FLAGS.map((name, at) => [name, (bits & (1 << at)) !== 0]));
    for (let chosen = 0; chosen < 1 << CHOSEN.length; chosen++) {
      for (const missing of MISSING) {
        const methods = CHOSEN.filter((_, at) => chosen & (1 << at));
        yield { ...flags as Omit<ProofFacts, "chosen" | "missing">, chosen: methods, missing };
      }
    }
  }
}

const all = [...everything()];

test("every way needs what it needs, and nothing else keeps anybody from it", () => {
  for (const facts of all) {
    const methods = availableMethods(facts);
    const any = facts.missing.includes("mfa");
    const wants = (...proofs: string[]) => any || proofs.some((proof) => facts.missing.includes(proof));
    const expected = {
      passkey: facts.chosen.includes("passkey") && facts.hasPasskey && wants("hwk", "swk"),
      totp: facts.chosen.includes("totp") && facts.isOn && facts.hasTotp && wants("otp"),
      "email-code": (facts.chosen.includes("email-code") || facts.isRecovering) && facts.isEmailProven &&
        facts.sendsMail &&
        !facts.beganByMail && wants("mail"),
      "recovery-code": facts.isOn && facts.hasRecoveryCodes && wants("rcv"),
    };
    for (const [method, has] of Object.entries(expected)) {
      assert.equal(methods.includes(method as "totp"), has, `${method}: ${JSON.stringify(facts)}`);
    }
  }
});

test("only what an application, a passkey or recovery codes prove is proven by adding one", () => {
  const all = ["passkey", "totp", "email-code"] as const;
  for (const missing of [["mfa"], ["otp"], ["hwk"], ["pwd", "user"]]) {
    assert.ok(canAdd({ chosen: all, missing }), String(missing));
  }
  for (const missing of [["pwd"], ["fed"], ["mail"], []]) assert.ok(!canAdd({ chosen: all, missing }), String(missing));
  assert.ok(!canAdd({ chosen: ["totp"], missing: ["hwk"] }));
  assert.ok(!canAdd({ chosen: ["passkey"], missing: ["otp"] }));
});

test("whoever began by mail is never sent a code there", () => {
  for (const facts of all) {
    if (facts.beganByMail) assert.ok(!availableMethods(facts).includes("email-code"));
  }
});

test("the best way comes first", () => {
  const whole: ProofFacts = {
    chosen: CHOSEN,
    isOn: true,
    hasTotp: true,
    hasRecoveryCodes: true,
    hasPasskey: true,
    isEmailProven: true,
    sendsMail: true,
    beganByMail: false,
    isRecovering: false,
    missing: ["mfa"],
  };
  assert.deepEqual(availableMethods(whole), ["passkey", "totp", "email-code", "recovery-code"]);
});

test("only somebody who has enrolled, and did not begin by mail, may say that everything is lost", () => {
  for (const facts of all) {
    const { isOn, isEmailProven, sendsMail, beganByMail, isRecovering, chosen } = facts;
    const may = isOn && isEmailProven && sendsMail && !beganByMail && !isRecovering && !chosen.includes("email-code");
    assert.equal(mayRecover(facts), may, JSON.stringify(facts));
  }
});
