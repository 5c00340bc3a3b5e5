import assert from "node:assert/strict";
import { test } from "node:test";
import type { TokenEndpoint } from "../../../src/contract/provider.ts";
import { azureAdB2c } from "../../../src/providers/azure_ad_b2c.ts";
import { urlsOf, userOf } from "../../_support/one_provider.ts";

test("azureAdB2c() finds the metadata by its tenant and policy", () => {
  const wellKnown =
    "https://example.b2clogin.com/example.onmicrosoft.com/B2C_1_a/v2.0/.well-known/openid-configuration";
  assert.deepEqual(urlsOf(azureAdB2c({ tenant: "example", policy: "B2C_1_a" })), [wellKnown]);
  const tenantId = "1a2b3c4d-5e6f-4071-8293-a4b5c6d7e8f9";
  assert.deepEqual(urlsOf(azureAdB2c({ tenant: "example", tenantId, policy: "B2C_1_a" })), [
    `https://example.b2clogin.com/${tenantId}/v2.0/`,
    wellKnown,
  ]);
  assert.deepEqual(urlsOf(azureAdB2c()), []);
  assert.deepEqual(urlsOf(azureAdB2c({ policy: "B2C_1_a" })), []);
});

test("azureAdB2c() puts the id_token in the place of an access token that is missing", async () => {
  const { conform } = azureAdB2c().token as TokenEndpoint;
  const rows: [body: object, expected: unknown][] = [
    [{ id_token: "an-id-token" }, "an-id-token"],
    [{ id_token: "an-id-token", access_token: "a-token" }, "a-token"],
    [{ error: "invalid_grant" }, undefined],
  ];
  for (const [body, expected] of rows) {
    const response = await conform?.(Response.json(body, { status: 418 }));
    assert.equal(response?.status, 418);
    assert.deepEqual(await response?.json(), { ...body, ...(expected !== undefined && { access_token: expected }) });
  }
});

test("azureAdB2c() takes the first address", async () => {
  const rows: [claims: object, email: string | undefined][] = [
    [{ emails: ["ada@example.com", "a@example.com"], email: "b@example.com" }, "ada@example.com"],
    [{ emails: [], email: "b@example.com" }, "b@example.com"],
    [{ email: "b@example.com" }, "b@example.com"],
    [{}, undefined],
  ];
  for (const [claims, email] of rows) {
    assert.equal((await userOf(azureAdB2c(), { sub: "1", ...claims })).email, email);
  }
});
