/**
 * The security headers of every answer.
 *
 * @module
 */

/** What the headers depend on. */
export type HeaderKind = "empty" | "json" | "html";

/** A header. */
export type Field = readonly [name: string, value: string];

const COMMON: readonly Field[] = [
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
 * @returns The headers, by their names in lower case.
 */
export function securityHeaders(kind: HeaderKind, https: boolean, csp: string = PLAIN_CSP): Field[] {
  const type = TYPES[kind];
  return [
    ...COMMON,
    ["referrer-policy", kind === "html" ? "strict-origin" : "no-referrer"],
    ["content-security-policy", csp],
    ...(https ? [STRICT_TRANSPORT] : []),
    ...(type ? [["content-type", type] as const] : []),
  ];
}

const STRICT_TRANSPORT: Field = ["strict-transport-security", "max-age=31536000"];
