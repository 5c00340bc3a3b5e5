import assert from "node:assert/strict";
import { test } from "node:test";
import type { TokenEndpoint } from "../../../src/contract/provider.ts";
import { clickUp } from "../../../src/providers/click_up.ts";

test("clickUp() reads the errors of the token endpoint, and adds the type of the token", async () => {
  const { conform } = clickUp().token as TokenEndpoint;
  const rows: [body: object, expected: object][] = [
    [{ access_token: "1_a" }, { token_type: "bearer", access_token: "1_a" }],
    [{ access_token: "1_a", token_type: "Bearer" }, { token_type: "Bearer", access_token: "1_a" }],
    [{ err: "Code already used", ECODE: "OAUTH_014" }, {
      error: "invalid_grant",
      error_description: "Code already used",
    }],
    [{ err: "Client not found", ECODE: "OAUTH_010" }, { error: "OAUTH_010", error_description: "Client not found" }],
    [{ err: "Oops", access_token: "1_a" }, { error: "unknown", error_description: "Oops" }],
  ];
  for (const [body, expected] of rows) {
    const response = await conform?.(Response.json(body, { status: 400 }));
    assert.equal(response?.status, 400);
    assert.deepEqual(await response?.json(), expected);
  }
});
