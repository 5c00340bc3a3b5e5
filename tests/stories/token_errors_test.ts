/** Errors of the token endpoint: whoever signs in is told of those that they can do something about. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bothServices, Client } from "../_support/both_services.ts";
import { json } from "../_support/issuer.ts";
import { liveIssuer, providerOf, signInAt } from "../_support/sign_in_twice.ts";

const CLIENT = "/auth/error?error=Configuration";
const PERSON = "/auth/signin?error=OAuthCallbackError";

/** Where each error leads here. With Auth.js all of them lead to the page for a wrong configuration. */
const ERRORS: readonly (readonly [error: string, status: number, leads: string])[] = [
  ["invalid_client", 401, CLIENT],
  ["unauthorized_client", 400, CLIENT],
  ["invalid_request", 400, CLIENT],
  ["invalid_scope", 400, CLIENT],
  ["anything_else", 403, CLIENT],
  ["invalid_grant", 400, PERSON],
];

for (const [error, status, leads] of ERRORS) {
  test(`the error ${error} of a token endpoint leads to ${leads}`, async () => {
    for (const side of bothServices(() => ({ providers: [providerOf(issuer)] }))) {
      issuer.override("token", () => json({ error }, status));
      const location = new URL(await signInAt(new Client(side), issuer) ?? "", "http://localhost:3000");
      assert.equal(location.pathname + location.search, side.name === "here" ? leads : CLIENT, side.name);
    }
  });
}

const issuer = liveIssuer();
