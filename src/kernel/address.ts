/**
 * Email addresses, in the one spelling that is stored, sent to and compared.
 *
 * @module
 */
import { EmailSignInError } from "./errors.ts";
import { unicodeDomain } from "./idna.ts";

/** More than any spelling of an address needs; what is longer is not looked at. */
const LONGEST_INPUT = 1024;

/** The most that SMTP can carry: a path of 256 with its brackets (RFC 5321, section 4.5.3.1.3). */
const LONGEST = 254;

const LONGEST_LOCAL = 64;

// A dot-atom of RFC 5322, section 3.2.3, without `%` and `!`, which once told servers where to pass a mail on.
const LOCAL = /^[a-z0-9#$&'*+/=?^_`{|}~-]+(?:\.[a-z0-9#$&'*+/=?^_`{|}~-]+)*$/;

// Beside them letters of any script (RFC 6531) and dots anywhere, which some carriers have given out.
const PROFILE_LOCAL = /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}$/u;

const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
const ASCII_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Normalises an address.
 *
 * @param text What somebody typed.
 * @returns The one mailbox it names: ASCII, lower case, international domains as `xn--`.
 * @throws {EmailSignInError} if it names none or more than one, or could be read in more than one way.
 */
export function normalizeEmail(text: string): string {
  const address = comparableEmail(text);
  if (address === null) throw new EmailSignInError("Cannot use address: it is not exactly one mailbox");
  return address;
}

/**
 * Normalises an address, to compare it with others.
 *
 * @param text An address, such as one in a profile.
 * @returns What {@linkcode normalizeEmail} gives, or `null` where that throws.
 */
export function comparableEmail(text: string): string | null {
  // Counted before folding: `＠` becomes `@` there, and whoever wrote it meant to be read in two ways.
  if (text.length > LONGEST_INPUT || text.split("@").length !== 2) return null;
  const [local = "", domain = "", ...more] = folded(text).split("@");
  if (more.length > 0 || local.length > LONGEST_LOCAL || !LOCAL.test(local)) return null;
  const host = asciiDomain(domain);
  const address = `${local}@${host}`;
  return host === null || address.length > LONGEST ? null : address;
}

/**
 * Lists the spellings under which a row may have been stored: as it is given, and with its international domain the
 * other way, as Auth.js stores what was typed.
 *
 * @param address An address, normalised.
 * @returns At most two; the one that was given is the first.
 */
export function spellingsOf(address: string): readonly [string, ...string[]] {
  const at = address.lastIndexOf("@") + 1;
  const [local, domain] = [address.slice(0, at), address.slice(at)];
  const isAscii = /^[\0-\x7f]*$/.test(domain);
  if (at === 0 || address.length > LONGEST_INPUT || (isAscii && !/(?:^|\.)xn--/.test(domain))) return [address];
  const ascii = isAscii ? domain : asciiDomain(domain);
  const unicode = ascii && unicodeDomain(ascii);
  // There and back again: a spelling that stands for another one too must not find somebody else.
  if (!unicode || asciiDomain(unicode) !== ascii) return [address];
  if (isAscii) return [address, local + unicode];
  return unicode === domain ? [address, local + ascii] : [address];
}

/**
 * Reads an address that a provider tells. Nobody typed it, so nothing is made of it but lower case, and of ASCII alone:
 * the Kelvin sign of one mailbox is not the `k` of another.
 *
 * @param text An address, as it came.
 * @returns The address, which {@linkcode comparableEmail} makes into the one that is compared; `null` if no mail program
 * would take it, or if it could be taken for another one.
 */
export function parseProfileEmail(text: string): string | null {
  if (text.length > LONGEST) return null;
  const address = text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const [local = "", domain = "", ...more] = address.split("@");
  if (more.length > 0 || address !== folded(text) || INVISIBLE.test(address) || !PROFILE_LOCAL.test(local)) return null;
  return domain.split(".").every((label) => LABEL.test(label)) ? address : null;
}

// What people type, and keyboards and phones make of it.
function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase().trim();
}

function asciiDomain(domain: string): string | null {
  if (INVISIBLE.test(domain) || !domain.split(".").every((label) => LABEL.test(label))) return null;
  // Where all is ASCII some runtimes take `xn--` labels as they are; beside one that is not, all of them look inside.
  const host = URL.parse(`https://é.${domain}`)?.hostname.replace("xn--9ca.", "") ?? "";
  const labels = host.split(".");
  if (labels.length < 2 || !labels.every((label) => ASCII_LABEL.test(label))) return null;
  // No top-level domain begins with a digit.
  return /^[a-z]/.test(labels.at(-1) ?? "") ? host : null;
}
