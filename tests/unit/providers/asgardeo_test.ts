import assert from "node:assert/strict";
import { test } from "node:test";
import { asgardeo } from "../../../src/providers/asgardeo.ts";

test("asgardeo() completes an issuer that ends with the organization, and changes no other", () => {
  const whole = "https://api.asgardeo.io/t/example/oauth2/token";
  const rows: [issuer: string | undefined, expected: string | undefined][] = [
    ["https://api.asgardeo.io/t/example", whole],
    ["https://api.asgardeo.io/t/example/", whole],
    ["https://api.eu.asgardeo.io/t/example", "https://api.eu.asgardeo.io/t/example/oauth2/token"],
    [whole, whole],
    ["https://id.example.com/oauth2/token", "https://id.example.com/oauth2/token"],
    ["https://api.asgardeo.io.example.com/t/example", "https://api.asgardeo.io.example.com/t/example"],
    [undefined, undefined],
  ];
  for (const [issuer, expected] of rows) assert.equal(asgardeo({ issuer }).options?.issuer, expected);
});
