/**
 * The codes of the log. A code never changes once it was published: people search for it.
 *
 * @module
 */

/** What a line of the log is about. Each code has an entry in `docs/errors.md`. */
export type LogCode =
  | "base-path-root"
  | "check-failed"
  | "config-in-browser"
  | "config-missing"
  | "cookies-unread"
  | "credentials-by-email"
  | "csrf-disabled"
  | "debug-enabled"
  | "email-linking"
  | "env-url-basepath-mismatch"
  | "env-url-basepath-redundant"
  | "env-url-mended"
  | "experimental-webauthn"
  | "issuer-unreachable"
  | "logout-provider-unknown"
  | "no-checks"
  | "option-mended"
  | "option-misspelt"
  | "option-unknown"
  | "provider-empty"
  | "provider-left-out"
  | "provider-unknown"
  | "proxy-unheard"
  | "redirect-proxy-closed"
  | "resident-key-required"
  | "seconds-too-long"
  | "sign-in-time-unknown"
  | "storage-moved"
  | "storage-unreadable"
  | "userinfo-refused"
  | "weak-secret"
  | "adapter-unusable"
  | "adapter-without-commit";
