/**
 * Sign in with Passage, for services that did before.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../../contract/provider.ts";
import type { Profile } from "../../kernel/model.ts";

export type { OidcProvider } from "../../contract/provider.ts";

/** The profile of a person at Passage. */
export interface PassageProfile extends Profile {
  /** The phone number. */
  phone?: string | undefined;
  /** Whether the phone number is verified. */
  phone_number_verified?: boolean | undefined;
}

/**
 * Signs people in with an application of Passage. `issuer`, or `AUTH_PASSAGE_ISSUER`, is required.
 *
 * @deprecated The service has ended. Use `passkey` of `@x/auth/providers/passkey`.
 *
 * @param options The issuer, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.passage.id | Passage}
 */
export function passage<const Id extends string = "passage">(
  options: OidcOptions<PassageProfile, Id> = {},
): OidcProvider<PassageProfile, Id> {
  return oidcProvider({
    id: "passage",
    name: "Passage",
    deprecated: "Passage has ended: use `passkey` of @x/auth/providers/passkey",
    requiredOptions: ["issuer"],
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#3d53f6", text: "#fff" },
  }, options);
}

export default passage;
