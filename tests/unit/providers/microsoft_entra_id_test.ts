import assert from "node:assert/strict";
import { test } from "node:test";
import { microsoftEntraId } from "../../../src/providers/microsoft_entra_id.ts";
import { userOf } from "../../_support/one_provider.ts";

test("microsoftEntraId() expects the issuer of the tenant in the id_token, if that is a UUID", () => {
  const tid = "8eaef023-2b34-4da1-9baa-8bc8c9d6a490";
  const rows: [claims: Record<string, unknown>, expected: string | undefined][] = [
    [{ tid }, `https://login.microsoftonline.com/${tid}/v2.0`],
    [{ tid: tid.toUpperCase() }, `https://login.microsoftonline.com/${tid.toUpperCase()}/v2.0`],
    [{ tid: "../evil" }, undefined],
    [{ tid: "common" }, undefined],
    [{ tid: "a.b" }, undefined],
    [{ tid: `${tid}\n` }, undefined],
    [{ tid: `${tid}/v2.0?` }, undefined],
    [{ tid: `x${tid}` }, undefined],
    [{ tid: "" }, undefined],
    [{ tid: 8 }, undefined],
    [{ tid: [tid] }, undefined],
    [{ tid: null }, undefined],
    [{}, undefined],
  ];
  for (const [claims, expected] of rows) {
    assert.equal(microsoftEntraId().expectedIssuer?.(claims), expected, JSON.stringify(claims));
  }
});

test("microsoftEntraId() admits the accounts that its tenant covers", () => {
  const work = "8eaef023-2b34-4da1-9baa-8bc8c9d6a490";
  const personal = "9188040d-6c67-4c5b-b112-36a304b66dad";
  const rows: [tenant: string, tid: string, admitted: boolean][] = [
    ["common", work, true],
    ["common", personal, true],
    ["organizations", work, true],
    ["organizations", personal, false],
    ["organizations", personal.toUpperCase(), false],
    ["consumers", work, false],
    ["consumers", personal, true],
  ];
  for (const [tenant, tid, admitted] of rows) {
    assert.equal(microsoftEntraId({ tenant }).expectedIssuer?.({ tid }) !== undefined, admitted, `${tenant} ${tid}`);
  }
});

test("microsoftEntraId() compares the issuer of a single tenant exactly", () => {
  const tenant = "8eaef023-2b34-4da1-9baa-8bc8c9d6a490";
  const issuer = `https://login.microsoftonline.com/${tenant}/v2.0`;
  for (const provider of [microsoftEntraId({ tenant }), microsoftEntraId({ issuer })]) {
    assert.equal(provider.issuer, issuer);
    assert.equal(provider.expectedIssuer, undefined);
  }
  assert.equal(microsoftEntraId({ issuer }).options?.issuer, issuer);
});

test("microsoftEntraId() expects issuers of the configured cloud", () => {
  const tid = "8eaef023-2b34-4da1-9baa-8bc8c9d6a490";
  const authority = "https://login.microsoftonline.us";
  const rows = [
    microsoftEntraId({ authority }),
    microsoftEntraId({ authority, tenant: "organizations" }),
    microsoftEntraId({ issuer: `${authority}/common/v2.0` }),
  ];
  for (const provider of rows) assert.equal(provider.expectedIssuer?.({ tid }), `${authority}/${tid}/v2.0`);
});

test("microsoftEntraId() prefers email to preferred_username", async () => {
  const profile = { sub: "1", preferred_username: "ada@tenant.example", email: "ada@example.com" };
  assert.equal((await userOf(microsoftEntraId(), profile)).email, "ada@example.com");
});
