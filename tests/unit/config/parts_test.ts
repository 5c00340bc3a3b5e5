import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthConfig } from "../../../src/contract/config.ts";
import { mayHaveClients, mayHavePasskeys } from "../../../src/config/parts.ts";
import { passkey } from "../../../src/providers/passkey.ts";
import { github } from "../../../src/providers/github.ts";
import { google } from "../../../src/providers/google.ts";

function having(...providers: readonly unknown[]): AuthConfig {
  return { providers } as AuthConfig;
}

const plain = { id: "idp", name: "IdP", type: "oidc", issuer: "https://idp.test", clientId: "c" };

test("services without passkeys and options of clients need no parts for them", () => {
  for (const config of [{}, having(), having(plain, github(), google()), having(null, undefined, 1, "x")]) {
    assert.deepEqual([mayHaveClients(config), mayHavePasskeys(config)], [false, false]);
  }
});

test("whatever says how a client presents itself needs the checks of clients", () => {
  const options: readonly object[] = [
    { client: {} },
    { clockTolerance: 10 },
    { securityProfile: "fapi2" },
    { token: { clientAssertionAudience: "issuer" } },
  ];
  for (const option of options) {
    assert.ok(mayHaveClients(having({ ...plain, ...option })), JSON.stringify(option));
    assert.ok(mayHaveClients(having(plain, { ...plain, options: option })), JSON.stringify(option));
  }
});

test("passkeys need their part", () => {
  assert.ok(mayHavePasskeys(having(plain, passkey())));
  assert.ok(mayHavePasskeys(having({ options: { type: "webauthn" } })));
});

test("a function may return a provider that needs every part", () => {
  assert.deepEqual([mayHaveClients(having(passkey)), mayHavePasskeys(having(github))], [true, true]);
});

test("providers that are no list need nothing", () => {
  const config = { providers: { client: {}, type: "webauthn" } } as unknown as AuthConfig;
  assert.deepEqual([mayHaveClients(config), mayHavePasskeys(config)], [false, false]);
});
