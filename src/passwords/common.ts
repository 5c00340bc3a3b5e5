/**
 * Passwords that are guessed first.
 *
 * @see {@link https://pages.nist.gov/800-63-4/sp800-63b.html#passwordver | NIST SP 800-63B-4, section 3.1.1.2}
 * @module
 */
import { once } from "../kernel/load.ts";
import { isInFilter } from "./bloom.ts";

const list = once(() => import("./common_list.ts"));

/** Characters of the shortest passwords in the list. */
const SHORTEST = 8;

/** Own words that are shorter say nothing. */
const SHORTEST_WORD = 3;

/** A password has at least so many characters besides own words. */
const LEAST_BESIDES = 4;

/** Makes one of all spellings of a password: case and width of its letters do not matter. */
export function foldedPassword(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/**
 * Whether a password is guessed first: it is one of the 10,000 most used ones with 8 characters and more, repeats itself,
 * runs through the alphabet, or says little more than words which everybody who guesses knows. The list is loaded then.
 * It also has two in a thousand of all other passwords.
 *
 * @param text The password, which may be as long as passwords may be.
 * @param words Names and addresses: of the site, and of the person. Their parts count, too.
 */
export async function isCommon(text: string, words: readonly string[] = []): Promise<boolean> {
  const password = foldedPassword(text);
  if (isRun(password) || saysOnly(password, words)) return true;
  const period = periodOf(password);
  if (period < SHORTEST && 2 * period <= password.length) return true;
  const { COMMON_PASSWORDS } = await list();
  if (await isInFilter(COMMON_PASSWORDS, password)) return true;
  return period >= SHORTEST && period < password.length &&
    await isInFilter(COMMON_PASSWORDS, password.slice(0, period));
}

/** Whether each character follows on the one before: `aaaaaaaa`, `abcdefgh`, `87654321`. */
function isRun(text: string): boolean {
  const steps = new Set<number>();
  for (let at = 1; at < text.length; at++) steps.add(text.charCodeAt(at) - text.charCodeAt(at - 1));
  return steps.size === 1 && [...steps].every((step) => Math.abs(step) <= 1);
}

/** The length of the part that a text repeats: 3 for `abcabcab`, the whole length if it repeats nothing. */
function periodOf(text: string): number {
  // For each beginning of the text, how long an end of it is a beginning, too: the failure function of Knuth, Morris, Pratt.
  const ends = [0];
  let length = 0;
  for (let at = 1; at < text.length; at++) {
    while (length > 0 && text[at] !== text[length]) length = ends[length - 1] ?? 0;
    if (text[at] === text[length]) length++;
    ends.push(length);
  }
  return text.length - length;
}

function saysOnly(text: string, words: readonly string[]): boolean {
  const parts = words.map(foldedPassword).flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)])
    .filter((part) => part.length >= SHORTEST_WORD)
    // A word may hold a shorter one.
    .toSorted((a, b) => b.length - a.length);
  const rest = parts.reduce((left, part) => left.replaceAll(part, ""), text);
  return rest.length < text.length && rest.length < LEAST_BESIDES;
}
