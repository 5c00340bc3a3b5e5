/**
 * Which cookie is which, by the table of names alone: each role has one name over https and one over http, a session
 * may be spread over `name.0` to `name.4`, a flow has a slot of its own, and what is sealed for one name opens under
 * no other.
 */
export const ROLES = [
  "session-token",
  "callback-url",
  "csrf-token",
  "pkce.code_verifier",
  "state",
  "nonce",
  "challenge",
  "pending",
  "trusted-device",
] as const;

export type Role = typeof ROLES[number];

export function nameOf(role: Role, secure: boolean): string {
  if (!secure) return `authjs.${role}`;
  return `${role === "csrf-token" ? "__Host-" : "__Secure-"}authjs.${role}`;
}

/** A value, and the cookie it was made for. */
export interface Made {
  readonly name: string;
  readonly value: string;
  /** Whether the value is bound to its name: sealed, or an address of this very site. */
  readonly bound: boolean;
}

/** Whether a value under some name is what the service once put there. */
export function isAtHome({ name, bound }: Made, under: string, secure: boolean): boolean {
  const belongs = ROLES.find((role) => under === nameOf(role, secure) || under.startsWith(`${nameOf(role, secure)}.`));
  if (!belongs) return false; // the other scheme's names are never read
  if (under === name) return true;
  // A session that fits into one cookie is the same in one chunk.
  if (name === nameOf("session-token", secure) && under === `${name}.0`) return true;
  // The token of forms is signed and not sealed: over http and https it is the same.
  return !bound && under === nameOf(belongs, secure) && name === nameOf(belongs, !secure);
}
