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

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };
const CSP = "default-src 'none'; style-src 'sha256-x'";
const PAGE = {
  "content-security-policy": CSP,
  "content-type": "text/html; charset=utf-8",
  "referrer-policy": "strict-origin",
};

const GOLDEN = [
  ["empty", true, undefined, { ...COMMON, ...PLAIN, ...HTTPS }],
  ["empty", false, undefined, { ...COMMON, ...PLAIN }],
  ["json", true, undefined, { ...COMMON, ...PLAIN, ...JSON_TYPE, ...HTTPS }],
  ["json", false, undefined, { ...COMMON, ...PLAIN, ...JSON_TYPE }],
  ["html", true, CSP, { ...COMMON, ...PAGE, ...HTTPS }],
  ["html", false, CSP, { ...COMMON, ...PAGE }],
] as const;

for (const [kind, https, csp, golden] of GOLDEN) {
  test(`securityHeaders() makes the whole set for ${kind} over ${https ? "https" : "http"}`, () => {
    assert.deepEqual(Object.fromEntries(securityHeaders(kind, https, csp)), golden);
  });
}
