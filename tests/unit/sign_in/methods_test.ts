import assert from "node:assert/strict";
import { test } from "node:test";
import type { SignInAttempt } from "../../../src/sign_in/attempt.ts";
import { methodsOf } from "../../../src/sign_in/methods.ts";

const TABLE: readonly (readonly [attempt: object, methods: readonly string[]])[] = [
  [{ method: "oauth" }, ["fed"]],
  [{ method: "email" }, ["mail"]],
  [{ method: "credentials", hasPassword: true }, ["pwd"]],
  [{ method: "credentials", hasPassword: false }, []],
  [{ method: "password" }, ["pwd"]],
  [{ method: "webauthn", deviceType: "singleDevice", userVerified: true }, ["hwk", "mfa", "user"]],
  [{ method: "webauthn", deviceType: "singleDevice", userVerified: false }, ["hwk", "user"]],
  [{ method: "webauthn", deviceType: "multiDevice", userVerified: true }, ["mfa", "swk", "user"]],
  [{ method: "webauthn", deviceType: "multiDevice", userVerified: false }, ["swk", "user"]],
];

for (const [attempt, methods] of TABLE) {
  test(`${JSON.stringify(attempt)} authenticates by ${methods.join(", ") || "unknown methods"}`, () => {
    assert.deepEqual(methodsOf(attempt as SignInAttempt), methods);
  });
}
