/** What a check says of second factors that some people, or nobody, could use. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthConfig } from "../../../src/contract/config.ts";
import { passkey } from "../../../src/providers/passkey.ts";
import { findings } from "../../../src/second_factor/check.ts";
import type { SecondFactorSettings } from "../../../src/second_factor/settings.ts";
import { memoryAdapter } from "../../../adapters/memory.ts";
import { resolveNow } from "../../_support/resolved.ts";
import { testRuntime } from "../../_support/runtime.ts";
import { testConfig } from "../../_support/service.ts";

const SETTINGS: SecondFactorSettings = {
  methods: ["passkey", "totp"],
  require: "enrolled",
  trustDays: null,
  upstream: {},
  issuer: null,
  recoverByEmail: null,
};

const WHOLE: AuthConfig = { adapter: memoryAdapter(), providers: [passkey()], mail: () => {} };

function codes(given: Partial<SecondFactorSettings>, config: AuthConfig = {}): readonly string[] {
  const resolved = resolveNow(testConfig({ ...WHOLE, ...config }), testRuntime());
  return findings({ config: resolved }, { ...SETTINGS, ...given }).map(([code]) => code);
}

test("second factors that everybody can add and use deserve no look", () => {
  for (const require of ["enrolled", "always", () => true] as const) {
    assert.deepEqual(codes({ require }), []);
    assert.deepEqual(codes({ require, methods: ["totp"] }, { providers: [] }), []);
    assert.deepEqual(codes({ require, methods: ["totp", "email-code"] }), []);
  }
  assert.deepEqual(codes({ methods: ["passkey"] }), []);
});

test("passkeys without a provider, and nothing that sends mail, deserve a look", () => {
  assert.deepEqual(codes({}, { providers: [] }), ["second-factor-passkeys"]);
  const { mail: _, ...silent } = WHOLE;
  const resolved = resolveNow(testConfig(silent), testRuntime());
  for (const given of [{}, { methods: ["totp", "email-code"] }, { recoverByEmail: 24 }] as const) {
    const found = findings({ config: resolved }, { ...SETTINGS, ...given });
    assert.deepEqual(found.map(([code]) => code), ["second-factor-mail"]);
  }
});

test("a second factor that nobody can add deserves a look, and so does one that nobody can add who has to", () => {
  assert.deepEqual(codes({ methods: ["email-code"] }), ["second-factor-enrolment"]);
  for (const require of ["always", () => true] as const) {
    assert.deepEqual(codes({ require, methods: ["passkey"] }), ["second-factor-enrolment"]);
    assert.deepEqual(codes({ require, methods: ["passkey", "email-code"] }), ["second-factor-enrolment"]);
  }
});
