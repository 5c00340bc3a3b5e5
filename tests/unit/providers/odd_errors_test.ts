/** Vendors whose token endpoints answer in a shape of their own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OAuthProvider, OidcProvider, TokenEndpoint } from "../../../src/contract/provider.ts";
import { strava } from "../../../src/providers/strava.ts";
import { threads } from "../../../src/providers/threads.ts";
import { todoist } from "../../../src/providers/todoist.ts";
import { twitch } from "../../../src/providers/twitch.ts";
import { twitter } from "../../../src/providers/twitter.ts";
import { withings } from "../../../src/providers/withings.ts";
import { zoho } from "../../../src/providers/zoho.ts";

interface Row {
  readonly provider: OAuthProvider | OidcProvider;
  readonly body: object;
  /** What the service reads. */
  readonly read: object;
}

const TOKENS = { access_token: "a", token_type: "bearer", scope: "one two" };

const ROWS: readonly Row[] = [
  { provider: strava(), body: TOKENS, read: TOKENS },
  {
    provider: strava(),
    body: { message: "Bad Request", errors: [{ resource: "AuthorizationCode", field: "", code: "expired" }] },
    read: { error: "invalid_grant", error_description: "Bad Request AuthorizationCode expired" },
  },
  {
    provider: strava(),
    body: { message: "Bad Request", errors: [{ resource: "RefreshToken", field: "refresh_token", code: "invalid" }] },
    read: { error: "invalid_grant", error_description: "Bad Request RefreshToken refresh_token invalid" },
  },
  {
    provider: strava(),
    body: { message: "Bad Request", errors: [{ resource: "Application", field: "client_id", code: "invalid" }] },
    read: { error: "invalid_request", error_description: "Bad Request Application client_id invalid" },
  },
  { provider: threads(), body: { access_token: "a" }, read: { access_token: "a", token_type: "bearer" } },
  {
    provider: threads(),
    body: { error_type: "OAuthException", error_message: "Matching code was not found or was already used" },
    read: { error: "invalid_grant", error_description: "Matching code was not found or was already used" },
  },
  {
    provider: threads(),
    body: { error: { message: "Error validating client secret.", type: "OAuthException" } },
    read: { error: "invalid_request", error_description: "Error validating client secret." },
  },
  { provider: todoist(), body: { error: "bad_authorization_code" }, read: { error: "invalid_grant" } },
  {
    provider: todoist(),
    body: { error: "incorrect_application_credentials" },
    read: { error: "incorrect_application_credentials" },
  },
  { provider: twitch(), body: { ...TOKENS, scope: ["one", "two"] }, read: TOKENS },
  { provider: twitch(), body: { ...TOKENS, scope: [] }, read: { ...TOKENS, scope: "" } },
  { provider: twitch(), body: TOKENS, read: TOKENS },
  {
    provider: twitch(),
    body: { error: "Bad Request", status: 400, message: "Invalid refresh token" },
    read: { error: "invalid_grant", error_description: "Invalid refresh token" },
  },
  {
    provider: twitch(),
    body: { status: 403, message: "invalid client secret" },
    read: { error: "invalid_request", error_description: "invalid client secret" },
  },
  {
    provider: twitter(),
    body: { error: "invalid_request", error_description: "Value passed for the token was invalid." },
    read: { error: "invalid_grant", error_description: "Value passed for the token was invalid." },
  },
  {
    provider: twitter(),
    body: { error: "invalid_request", error_description: "Missing required parameter [redirect_uri]." },
    read: { error: "invalid_request", error_description: "Missing required parameter [redirect_uri]." },
  },
  {
    provider: twitter(),
    body: { error: "unauthorized_client", error_description: "Missing authorization code." },
    read: { error: "unauthorized_client", error_description: "Missing authorization code." },
  },
  { provider: withings(), body: { status: 0, body: { ...TOKENS, scope: "one,two" } }, read: TOKENS },
  {
    provider: withings(),
    body: { status: 503, body: {}, error: "Invalid Params: invalid refresh_token" },
    read: { error: "invalid_grant", error_description: "503 Invalid Params: invalid refresh_token" },
  },
  {
    provider: withings(),
    body: { status: 100, body: TOKENS, error: "The callback URL is wrong" },
    read: { error: "invalid_request", error_description: "100 The callback URL is wrong" },
  },
  // Nothing of a response that does not say that it is a success.
  { provider: withings(), body: { body: TOKENS }, read: { error: "invalid_request", error_description: "" } },
  { provider: withings(), body: TOKENS, read: { error: "invalid_request", error_description: "" } },
  { provider: zoho(), body: { error: "invalid_code" }, read: { error: "invalid_grant" } },
  { provider: zoho(), body: { error: "invalid_client" }, read: { error: "invalid_client" } },
];

for (const { provider, body, read } of ROWS) {
  test(`${provider.name} answers with ${JSON.stringify(body)}`, async () => {
    const { conform } = provider.token as TokenEndpoint;
    const answer = await conform?.(Response.json(body, { status: 201 }));
    assert.deepEqual([await answer?.json(), answer?.status], [read, 201]);
  });
}

test("an answer that is no JSON object is left to the service", async () => {
  for (const { provider } of ROWS) {
    const { conform } = provider.token as TokenEndpoint;
    for (const text of ["", "<html>", "[]", "null", '"a"']) {
      assert.equal(await conform?.(new Response(text)), undefined, `${provider.name} ${text}`);
    }
  }
});
