/**
 * All checks, as one table, and what they say of a site.
 *
 * @module
 */
import { clean } from "../../src/kernel/redact.ts";
import type { Check } from "./check.ts";
import { CACHING } from "./check_caching.ts";
import { COOKIE_SETS } from "./check_cookie_sets.ts";
import { COOKIES } from "./check_cookies.ts";
import { ISSUERS } from "./check_issuers.ts";
import { ORIGIN } from "./check_origin.ts";
import { PAGES } from "./check_pages.ts";
import { PROVIDERS } from "./check_providers.ts";
import { REACH } from "./check_reach.ts";
import { SERVICE } from "./check_service.ts";
import type { CallbackUrl, Finding, Level } from "./finding.ts";
import type { Observed } from "./observed.ts";

/** The table. */
export const CHECKS: readonly Check[] = [
  ...REACH,
  ...ORIGIN,
  ...SERVICE,
  ...CACHING,
  ...COOKIES,
  ...COOKIE_SETS,
  ...PAGES,
  ...PROVIDERS,
  ...ISSUERS,
];

const ORDER: readonly Level[] = ["error", "warning", "note"];

/** Details that are named. */
const MOST_DETAILS = 5;

/** Lists what is wrong with a site, the worst first. */
export function judge(seen: Observed): readonly Finding[] {
  const found = CHECKS.flatMap(({ id, level, title, fix, judge }): Finding[] => {
    const details = judge(seen);
    return details === null ? [] : [{ id, level, says: sentence(title, details), fix: filled(fix, seen) }];
  });
  const all = [...found, ...innerFindings(seen)];
  return ORDER.flatMap((level) => all.filter((each) => each.level === level));
}

/** Lists what has to be registered at the providers. */
export function callbackUrls({ providers, starts }: Pick<Observed, "providers" | "starts">): readonly CallbackUrl[] {
  return providers.filter(({ type }) => /^oauth$|^oidc$/.test(type)).flatMap(({ id, callbackUrl }) => {
    const { to } = starts.find(({ provider }) => provider.id === id) ?? {};
    const sent = URL.parse(to?.searchParams.get("redirect_uri") ?? "");
    const url = sent ?? callbackUrl;
    return url ? [{ provider: quoted(id), url: quoted(url.origin + url.pathname) }] : [];
  });
}

/** A text of a stranger: short, on one line, and without what is likely a secret. */
export function quoted(text: string): string {
  return clean(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}

function sentence(title: string, details: readonly string[]): string {
  const named = details.filter((each) => each !== "").slice(0, MOST_DETAILS).map(quoted);
  const more = details.length > MOST_DETAILS ? `, and ${details.length - MOST_DETAILS} more` : "";
  return named.length > 0 ? `${title}: ${named.join(", ")}${more}` : title;
}

function filled(fix: string, { site, base }: Observed): string {
  return fix.replaceAll("{site}", quoted(site.origin)).replaceAll("{base}", quoted(base ?? ""))
    .replaceAll("{path}", base === null || base === "/auth" ? "" : quoted(base));
}

function innerFindings({ inner }: Observed): readonly Finding[] {
  if (inner === null) return [];
  if (inner !== "refused") {
    return inner.map(({ id, level, says, fix }) => ({
      id,
      level,
      says: clean(says.slice(0, 1000)),
      fix: fix === undefined ? `See ${CODES}#${id}` : clean(fix.slice(0, 2000)),
    }));
  }
  return [{
    id: "code-refused",
    level: "error",
    says: "The site does not say what `auth.check()` finds: the code is not right, was used, or the feature is off",
    fix: "List `doctor()` of @x/auth/doctor in `features`, in development only, and take the newest code from the log",
  }];
}

/** What each code of the log means. */
const CODES = "https://github.com/x/auth/blob/main/docs/errors.md";
