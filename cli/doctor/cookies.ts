/**
 * Reads `Set-Cookie` as a site sends it, also where it is wrong.
 *
 * @module
 */

/** A cookie that a site sets. Its value is never printed. */
export interface ReadCookie {
  readonly name: string;
  readonly value: string;
  /** Attributes by their name in lower case; without a value they are empty. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Characters of the line. */
  readonly size: number;
  /** Why a browser does not read it as it was meant. */
  readonly fault: "unreadable" | "joined" | null;
}

/** Cookies of one answer that are looked at. */
const MOST = 200;

/** Another cookie behind a comma: the comma of `Expires` has a space and a digit behind it. */
const JOINED = /,\s*[^\s=;,]+=/;

/** Reads the lines. */
export function readCookies(lines: readonly string[]): readonly ReadCookie[] {
  return lines.slice(0, MOST).map((line) => {
    const [pair = "", ...rest] = line.slice(0, 16_384).split(";");
    const at = pair.indexOf("=");
    const attributes = rest.map((part): [string, string] => {
      const [name = "", ...value] = part.split("=");
      return [name.trim().toLowerCase(), value.join("=").trim()];
    });
    const isJoined = rest.some((part) => JOINED.test(part.replace(/^\s*expires=\w+,/i, "")));
    const name = at < 0 ? "" : pair.slice(0, at).trim();
    return {
      name,
      value: pair.slice(at + 1).trim(),
      attributes: new Map(attributes),
      size: line.length,
      fault: name === "" ? "unreadable" : isJoined ? "joined" : null,
    };
  });
}

/** Whether a cookie is there after the answer: one that is removed has a date in the past. */
export function isKept({ value, attributes }: ReadCookie): boolean {
  const age = attributes.get("max-age");
  if (age !== undefined) return !/^-|^0+$/.test(age);
  const expires = Date.parse(attributes.get("expires") ?? "");
  return !(expires <= 86_400_000) && value !== "";
}

/** Writes the header that brings the cookies back, as far as a browser would. */
export function cookieHeader(cookies: readonly ReadCookie[]): string {
  const kept = new Map(
    cookies.filter((cookie) => isKept(cookie) && cookie.fault === null).map((each) => [
      each.name,
      each.value,
    ]),
  );
  let text = "";
  for (const [name, value] of kept) {
    const next = `${text === "" ? "" : "; "}${name}=${value}`;
    if (text.length + next.length > 8192 || !/^[\x20-\x7e]*$/.test(next)) continue;
    text += next;
  }
  return text;
}

/** What a cookie of the service is for, by the end of its name; `null` for a cookie of something else. */
export function roleOf(name: string): string | null {
  return /^(?:__(?:Host|Secure)-)?(?:authjs|next-auth)\.(.+)$/.exec(name)?.[1] ?? null;
}
