/** Vendors that report errors in a way of their own, in answers of the token endpoint and of their APIs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OAuthProvider, TokenEndpoint } from "../../../src/contract/provider.ts";
import { OAuthProviderError } from "../../../src/kernel/errors.ts";
import { facebook } from "../../../src/providers/facebook.ts";
import { figma } from "../../../src/providers/figma.ts";
import { gitea } from "../../../src/providers/gitea.ts";
import { gumroad } from "../../../src/providers/gumroad.ts";
import { hubspot } from "../../../src/providers/hubspot.ts";
import { instagram } from "../../../src/providers/instagram.ts";
import { linear } from "../../../src/providers/linear.ts";
import { readProfile } from "../../_support/one_provider.ts";

/** What the service makes of an answer of the token endpoint. */
async function repaired({ token }: OAuthProvider, body: unknown, status: number): Promise<[unknown, number]> {
  const { conform } = token as TokenEndpoint;
  const given = await conform?.(Response.json(body, { status }));
  return given ? [await given.json(), given.status] : [body, status];
}

test("facebook() takes a code that is spent for one, and other errors for those of the client", async () => {
  const rows: [error: object, expected: object][] = [
    [{ message: "used", error_subcode: 36009 }, { error: "invalid_grant", error_description: "used" }],
    [{ message: "expired", error_subcode: 36007 }, { error: "invalid_grant", error_description: "expired" }],
    [{ message: "secret", code: 1 }, { error: "invalid_request", error_description: "secret" }],
    [{}, { error: "invalid_request" }],
  ];
  for (const [error, expected] of rows) {
    assert.deepEqual(await repaired(facebook(), { error }, 400), [expected, 400]);
  }
  const tokens = { access_token: "a", token_type: "bearer", expires_in: 1 };
  assert.deepEqual(await repaired(facebook(), tokens, 200), [tokens, 200]);
});

test("figma() reads errors that are texts", async () => {
  const error = { error: true, status: 400 };
  assert.deepEqual(await repaired(figma(), { ...error, message: "Invalid code" }, 400), [
    { error: "invalid_grant", error_description: "Invalid code" },
    400,
  ]);
  assert.deepEqual(await repaired(figma(), { ...error, message: "Bad secret" }, 400), [
    { error: "invalid_request", error_description: "Bad secret" },
    400,
  ]);
  for (const body of [{ error: "invalid_client", message: "code" }, { access_token: "a", token_type: "bearer" }]) {
    assert.deepEqual(await repaired(figma(), body, 200), [body, 200]);
  }
});

test("gitea() takes an unknown code for one, and a wrong secret for an error of the client", async () => {
  const error = "unauthorized_client";
  const rows: [description: string, expected: string][] = [
    ["client is not authorized", "invalid_grant"],
    ["invalid client secret", "unauthorized_client"],
    ["unexpected redirect URI", "unauthorized_client"],
  ];
  for (const [error_description, expected] of rows) {
    const made = await repaired(gitea(), { error, error_description }, 400);
    assert.deepEqual(made, [{ error: expected, error_description }, 400]);
  }
});

test("instagram() reads its errors, and those of the Graph API", async () => {
  const used = "Matching code was not found or was already used";
  const rows: [body: object, expected: object][] = [
    [{ error_type: "OAuthException", code: 400, error_message: used }, {
      error: "invalid_grant",
      error_description: used,
    }],
    [{ error: { message: "This authorization code has expired", code: 100 } }, {
      error: "invalid_grant",
      error_description: "This authorization code has expired",
    }],
    [{ error_message: "Invalid platform app" }, {
      error: "invalid_request",
      error_description: "Invalid platform app",
    }],
  ];
  for (const [body, expected] of rows) assert.deepEqual(await repaired(instagram(), body, 400), [expected, 400]);
});

test("instagram() reads answers alone and in a list", async () => {
  const tokens = { access_token: "a", user_id: "17841405793187218" };
  for (const body of [tokens, { data: [tokens] }]) {
    assert.deepEqual(await repaired(instagram(), body, 200), [{ token_type: "bearer", ...tokens }, 200]);
  }
  const profile = { user_id: "17841405793187218", username: "ada" };
  for (const body of [profile, { data: [profile] }]) {
    assert.deepEqual((await readProfile(instagram(), [Response.json(body)])).profile, profile);
  }
});

/** Errors with status 200. */
const REFUSALS: readonly [provider: OAuthProvider, bodies: readonly unknown[], problem: RegExp][] = [
  [gumroad(), [{ success: false, message: "No" }, { user: { user_id: "1" } }, { success: "true" }], /without success/],
  [linear(), [{ errors: [{ message: "No" }] }, { data: null }, { data: { viewer: null } }], /without a viewer/],
  [hubspot(), [{ active: false }, { user_id: 1 }, { active: "true", user_id: 1 }], /not active/],
];

for (const [provider, bodies, problem] of REFUSALS) {
  test(`${provider.id}: an error with status 200 is one`, async () => {
    for (const body of bodies) {
      await assert.rejects(readProfile(provider, [Response.json(body)]), (error) => {
        assert.ok(error instanceof OAuthProviderError);
        assert.match(error.message, problem);
        return true;
      });
    }
  });
}
