/**
 * Reads what was pasted: a `Cookie` header, lines of `Set-Cookie`, or the value of a cookie.
 *
 * @module
 */
import { decodeCookieValue, MAX_HEADER_LENGTH, parseCookies } from "../../src/http/cookie_text.ts";
import { chunkNames, joinChunks } from "../../src/http/chunks.ts";
import { InvalidConfig } from "../../src/kernel/errors.ts";

/** The values of each name. A value that came alone has the name "". */
export type GivenCookies = ReadonlyMap<string, readonly string[]>;

/** A name before a value. A value that is Base64 ends in "=". */
const PAIR = /^[!#$%&'*+\-.^_`|~\w]+=./;

/** Reads the cookies. @throws {InvalidConfig} if there is nothing, or too much. */
export function readGiven(text: string): GivenCookies {
  if (text.length > MAX_HEADER_LENGTH) {
    throw new InvalidConfig(
      "Cannot read more than 32 KiB: the service ignores a longer `Cookie` header, too, so remove cookies of others",
    );
  }
  const cookies = new Map<string, readonly string[]>();
  for (const line of text.split(/[\r\n]+/).map((each) => each.trim()).filter(Boolean)) {
    const [, set, rest = line] = /^(?:[<>] ?)?(set-)?cookie: *(.*)$/i.exec(line) ?? [];
    // What a server sets later takes the place of what it has set before.
    if (set) { for (const [name, values] of parseCookies(rest.replace(/;.*/, ""))) cookies.set(name, values); }
    else if (rest !== line || PAIR.test(rest)) {
      for (const [name, values] of parseCookies(rest)) cookies.set(name, [...cookies.get(name) ?? [], ...values]);
    } else if (cookies.size === 0) cookies.set("", [rest]);
  }
  if (cookies.size > 0) return cookies;
  throw new InvalidConfig(
    "Give the session cookie on the standard input: npx @x/auth session < cookie.txt",
  );
}

/** A value, as the service puts it together. */
export interface Joined {
  /** `undefined` if the service would see none. */
  readonly value: string | undefined;
  readonly parts: number;
  /** Names that came more than once, so that none of their values counts. */
  readonly twins: readonly string[];
  /** Parts before the last one that are not there. */
  readonly missing: readonly string[];
  /** Whether the last part is as long as those before it, so that one may be missing behind it. */
  readonly mayGoOn: boolean;
  /** Parts that do not count, because a whole value came as well. */
  readonly ignored: number;
}

/** Joins the parts of a value. */
export function joinGiven(cookies: GivenCookies, name: string): Joined {
  const [whole = name, ...chunks] = chunkNames(name);
  const read = (chunk: string): string | undefined => {
    const values = cookies.get(chunk);
    return values?.length === 1 && values[0] !== undefined ? decodeCookieValue(values[0]) : undefined;
  };
  const value = joinChunks(name, read);
  const twins = [whole, ...chunks].filter((chunk) => (cookies.get(chunk)?.length ?? 0) > 1);
  const there = chunks.filter((chunk) => cookies.has(chunk) && read(chunk) !== "");
  if (read(whole)) return { value, parts: 1, twins, missing: [], mayGoOn: false, ignored: there.length };
  const last = there.at(-1);
  const missing = chunks.slice(0, last === undefined ? 0 : chunks.indexOf(last)).filter((chunk) => {
    return !there.includes(chunk);
  });
  const lengths = there.map((chunk) => read(chunk)?.length);
  const mayGoOn = there.length > 0 && there.length < chunks.length &&
    (lengths.length === 1 || lengths.at(-1) === lengths[0]);
  return { value, parts: there.length, twins, missing, mayGoOn, ignored: 0 };
}
