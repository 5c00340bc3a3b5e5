import assert from "node:assert/strict";
import { test } from "node:test";
import { securityHeaders } from "../../../src/http/headers.ts";

const COMMON = {
  "cache-control": "private, no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "permissions-policy":
    "publickey-credentials-get=(self), publickey-credentials-create=(self), camera=(), microphone=(), geolocation=(), " +
    "payment=(), usb=(), display-capture=(), clipboard-read=(), interest-cohort=()",
  "vary": "Cookie",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "x-permitted-cross-domain-policies": "none",
  "x-robots-tag": "noindex",
};
const PLAIN = {
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  "referrer-policy": "no-referrer",
};
const HTTPS = { "strict-transport-security": "max-age=31536000" };

const GOLDEN = [
  ["plain", true, { ...COMMON, ...PLAIN, ...HTTPS }],
  ["plain", false, { ...COMMON, ...PLAIN }],
  ["html", true, { ...COMMON, "referrer-policy": "strict-origin", ...HTTPS }],
  ["html", false, { ...COMMON, "referrer-policy": "strict-origin" }],
] as const;

for (const [kind, https, golden] of GOLDEN) {
  test(`securityHeaders() makes the whole set for ${kind} over ${https ? "https" : "http"}`, () => {
    assert.deepEqual(Object.fromEntries(securityHeaders(kind, https)), golden);
  });
}

test("securityHeaders() gives every caller headers of its own", () => {
  securityHeaders("plain", true).set("vary", "x");
  assert.equal(securityHeaders("plain", true).get("vary"), "Cookie");
});
