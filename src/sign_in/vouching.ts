/**
 * Whether a sign-in with a provider proves an email address. It is decided here and nowhere else.
 *
 * @module
 */
import { comparableEmail, parseProfileEmail } from "../kernel/address.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";

/** The facts about a provider that decide how far it is believed. */
export type Witness = Pick<
  ResolvedOAuthProvider,
  "vouches" | "ownDomains" | "tenancy" | "allowDangerousEmailAccountLinking"
>;

declare const judged: unique symbol;

/** What a sign-in is worth as a proof of its address. Only {@linkcode vouchingFor} can make one. */
export interface Vouching {
  readonly [judged]: true;
  /** Whether the provider has proven that the address belongs to the person. */
  readonly vouches: boolean;
  /** Whether the account may be linked to the user who has the address. */
  readonly mayLink: boolean;
}

/** Members of verified claims. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * Decides what a sign-in is worth as a proof of an address.
 *
 * @param provider The facts about the provider.
 * @param claims The claims about the person as the provider gave them.
 * @param email The address that `profile` made of them.
 * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims | OpenID Connect Core, section 5.1}
 */
export function vouchingFor(provider: Witness, claims: Claims, email: unknown): Vouching {
  const address = addressIn(email);
  const word = address === null ? "no" : wordOn(address, provider, claims);
  // An address that cannot be compared does not identify a person. It is only stored.
  const isComparable = address !== null && comparableEmail(address) !== null;
  const isAllowed = provider.allowDangerousEmailAccountLinking && word !== "no";
  return { vouches: word === "yes", mayLink: isAllowed && isComparable } as Vouching;
}

/** What a provider says of an address: that it is proven, that it is not, or nothing. */
type Word = "yes" | "no" | "nothing";

function wordOn(address: string, { vouches, ownDomains, tenancy }: Witness, claims: Claims): Word {
  const stated = statedIn(claims, tenancy);
  if (stated === false) return "no";
  // The administrator of a tenant can give its users any address.
  if (tenancy === "many" && stated === null) return "no";
  if (vouches === "own domain" && !isOwn(address, ownDomains, claims)) return "no";
  if (stated === null || !isPresent(claims.email)) return "nothing";
  // The provider speaks of the address in the claim, not of one that `profile` took from elsewhere.
  if (addressIn(claims.email) !== address) return "no";
  return vouches === "no" ? "nothing" : "yes";
}

/** Whether the claims say that the address in `email` is verified; `null` if they say nothing. */
function statedIn({ email_verified, xms_edov }: Claims, tenancy: Witness["tenancy"]): boolean | null {
  // Whether the owner of the domain has proven it: a claim of Microsoft, which writes it as a boolean, a number or text.
  // https://learn.microsoft.com/en-us/entra/identity-platform/migrate-off-email-claim-authorization
  const isOfOwner = isPresent(xms_edov) ? xms_edov === 1 || xms_edov === "1" || isTrue(xms_edov) : null;
  if (isOfOwner === false || (tenancy !== null && isOfOwner)) return isOfOwner;
  if (tenancy === "many") return null;
  return isPresent(email_verified) ? isTrue(email_verified) : null;
}

function isPresent(claim: unknown): boolean {
  return claim !== undefined && claim !== null;
}

// Some providers send text. Any other value counts as false.
function isTrue(claim: unknown): boolean {
  return claim === true || claim === "true";
}

function isOwn(address: string, { names, claim }: Witness["ownDomains"], claims: Claims): boolean {
  const domain = address.slice(address.lastIndexOf("@") + 1);
  const named = claim === null ? null : claims[claim];
  const own = typeof named === "string" ? addressIn(`x@${named}`) : null;
  return names.includes(domain) || own === `x@${domain}`;
}

/** Gives an address of a profile in the spelling that is stored; `null` if it is not an address. */
function addressIn(value: unknown): string | null {
  const address = typeof value === "string" ? parseProfileEmail(value) : null;
  return address === null ? null : comparableEmail(address) ?? address;
}
