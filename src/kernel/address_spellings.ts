/**
 * The spellings of an address that rows may be stored under. Apart from addresses, because a start does not need it.
 *
 * @module
 */
import { asciiDomain, LONGEST_INPUT } from "./address.ts";

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
