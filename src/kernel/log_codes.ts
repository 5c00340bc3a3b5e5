/**
 * The codes of the log. A code never changes once it was published: people search for it.
 *
 * @module
 */

/** What a line of the log is about. Each code has an entry in `docs/errors.md`. */
export type LogCode =
  | "adapter-without-commit"
  | "body-consumed"
  | "callback-result"
  | "clock-skew"
  | "config-in-browser"
  | "cookies-unread"
  | "credentials-by-email"
  | "csrf-disabled"
  | "debug-enabled"
  | "driver-unusable"
  | "email-linking"
  | "env-url-basepath-mismatch"
  | "env-url-basepath-redundant"
  | "env-url-mended"
  | "experimental-webauthn"
  | "flow-cookie-missing"
  | "handler-not-web"
  | "insecure-requests"
  | "issuer-metadata"
  | "issuer-mismatch"
  | "issuer-unreachable"
  | "logout-provider-unknown"
  | "no-checks"
  | "option-mended"
  | "origin-differs"
  | "package-missing"
  | "path-elsewhere"
  | "provider-empty"
  | "provider-left-out"
  | "proxy-unheard"
  | "redirect-proxy-closed"
  | "resident-key-required"
  | "session-too-large"
  | "sign-in-time-unknown"
  | "sqlite-unopened"
  | "storage-moved"
  | "storage-tables"
  | "userinfo-refused"
  | "weak-secret";
