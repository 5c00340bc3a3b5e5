import assert from "node:assert/strict";
import { test } from "node:test";
import { credentials } from "../../../src/providers/credentials.ts";

test("credentials() keeps the developer's authorize", async () => {
  const authorize = () => ({ id: "1" });
  const provider = credentials({ name: "Code", authorize });
  assert.equal(provider.type, "credentials");
  assert.deepEqual(await provider.options?.authorize?.({}, new Request("https://example.com")), { id: "1" });
});
