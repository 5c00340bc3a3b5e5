/**
 * What a check is.
 *
 * @module
 */
import type { Answer, Reply } from "./ask.ts";
import { isKept, type ReadCookie, roleOf } from "./cookies.ts";
import type { Level } from "./finding.ts";
import { answerOf, type Observed, type Question, type Start } from "./observed.ts";

/** One thing that may be wrong. */
export interface Check {
  readonly id: string;
  readonly level: Level;
  /** What is wrong, as the beginning of a sentence that details may end. */
  readonly title: string;
  /** What to do. `{site}` is the origin that was asked, `{base}` the path of the service. */
  readonly fix: string;
  /** Judges what was seen. @returns Details, perhaps none; `null` if all is well. */
  readonly judge: (seen: Observed) => readonly string[] | null;
}

/** Makes details of a list: without any, all is well. */
export function listed(details: readonly string[]): readonly string[] | null {
  return details.length > 0 ? [...new Set(details)] : null;
}

/** Makes details of a condition. */
export function when(isWrong: boolean | undefined, ...details: readonly string[]): readonly string[] | null {
  return isWrong ? details : null;
}

/** A URL without what may be secret. */
export function shown({ origin, pathname }: URL): string {
  return origin + (pathname === "/" ? "" : pathname);
}

/** All answers of the site itself, in the order in which they came. */
export function ownAnswers({ site, home, signIn, replies, starts }: Observed): readonly Answer[] {
  const all: readonly Reply[] = [
    ...home.steps,
    ...Object.values(replies),
    ...signIn?.steps ?? [],
    ...starts.map(({ reply }) => reply),
  ];
  return all.filter((reply) => reply.kind === "answer").filter(({ url }) => url.origin === site.origin);
}

/** The answers to some questions, with their paths, if they were answered with success. */
export function answered(seen: Observed, questions: readonly Question[]): readonly (readonly [string, Answer])[] {
  return questions.flatMap((question) => {
    const answer = answerOf(seen, question);
    return answer?.status === 200 ? [[answer.url.pathname, answer] as const] : [];
  });
}

/** The last page of the way to the sign-in page, if it is one. */
export function pageOf({ signIn }: Observed): Answer | null {
  const last = signIn?.steps.at(-1) ?? null;
  return last && signIn?.end === "answer" && last.status === 200 && isHtml(last) ? last : null;
}

/** Whether an answer is a page. */
export function isHtml({ headers }: Answer): boolean {
  return /^text\/html\b/i.test(headers.get("content-type") ?? "");
}

/** Whether an answer says that the configuration is wrong. */
export function isMisconfigured({ status, body, headers }: Answer): boolean {
  return (status >= 500 && /server configuration/i.test(body)) ||
    /[?&]error=Configuration\b/.test(headers.get("location") ?? "");
}

/** Lists the providers whose start is wrong. */
export function named({ starts }: Observed, isWrong: (start: Start) => boolean): readonly string[] | null {
  return listed(starts.filter(isWrong).map(({ provider: { id }, to }) => to ? `${id} (${shown(to)})` : id));
}

/** The cookies of the service that stay, of all answers. */
export function authCookies(seen: Observed): readonly ReadCookie[] {
  const all = ownAnswers(seen).flatMap(({ cookies }) => cookies);
  return all.filter((cookie) => roleOf(cookie.name) !== null && isKept(cookie) && cookie.fault === null);
}

/** Whether a start leads back to the site: to the host that was asked, or to an error at one that it takes for its own. */
export function isOwn({ site, base }: Pick<Observed, "site" | "base">, to: URL): boolean {
  return to.host === site.host || (to.pathname.startsWith(`${base}/`) && to.searchParams.has("error"));
}
