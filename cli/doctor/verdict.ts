/**
 * Reads what a provider says to an authorization request before anybody signs in.
 *
 * @module
 */
import type { Answer } from "./ask.ts";
import type { Start } from "./observed.ts";

/** What the provider does not like; `null` if it shows where to sign in, or says nothing that can be read. */
export type Verdict = "redirect-uri" | "client" | "scope" | "request" | "down" | null;

const REDIRECT = "(?:redirect[_ -]?(?:uri|url)s?|callback[_ -]?ur[il]s?|reply[_ -](?:address|url))";
const WRONG = "(?:mismatch|invalid|illegal|unregistered|unknown|wrong|unauthori[sz]ed|" +
  "(?:not|n't|never) (?:been )?(?:\\w+ )?(?:registered|valid|allowed|match\\w*|permitted|known|configured|associated|whitelisted))";

const VERDICTS: readonly (readonly [Verdict, RegExp])[] = [
  ["redirect-uri", new RegExp(`AADSTS50011|${REDIRECT}[^.<>]{0,80}?${WRONG}|${WRONG}[^.<>]{0,80}?${REDIRECT}`, "i")],
  [
    "client",
    /AADSTS(?:700016|90002|900023)|\b(?:invalid|unknown|unrecogni[sz]ed|deleted|disabled|unauthorized)[_ ](?:oauth[_ ]?)?(?:client|application|app)\b|\b(?:client|application|app)(?:[_ ]?id)?\b[^.<>]{0,40}?(?:not (?:be )?found|invalid|unknown|does(?:n't| not) exist|disabled)|\b(?:invalid|missing)\b[^.<>]{0,30}\bclient[_ ]?id\b/i,
  ],
  ["scope", /AADSTS70011|\binvalid[_ ]scope|\bscopes?\b[^.<>]{0,40}?(?:invalid|not (?:allowed|valid|supported))/i],
];

/** Reads the answer of a provider. */
export function verdictOf({ walk, to }: Pick<Start, "walk" | "to">): Verdict {
  if (!walk) return null;
  const last = walk.steps.at(-1);
  if (!last) return walk.failure?.why === "limit" ? null : "down";
  const back = walk.elsewhere?.searchParams.get("error") ? walk.elsewhere : null;
  const urls = [...walk.steps.map(({ url }) => url), ...back ? [back] : []].filter((url) => url.href !== to?.href);
  const text = [...urls.map(saidBy), ...isErrorPage(last) ? [textOf(last)] : codesIn(last)].join(" ");
  const found = VERDICTS.find(([, pattern]) => pattern.test(text));
  if (found) return found[0];
  // GitHub answers so to a client that does not exist.
  if (last.status === 404 && walk.steps.length === 1) return "client";
  if (last.status >= 500) return "down";
  if (back) {
    return /^(?:login|interaction|consent)_required$/.test(back.searchParams.get("error") ?? "") ? null : "request";
  }
  // Some answer so to programs.
  return last.status >= 400 && ![401, 403, 429].includes(last.status) ? "request" : null;
}

// A page to sign in may have the same words in its scripts.
function isErrorPage({ status, url }: Answer): boolean {
  return status >= 400 || /\berror\b/i.test(url.pathname);
}

function codesIn({ body }: Answer): readonly string[] {
  return body.match(/AADSTS\d{4,7}/g)?.slice(0, 3) ?? [];
}

function saidBy({ searchParams }: URL): string {
  const said = ["error", "error_code", "error_description", "error_subcode"].map((name) =>
    searchParams.get(name) ?? ""
  );
  return [...said, decoded(searchParams.get("authError") ?? "")].join(" ").slice(0, 2000);
}

// Google has it as base64.
function decoded(text: string): string {
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, ""));
  } catch {
    return "";
  }
}

function textOf({ body }: Answer): string {
  const [first = "", ...rest] = body.slice(0, 100_000).split(/<(?=(?:script|style)\b)/i);
  const shown = [first, ...rest.map((part) => part.slice(part.search(/<\/(?:script|style)>/i) >>> 0))].join(" ");
  return shown.replace(/<[^<>]{0,1000}>/g, " ").replaceAll("&#39;", "'").replace(/\s+/g, " ").slice(0, 20_000);
}
