/**
 * Which texts are the address of one mailbox, character by character, in the order of the rules: counted, folded,
 * trimmed, cut at the `@`, each half looked at, the domain written in ASCII.
 */
import { domainToASCII, domainToUnicode } from "node:url";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const LOCAL = new Set(`${LETTERS}${DIGITS}#$&'*+-/=?^_\`{|}~`);
const HOST = new Set(`${LETTERS}${DIGITS}-`);

/** The address as it is stored, or `null` where it is refused. */
export function oracleEmail(text: string): string | null {
  if (text.length > 1024) return null;
  if ([...text].filter((char) => char === "@").length !== 1) return null;
  const folded = text.normalize("NFKC").toLowerCase().trim();
  const at = folded.indexOf("@");
  if (at !== folded.lastIndexOf("@")) return null;
  const local = folded.slice(0, at);
  const domain = domainOf(folded.slice(at + 1));
  if (domain === null || !isLocal(local)) return null;
  return local.length + 1 + domain.length > 254 ? null : `${local}@${domain}`;
}

function isLocal(local: string): boolean {
  if (local.length > 64) return false;
  return local.split(".").every((atom) => atom !== "" && [...atom].every((char) => LOCAL.has(char)));
}

function domainOf(domain: string): string | null {
  const written = domain.split(".");
  if (written.some((label) => label === "" || label.startsWith("-") || label.endsWith("-"))) return null;
  if (written.some((label) => !isWord(label))) return null;
  const ascii = domainToASCII(domain);
  const labels = ascii.split(".");
  if (labels.length < 2 || labels.length !== written.length) return null;
  for (const label of labels) {
    // Some runtimes leave a label as it is that stands for nothing.
    if (label.startsWith("xn--") && ["", label].includes(domainToUnicode(label))) return null;
    if (label === "" || label.length > 63 || label.startsWith("-") || label.endsWith("-")) return null;
    if (![...label].every((char) => HOST.has(char))) return null;
  }
  const last = labels.at(-1) ?? "";
  return DIGITS.includes(last.charAt(0)) ? null : ascii;
}

/** Letters, digits and hyphens of any script; marks stand on what precedes them; nothing that cannot be seen. */
function isWord(label: string): boolean {
  return [...label].every((char, place) => {
    if (/\p{Default_Ignorable_Code_Point}/u.test(char)) return false;
    if (/\p{M}/u.test(char)) return place > 0;
    return char === "-" || /\p{L}|\p{N}/u.test(char);
  });
}
