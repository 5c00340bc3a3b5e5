/**
 * Email addresses, normalized to the one spelling that is stored, sent to and compared.
 *
 * @module
 */
import { EmailSignInError } from "./errors.ts";

/** Longer than any spelling of a valid address. */
export const LONGEST_INPUT = 1024;

/** The longest address that SMTP carries: a path of 256 characters without its brackets (RFC 5321, section 4.5.3.1.3). */
const LONGEST = 254;

/** The longest local part (RFC 5321, section 4.5.3.1.1). */
const LONGEST_LOCAL = 64;

// A dot-atom (RFC 5322, section 3.2.3) without `%` and `!`, which some servers take for a route to another mailbox.
const LOCAL = /^[a-z0-9#$&'*+/=?^_`{|}~-]+(?:\.[a-z0-9#$&'*+/=?^_`{|}~-]+)*$/;

const ASCII_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Normalizes an address that somebody typed.
 *
 * @returns The mailbox: ASCII, lower case, international domains as `xn--`.
 * @throws {EmailSignInError} if the text is not exactly one mailbox, or could be read in more than one way.
 */
export function normalizeEmail(text: string): string {
  const address = comparableEmail(text);
  if (address === null) {
    throw new EmailSignInError("Cannot use address: it is not exactly one mailbox", { logCode: "email-address" });
  }
  return address;
}

/** Normalizes an address to compare it with others: like {@linkcode normalizeEmail}, but `null` where that throws. */
export function comparableEmail(text: string): string | null {
  // Counted before folding, which turns `＠` into `@`: such an address is meant to be read in two ways.
  if (text.length > LONGEST_INPUT || text.split("@").length !== 2) return null;
  const [local = "", domain = "", ...more] = folded(text).split("@");
  if (more.length > 0 || local.length > LONGEST_LOCAL || !LOCAL.test(local)) return null;
  const host = asciiDomain(domain);
  const address = `${local}@${host}`;
  return host === null || address.length > LONGEST ? null : address;
}

/**
 * Reads the address in a provider's profile. Only ASCII letters become lower case: no keyboard has changed it, and a
 * mailbox with a Kelvin sign is not the one with a `k`.
 *
 * @returns The address; `null` if it is not valid, or if it could be taken for another one.
 */
export function parseProfileEmail(text: string): string | null {
  if (text.length > LONGEST) return null;
  const address = text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const [local = "", domain = "", ...more] = address.split("@");
  if (more.length > 0 || address !== folded(text) || hasInvisible(address) || !isProfileLocal(local)) return null;
  return domain.split(".").every(isLabel) ? address : null;
}

// Undoes what keyboards and phones make of an address while somebody types it.
function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase().trim();
}

/** Writes a domain in ASCII, with `xn--` labels; `null` if it is not valid. */
export function asciiDomain(domain: string): string | null {
  if (hasInvisible(domain) || !domain.split(".").every(isLabel)) return null;
  // Some runtimes check `xn--` labels only if another label is not ASCII, so add one.
  const host = URL.parse(`https://é.${domain}`)?.hostname.replace("xn--9ca.", "") ?? "";
  const labels = host.split(".");
  if (labels.length < 2 || !labels.every((label) => ASCII_LABEL.test(label))) return null;
  // No top-level domain begins with a digit.
  return /^[a-z]/.test(labels.at(-1) ?? "") ? host : null;
}

// The sets of these expressions are large. In functions, they are made when they are needed and not at every start.

// Providers also return letters of any script (RFC 6531), and dots anywhere, which some carriers allow.
function isProfileLocal(text: string): boolean {
  return /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}$/u.test(text);
}

function isLabel(text: string): boolean {
  return /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u.test(text);
}

function hasInvisible(text: string): boolean {
  return /\p{Default_Ignorable_Code_Point}/u.test(text);
}
