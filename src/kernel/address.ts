/**
 * Email addresses, normalized to the one spelling that is stored, sent to and compared.
 *
 * @module
 */
import { EmailSignInError } from "./errors.ts";

/** Longer than any spelling of a valid address. */
const LONGEST_INPUT = 1024;

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
 * Lists the spellings that a row may be stored under: the address itself, then the one with its international domain in
 * the other form. Auth.js stores domains as people type them.
 *
 * @param address A normalized address.
 */
export function spellingsOf(address: string): readonly [string, ...string[]] {
  const at = address.lastIndexOf("@") + 1;
  const [local, domain] = [address.slice(0, at), address.slice(at)];
  const isAscii = /^[\0-\x7f]*$/.test(domain);
  if (at === 0 || address.length > LONGEST_INPUT || (isAscii && !/(?:^|\.)xn--/.test(domain))) return [address];
  const ascii = isAscii ? domain : asciiDomain(domain);
  const unicode = ascii && unicodeDomain(ascii);
  // Convert back as well: a spelling that also stands for another domain must not find another user.
  if (!unicode || asciiDomain(unicode) !== ascii) return [address];
  if (isAscii) return [address, local + unicode];
  return unicode === domain ? [address, local + ascii] : [address];
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

function asciiDomain(domain: string): string | null {
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

// Punycode (RFC 3492), which platforms only write.

const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_N = 128;
const LARGEST_CODE_POINT = 0x10ffff;

/** Writes a domain of `xn--` labels in Unicode; `null` if one of them cannot be decoded. */
export function unicodeDomain(domain: string): string | null {
  const labels = domain.split(".").map((label) => label.startsWith("xn--") ? decodePunycode(label.slice(4)) : label);
  return labels.includes(null) ? null : labels.join(".");
}

/** Decodes a label as RFC 3492, section 6.2, has it; `null` if it is malformed. */
function decodePunycode(label: string): string | null {
  const end = label.lastIndexOf("-");
  const output = Array.from(label.slice(0, Math.max(end, 0)), (character) => character.codePointAt(0) ?? 0);
  let [n, i, bias] = [INITIAL_N, 0, INITIAL_BIAS];
  for (let at = end + 1; at < label.length;) {
    const before = i;
    for (let weight = 1, k = BASE;; k += BASE) {
      const digit = digitOf(label.charAt(at++));
      if (digit === null) return null;
      i += digit * weight;
      const t = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (i > Number.MAX_SAFE_INTEGER / BASE) return null;
      if (digit < t) break;
      weight *= BASE - t;
    }
    const length = output.length + 1;
    bias = adapt(i - before, length, before === 0);
    n += Math.floor(i / length);
    i %= length;
    if (n > LARGEST_CODE_POINT) return null;
    output.splice(i++, 0, n);
  }
  return String.fromCodePoint(...output);
}

function digitOf(character: string): number | null {
  if (character >= "a" && character <= "z") return character.charCodeAt(0) - 97;
  if (character >= "0" && character <= "9") return character.charCodeAt(0) - 22;
  return null;
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  delta = Math.floor(delta / (isFirst ? DAMP : 2));
  delta += Math.floor(delta / length);
  let k = 0;
  for (; delta > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) delta = Math.floor(delta / (BASE - T_MIN));
  return k + Math.floor((BASE - T_MIN + 1) * delta / (delta + SKEW));
}
