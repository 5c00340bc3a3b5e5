/**
 * What applications and features are told of limits.
 *
 * @module
 */

/** What is about to be compared, or done for somebody who may be anybody. */
export type GuessKind =
  /** A code that was sent by email. */
  | "code"
  /** What `authorize` of the application checks. */
  | "credentials"
  /** A password that this package checks. */
  | "password"
  /** A second proof, after the first one was right. */
  | "factor"
  /** Options to create a passkey, and with it a user. Nothing is compared. */
  | "registration"
  /** A logout token of a provider. */
  | "logout";

/** What refuses: the limit of a known browser, an account, a network, both together, after a challenge, or of the site. */
export type LimitedBy = "device" | "account" | "network" | "pair" | "solved" | "site";

/** What there was too much of. It does not say whose account, address or network it is. */
export interface LimitedMessage {
  /** What was tried. */
  act: GuessKind | "mail";
  /** The limit that refuses, see docs/limits.md. */
  by: LimitedBy;
  /** Id of the provider. */
  provider: string;
}
