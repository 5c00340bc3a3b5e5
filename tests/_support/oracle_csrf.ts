/**
 * Whether a form may be accepted, by the rules alone: the browser does not say that another site caused it, no other
 * origin is named, and the token of the form is that of a cookie this service has signed.
 */
import { createHash } from "node:crypto";

export interface FormRow {
  /** The field `csrfToken`. */
  readonly token: string | undefined;
  /** The cookie's value, decoded. */
  readonly cookie: string | undefined;
  /** The header `Sec-Fetch-Site`. */
  readonly site: string | undefined;
  /** The header `Origin`. */
  readonly origin: string | undefined;
}

export function comesFromHere({ site, origin }: Pick<FormRow, "site" | "origin">, ours: string): boolean {
  const siteIsFine = site === undefined || ["same-origin", "none"].includes(site);
  const originIsFine = origin === undefined || origin === ours;
  return siteIsFine && originIsFine;
}

export function hasToken({ token, cookie }: Pick<FormRow, "token" | "cookie">, secret: string): boolean {
  if (token === undefined || cookie === undefined) return false;
  return cookie === `${token}|${createHash("sha256").update(token + secret).digest("hex")}`;
}
