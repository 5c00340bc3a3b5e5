import assert from "node:assert/strict";
import { test } from "node:test";
import { otherNames, withOtherName } from "../../../src/config/other_names.ts";
import { InvalidConfig, InvalidEndpoints } from "../../../src/kernel/errors.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { setEnv } from "../../stories/mistakes/_table.ts";

/** Variables that are of something else. */
const OTHERS = [
  "SECRET",
  "URL",
  "SITE_URL",
  "X_SECRET",
  "AUTH_X_SECRET",
  "AUTH_VK_SECRET",
  "AUTH_X_KEY",
  "TRUST",
  "HOST",
];

test("otherNames() names no variable that is of a provider, or of anything", () => {
  const restore = setEnv(Object.fromEntries(OTHERS.map((name) => [name, "set"])));
  try {
    assert.equal(otherNames(systemRuntime.env, "AUTH_SECRET", "AUTH_TRUST_HOST", "AUTH_URL"), "");
  } finally {
    restore();
  }
});

test("otherNames() names no variable that is blank, and of an environment of its own what it can ask for", () => {
  const restore = setEnv({ AUTH_TRUSTED_HOST: "  ", AUTH_SECRETS: "set" });
  try {
    assert.equal(otherNames(systemRuntime.env, "AUTH_TRUST_HOST"), "");
    assert.match(otherNames(systemRuntime.env, "AUTH_SECRET"), /^; AUTH_SECRETS is set, /);
    assert.equal(otherNames((name) => ({ AUTH_SECRETS: "set" })[name], "AUTH_SECRET"), "");
    assert.match(
      otherNames((name) => ({ AUTH_JWT_SECRET: "set" })[name], "AUTH_SECRET"),
      /^; AUTH_JWT_SECRET is set, /,
    );
  } finally {
    restore();
  }
});

test("withOtherName() keeps the type of a problem, and other problems as they are", () => {
  const env = (name: string) => ({ MY_IDP_DOMAIN: "set" })[name];
  const endpoints = new InvalidEndpoints('Cannot use provider "my-idp": set its `issuer`');
  const hinted = withOtherName(endpoints, "my-idp", env);
  assert.ok(hinted instanceof InvalidEndpoints);
  assert.match(hinted.message, /; MY_IDP_DOMAIN is set, which nothing reads: did you mean AUTH_MY_IDP_ISSUER\?$/);
  const other = new InvalidConfig('Cannot use provider "my-idp": its `checks` hold "nonce"');
  assert.equal(withOtherName(other, "my-idp", env), other);
  assert.equal(withOtherName(endpoints, "your-idp", env), endpoints);
});
