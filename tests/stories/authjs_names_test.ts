/** Applications that were written for Auth.js, after nothing but their imports was changed. */
import assert from "node:assert/strict";
import { env } from "node:process";
import { test } from "node:test";
import { createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import GitHub from "@x/auth/providers/github";
import Google from "@x/auth/providers/google";
import Resend from "@x/auth/providers/resend";
import { Browser } from "../_support/browser.ts";
import { recordLog, SECRET } from "../_support/service.ts";

const CLIENT = { clientId: "client-1", clientSecret: "0123456789abcdef0123456789abcdef" };

test("a provider is its default export, called with options or given without a call", async () => {
  const { logger, errors, warnings } = recordLog();
  env.AUTH_GITHUB_ID = "client-2";
  env.AUTH_GITHUB_SECRET = CLIENT.clientSecret;
  try {
    const { handler } = createAuth({
      providers: [GitHub, Google(CLIENT), Resend({ from: "site@example.com", apiKey: "key" })],
      adapter: memoryAdapter(),
      secret: SECRET,
      trustHost: true,
      logger,
    });
    assert.deepEqual(Object.keys(await new Browser(handler).providers()), ["github", "google", "resend"]);
    assert.deepEqual([errors, warnings], [[], []]);
  } finally {
    delete env.AUTH_GITHUB_ID;
    delete env.AUTH_GITHUB_SECRET;
  }
});
