import assert from "node:assert/strict";
import { test } from "node:test";
import { descope } from "../../../src/providers/descope.ts";

test("descope() finds the issuer by the client id, unless it is given", () => {
  assert.equal(descope({ clientId: "P2abc" }).options?.issuer, "https://api.descope.com/P2abc");
  assert.equal(
    descope({ clientId: "P2abc", issuer: "https://id.example.com" }).options?.issuer,
    "https://id.example.com",
  );
  assert.equal(descope().options?.issuer, undefined);
});
