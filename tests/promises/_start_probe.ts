/**
 * Starts a service with one provider and answers one request. The test that runs it looks at what was loaded meanwhile.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createAuth } from "@x/auth";
import { github } from "@x/auth/providers/github";

const { handler } = createAuth({
  providers: [github({ clientId: "id", clientSecret: "secret" })],
  secret: "a random text of at least 32 characters",
  trustHost: true,
});

const answer = await handler(new Request("http://localhost/auth/session"));
assert.equal(await answer.text(), "null");
