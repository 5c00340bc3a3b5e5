import assert from "node:assert/strict";
import { test } from "node:test";
import { azureAd } from "../../../src/providers/azure_ad.ts";
import { microsoftEntraId } from "../../../src/providers/microsoft_entra_id.ts";

test("azureAd() differs from microsoftEntraId() in its id and its name only", () => {
  const options = { tenant: "organizations" };
  const { id, name, options: own, ...facts } = azureAd(options);
  const { id: _, name: __, options: ___, ...expected } = microsoftEntraId(options);
  assert.deepEqual([id, name, own], ["azure-ad", "Azure Active Directory", { id: "azure-ad" }]);
  assert.equal(JSON.stringify(facts), JSON.stringify(expected));
  const tid = "1a2b3c4d-5e6f-4071-8293-a4b5c6d7e8f9";
  assert.equal(facts.expectedIssuer?.({ tid }), expected.expectedIssuer?.({ tid }));
});

test("azureAd() takes another id", () => {
  const { id, options } = azureAd({ id: "staff" });
  assert.deepEqual([id, options?.id], ["staff", "staff"]);
  assert.equal(azureAd({ id: undefined }).id, "azure-ad");
});
