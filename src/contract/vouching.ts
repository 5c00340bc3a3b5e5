/**
 * How far the word of a provider on an email address counts.
 *
 * @module
 */

/** What the word of a provider on an email address is worth, and whether it links accounts. */
export interface VouchingOptions {
  /**
   * How far the provider's word on an email address (`email_verified`) counts as a proof that it belongs to the person:
   * `"yes"`, for an `"own domain"` only, or `"no"`.
   *
   * - `"yes"`: it means what OpenID Connect says: the provider has proven the address.
   * - `"own domain"`: it counts for addresses of `ownDomains`. An account with another address is not linked by it.
   * - `"no"`: it is as if the provider said nothing. This is for a server whose administrators, or whose people themselves,
   *   enter addresses that are then called verified.
   *
   * In all three cases, `email_verified` is about the claim `email`: an address that `profile` takes from elsewhere is not
   * proven by it. A user whose address is not proven loses their other ways to sign in when somebody proves it.
   *
   * @default what the catalogue knows of the provider, and otherwise `"yes"`
   * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims | OpenID Connect Core, section 5.1}
   */
  vouches?: "no" | "own domain" | "yes" | undefined;
  /**
   * The domains of `vouches: "own domain"`: the names of those whose mailboxes the provider runs, and the claim that names
   * the domain that it runs for the person.
   */
  ownDomains?: { readonly names?: readonly string[]; readonly claim?: string } | undefined;
  /**
   * Whether a new account is linked to the user who has its email address. Dangerous unless the provider verifies
   * addresses: a person with an address there signs in as the user who has it here.
   *
   * It links where the provider says that the address is verified, and where it says nothing. It never links where the
   * provider says that it is not, nor where `vouches` is `"own domain"` and the address is of another domain, nor where the
   * issuer is that of many tenants at Microsoft and `xms_edov` is absent.
   *
   * @default {false}
   */
  allowDangerousEmailAccountLinking?: boolean | undefined;
}

/** The issuer of Google. */
export const GOOGLE = "https://accounts.google.com";

// Anybody can open an account at Google with an address of somewhere else. Google proves it once, and does not hear of it
// when the mailbox gets another owner.
const GOOGLE_FACTS: Pick<VouchingOptions, "vouches" | "ownDomains"> = Object.freeze({
  vouches: "own domain",
  ownDomains: Object.freeze({ names: Object.freeze(["gmail.com", "googlemail.com"]), claim: "hd" }),
});

/**
 * What is known of an issuer, in any configuration.
 *
 * @see {@link https://developers.google.com/identity/gsi/web/guides/verify-google-id-token | Verify the Google ID token}:
 * when Google is authoritative for an address
 */
export function vouchingFactsOf(issuer: string | undefined): Pick<VouchingOptions, "vouches" | "ownDomains"> {
  return issuer === GOOGLE || issuer === `${GOOGLE}/` ? GOOGLE_FACTS : {};
}
