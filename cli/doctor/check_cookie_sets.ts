/**
 * The cookies of the service together: twins, how many, and how they are sent.
 *
 * @module
 */
import { answered, authCookies, type Check, listed, ownAnswers, when } from "./check.ts";
import { isKept, type ReadCookie, roleOf } from "./cookies.ts";
import type { Observed } from "./observed.ts";

/** Characters of all cookies that common servers take in one header. */
const MOST_IN_ALL = 8000;

/** The checks. */
export const COOKIE_SETS: readonly Check[] = [
  {
    id: "cookies-heavy",
    level: "warning",
    title: "The cookies of one answer are so long that servers refuse the next request",
    fix: "Set fewer or smaller cookies on this host",
    judge: (seen) => {
      const heavy = ownAnswers(seen).filter(({ cookies }) => {
        return cookies.filter(isKept).reduce((sum, { name, value }) => sum + name.length + value.length + 3, 0) >
          MOST_IN_ALL;
      });
      return listed(heavy.map(({ url }) => url.pathname));
    },
  },
  {
    id: "cookies-many",
    level: "warning",
    title: "One answer sets more than 20 cookies",
    fix: "Find out what sets them: browsers keep a limited number for each site, and drop the oldest",
    judge: (seen) => {
      return listed(ownAnswers(seen).filter(({ cookies }) => cookies.length > 20).map(({ url }) => url.pathname));
    },
  },
  {
    id: "cookie-twins",
    level: "error",
    title: "One answer sets a cookie twice",
    fix: "Find out what sets the other one: two services on one host, a proxy, or two copies of the package",
    judge: (seen) => {
      return listed(
        ownAnswers(seen).flatMap(({ cookies }) => {
          const names = cookies.filter((each) => isKept(each) && roleOf(each.name) !== null).map(({ name }) => name);
          return names.filter((name, at) => names.indexOf(name) < at);
        }),
      );
    },
  },
  {
    id: "cookie-prefix-twins",
    level: "error",
    title: "Answers set a cookie with a prefix and without one",
    fix: "Set AUTH_URL={site}{path}: the service takes itself for an http site in some of its answers",
    judge: (seen) => {
      const names = new Set(authCookies(seen).map(({ name }) => name));
      return listed(
        [...names].filter((name) => [`__Secure-${name}`, `__Host-${name}`].some((other) => names.has(other))),
      );
    },
  },
  {
    id: "cookie-families",
    level: "warning",
    title: "Answers set cookies of next-auth 4 and of its successors",
    fix: "Find out which two services answer on this host, and remove the former",
    judge: (seen) => {
      const families = new Set(authCookies(seen).map(({ name }) => /next-auth|authjs/.exec(name)?.[0]));
      return when(families.size > 1);
    },
  },
  {
    id: "cookies-joined",
    level: "error",
    title: "A server in front joins lines of Set-Cookie with commas, so browsers lose all but the first",
    fix: "Let it pass on each Set-Cookie line as it is",
    judge: (seen) => {
      const joined = ownAnswers(seen).flatMap(({ cookies }) => cookies).filter(({ fault }) => fault === "joined");
      return listed(joined.map(({ name }) => name));
    },
  },
  {
    id: "cookie-unreadable",
    level: "warning",
    title: "An answer has a Set-Cookie without a name",
    fix: "Find out what sets it: browsers read it in different ways",
    judge: (seen) => {
      const wrong = ownAnswers(seen).filter(({ cookies }) => cookies.some(({ fault }) => fault === "unreadable"));
      return listed(wrong.map(({ url }) => url.pathname));
    },
  },
  {
    id: "cookie-gone",
    level: "error",
    title: "A cookie ends at once, so the next form is refused",
    fix: "Remove `maxAge` and `expires` from `cookies`, and set the clock of the site",
    judge: (seen) => {
      const cookies = answered(seen, ["csrf"]).flatMap(([, answer]) => answer.cookies);
      const csrf = cookies.filter(({ name, value }) => roleOf(name) === "csrf-token" && value !== "");
      const wrong = csrf.filter((cookie) => !isKept(cookie) || hasExpired(cookie, seen));
      return listed(wrong.map(({ name }) => name));
    },
  },
];

function hasExpired({ attributes }: ReadCookie, { home }: Observed): boolean {
  if (attributes.has("max-age")) return false;
  const expires = Date.parse(attributes.get("expires") ?? "");
  const date = Date.parse(home.steps.at(-1)?.headers.get("date") ?? "");
  return expires <= date;
}
