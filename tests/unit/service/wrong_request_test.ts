import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthConfigSource } from "../../../src/contract/config.ts";
import { answerWrongRequest } from "../../../src/service/wrong_request.ts";

const logger = { error: () => {} };

test("a configuration that is no object does not keep what is no request from being answered", () => {
  for (const source of ["text", 5, true, null, undefined]) {
    const { outcome } = answerWrongRequest({}, undefined, source as unknown as AuthConfigSource);
    assert.equal(outcome.kind === "json" && outcome.status, 500);
  }
});

test("a response of `node:http` that was sent before does not end the process", () => {
  const sent = {
    setHeader: () => {
      throw new Error("Cannot set headers after they are sent to the client");
    },
    end: () => {},
  };
  const { outcome } = answerWrongRequest({ rawHeaders: [] }, sent, { providers: [], logger });
  assert.equal(outcome.kind === "json" && outcome.status, 500);
});
