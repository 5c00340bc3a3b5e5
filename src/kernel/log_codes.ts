/**
 * The codes of the log. A code never changes once it was published: people search for it.
 *
 * @module
 */

/** What a line of the log is about. Each code has an entry in `docs/errors.md`. */
export type LogCode =
  | "adapter-without-commit"
  | "config-in-browser"
  | "cookies-unread"
  | "credentials-by-email"
  | "csrf-disabled"
  | "debug-enabled"
  | "email-linking"
  | "env-url-basepath-mismatch"
  | "env-url-basepath-redundant"
  | "env-url-mended"
  | "experimental-webauthn"
  | "flow-cookie-missing"
  | "logout-provider-unknown"
  | "no-checks"
  | "option-mended"
  | "origin-differs"
  | "path-elsewhere"
  | "provider-empty"
  | "provider-left-out"
  | "proxy-unheard"
  | "redirect-proxy-closed"
  | "resident-key-required"
  | "sign-in-time-unknown"
  | "storage-moved"
  | "userinfo-refused"
  | "weak-secret";
