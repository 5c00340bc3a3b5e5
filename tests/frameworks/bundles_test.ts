/** What bundlers make of an application whose code for browsers imports the service. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { SERVER_ONLY } from "../../src/kernel/server_only.ts";
import { type Bundled, BUNDLERS, CLIENT_SECRET, installBundled, OF_NEXT, WRANGLER } from "./_bundles.ts";

describe("a bundle for browsers", () => {
  let application: Bundled;
  before(async () => {
    application = await installBundled();
  });

  for (const bundler of [...BUNDLERS, ...OF_NEXT]) {
    test(`cannot be made by ${bundler.name} of the service, and a sentence says why`, async () => {
      await assert.rejects(application.bundle(bundler, "leak.js"), ({ message }) => {
        assert.ok(message.includes(SERVER_ONLY), message);
        assert.ok(!message.includes(CLIENT_SECRET));
        return true;
      });
    });
  }

  for (const bundler of BUNDLERS) {
    test(`cannot be made by ${bundler.name} of code that imports the service and does not call it`, async () => {
      await assert.rejects(application.bundle(bundler, "unused.js"), ({ message }) => message.includes(SERVER_ONLY));
    });
  }

  for (const bundler of BUNDLERS.filter(({ name }) => name !== "webpack")) {
    test(`is made by ${bundler.name} of the client, of errors and of types`, async () => {
      await application.bundle(bundler, "fine.ts");
    });
  }

  test("is made with the conditions of Wrangler, and answers", async () => {
    await application.bundle(WRANGLER, "worker.js");
    assert.equal((await application.run(["ask.js"])).trim(), "null");
  });

  test("is not what a test in jsdom runs", async () => {
    await application.run(["vitest", "run"]);
  });
});
