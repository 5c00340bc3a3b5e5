import assert from "node:assert/strict";
import { test } from "node:test";
import { callKv, TransientKvError } from "../../../../adapters/kv/store.ts";
import { AdapterError } from "../../../../src/kernel/errors.ts";

function failing(name: string, message: string): () => Promise<never> {
  return () => Promise.reject(Object.assign(new Error(message), { name }));
}

const PERMANENT: readonly (readonly [name: string, message: string])[] = [
  ["BadResource", "Bad resource ID"],
  ["TypeError", "Key too large for write (max 2048 bytes)"],
  ["TypeError", "Value too large (max 65536 bytes)"],
  ["TypeError", "Total mutation size too large (max 819200 bytes)"],
  ["TypeError", "Total key size too large (max 81920 bytes)"],
  ["TypeError", "Too many checks (max 100)"],
  ["TypeError", "Too many mutations (max 1000)"],
  ["TypeError", "Too many ranges (max 10)"],
  ["DataCloneError", "()=>1 could not be cloned."],
  ["Error", "Cannot call '.get' after '.close' is called"],
  ["Error", "KeyTooLong\nat a trace"],
  ["Error", "ValueTooLong"],
  ["Error", "AtomicWriteTooLarge"],
  ["Error", "TooManyChecks"],
  ["Error", "TooManyMutations"],
  ["Error", "TooManyReadRanges"],
];

for (const [name, message] of PERMANENT) {
  test(`callKv() says that no retry helps: ${name}: ${message.split("\n", 1)}`, async () => {
    await assert.rejects(callKv(failing(name, message)), (error) => {
      assert.ok(error instanceof AdapterError && !(error instanceof TransientKvError));
      assert.equal(error.message, `Cannot use Deno KV: ${message.split("\n", 1)}`);
      return true;
    });
  });
}

for (const message of ["database is locked", "disk I/O error", "Too many requests", "connection closed"]) {
  test(`callKv() says that a retry may help: ${message}`, async () => {
    await assert.rejects(callKv(failing("TypeError", message)), TransientKvError);
  });
}
