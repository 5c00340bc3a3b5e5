import assert from "node:assert/strict";
import { test } from "node:test";
import { cognito } from "../../../src/providers/cognito.ts";
import { userOf } from "../../_support/one_provider.ts";

test("cognito() finds the issuer by the region and the user pool", () => {
  const pool = { region: "eu-west-1", userPoolId: "eu-west-1_AbCdEfGhI" };
  const issuer = "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI";
  assert.equal(cognito(pool).options?.issuer, issuer);
  assert.equal(cognito({ ...pool, issuer: "https://id.example.com" }).options?.issuer, "https://id.example.com");
  for (const lacking of [{}, { region: "eu-west-1" }, { userPoolId: "eu-west-1_AbCdEfGhI" }]) {
    assert.equal(cognito(lacking).options?.issuer, undefined);
  }
});

test("cognito() shows the user name of somebody without a name", async () => {
  const rows: [claims: object, name: string | undefined][] = [
    [{ name: "Ada Lovelace", given_name: "Ada", "cognito:username": "ada" }, "Ada Lovelace"],
    [{ name: "", given_name: "Ada", "cognito:username": "ada" }, "Ada"],
    [{ "cognito:username": "ada", username: "other" }, "ada"],
    [{ username: "ada" }, "ada"],
    [{}, undefined],
  ];
  for (const [claims, name] of rows) assert.equal((await userOf(cognito(), { sub: "1", ...claims })).name, name);
});
