/**
 * The name of the algorithm that this client signs with. A key of Ed25519 has two: servers know its own name, that of its
 * family, or both.
 *
 * @module
 * @see {@link https://www.rfc-editor.org/rfc/rfc9864 | RFC 9864}
 */

/** A signature by Ed25519: its own name, and the old one. */
const EDWARDS: readonly string[] = ["Ed25519", "EdDSA"];

/** What decides on the name. */
export interface Naming {
  /** What the protocol library calls the algorithm of the key. */
  readonly ofKey: string;
  /** What the client has registered. */
  readonly registered: unknown;
  /** What the metadata of the server lists. */
  readonly offered: unknown;
}

/** Gives the name of the algorithm of a key; `null` if the client is registered for another algorithm. */
export function signingAlgorithm({ ofKey, registered, offered }: Naming): string | null {
  const names = EDWARDS.includes(ofKey) ? EDWARDS : [ofKey];
  if (typeof registered === "string" && registered !== "") return names.includes(registered) ? registered : null;
  if (names.length === 1) return ofKey;
  // Servers that list neither are older than the new name.
  return names.find((name) => Array.isArray(offered) && offered.includes(name)) ?? "EdDSA";
}
