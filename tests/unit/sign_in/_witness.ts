/** A provider as far as {@linkcode vouchingFor} looks at it. */
import type { Witness } from "../../../src/sign_in/vouching.ts";

/** Makes a provider that vouches for every address, and links none. */
export function witness(changes: Partial<Witness> = {}): Witness {
  return {
    vouches: "yes",
    ownDomains: { names: [], claim: null },
    tenancy: null,
    allowDangerousEmailAccountLinking: false,
    ...changes,
  };
}
