/**
 * The security headers of every response.
 *
 * @module
 */

/** The kind of body, which the headers depend on. */
export type BodyKind = "empty" | "json" | "html";

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
  // Passkeys work on our pages. What gives access to devices, money, the clipboard or an interest profile does not, so an
  // injected script cannot ask for it. The names are those of github.com/w3c/webappsec-permissions-policy, features.md,
  // and of FLoC (`interest-cohort`).
  [
    "permissions-policy",
    "publickey-credentials-get=(self), publickey-credentials-create=(self), camera=(), microphone=(), geolocation=(), " +
    "payment=(), usb=(), display-capture=(), clipboard-read=(), interest-cohort=()",
  ],
];

/** The policy of responses that are not pages. */
const PLAIN_CSP = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

const TYPES: Readonly<Record<BodyKind, string | null>> = {
  empty: null,
  json: "application/json; charset=utf-8",
  html: "text/html; charset=utf-8",
};

/**
 * Lists the headers of a response, with lower-case names.
 *
 * Pages keep the origin in `Referer`. With `no-referrer`, browsers send forms with `Origin: null`, which our own check
 * refuses.
 *
 * @param https Whether the visitor's connection is encrypted.
 * @param csp The Content-Security-Policy of a page.
 */
export function securityHeaders(kind: BodyKind, https: boolean, csp: string = PLAIN_CSP): readonly Field[] {
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
