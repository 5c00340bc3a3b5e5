/**
 * The security headers of every answer.
 *
 * @module
 */

/** What the headers depend on. */
export type HeaderKind = "empty" | "json" | "html";

const COMMON: readonly (readonly [string, string])[] = [
  ["cache-control", "private, no-store"],
  ["vary", "Cookie"],
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "DENY"],
  ["cross-origin-opener-policy", "same-origin"],
  ["cross-origin-resource-policy", "same-origin"],
  ["origin-agent-cluster", "?1"],
  ["x-permitted-cross-domain-policies", "none"],
  ["x-robots-tag", "noindex"],
  [
    "permissions-policy",
    "publickey-credentials-get=(self), publickey-credentials-create=(self), camera=(), microphone=(), geolocation=(), " +
    "payment=(), usb=(), display-capture=(), clipboard-read=(), interest-cohort=()",
  ],
];

/** The policy of answers that are not pages. */
const PLAIN_CSP = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

const TYPES: Readonly<Record<HeaderKind, string | null>> = {
  empty: null,
  json: "application/json; charset=utf-8",
  html: "text/html; charset=utf-8",
};

/**
 * Makes the header set.
 *
 * Pages keep the origin in `Referer`: with `no-referrer` a browser sends `Origin: null` along with a form, which our
 * own check would refuse.
 *
 * @param kind What the answer holds.
 * @param https Whether the visitor's connection is encrypted.
 * @param csp The policy of a page.
 * @returns Headers to copy, not to change.
 */
export function securityHeaders(kind: HeaderKind, https: boolean, csp: string = PLAIN_CSP): Headers {
  const headers = new Headers(COMMON as [string, string][]);
  headers.set("referrer-policy", kind === "html" ? "strict-origin" : "no-referrer");
  headers.set("content-security-policy", csp);
  if (https) headers.set("strict-transport-security", "max-age=31536000");
  const type = TYPES[kind];
  if (type) headers.set("content-type", type);
  return headers;
}
