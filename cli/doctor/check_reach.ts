/**
 * Whether the site can be reached, how it is encrypted, and whether a service is there.
 *
 * @module
 */
import { isLoopback } from "../../src/http/origin.ts";
import { type Check, isMisconfigured, listed, ownAnswers, shown, when } from "./check.ts";
import { isKept, roleOf } from "./cookies.ts";
import { answerOf, type Observed } from "./observed.ts";

/** Seconds of half a year. */
const HALF_A_YEAR = 180 * 86_400;

/** The checks. */
export const REACH: readonly Check[] = [
  {
    id: "unreachable",
    level: "error",
    title: "The site does not answer",
    fix: "Start it, and check its name, its port and what stands in front of it",
    judge: ({ home }) => {
      const { failure, steps } = home;
      return when(failure !== null && steps.length === 0 && failure.why !== "certificate", failure?.says ?? "");
    },
  },
  {
    id: "certificate",
    level: "error",
    title: "The certificate of the site is not valid, so browsers do not open it",
    fix: "Renew it, for this name and with the chain of its issuers",
    judge: ({ home }) => when(home.failure?.why === "certificate"),
  },
  {
    id: "site-elsewhere",
    level: "warning",
    title: "The site sends its visitors to another origin",
    fix: "Ask that one, and set AUTH_URL to it",
    judge: ({ home: { elsewhere } }) => elsewhere && [elsewhere.origin],
  },
  {
    id: "home-circle",
    level: "error",
    title: "The home page redirects in a circle",
    fix: "Find out which two redirect to each other: often a proxy that ends https, and a program that redirects to it",
    judge: ({ home }) => when(home.end === "circle"),
  },
  {
    id: "no-service",
    level: "error",
    title: "No service answers at /auth or /api/auth, or at the path that was given",
    fix: "Mount the handler there, or ask with the path: npx @x/auth doctor {site}/path",
    judge: ({ base, home }) => when(base === null && home.steps.length > 0),
  },
  {
    id: "misconfigured",
    level: "error",
    title: "The service says that its configuration is wrong",
    fix: "Read the log of the site: it names the option and the remedy",
    judge: (seen) => {
      return listed(ownAnswers(seen).filter(isMisconfigured).map(({ url }) => url.pathname));
    },
  },
  {
    id: "service-fails",
    level: "error",
    title: "The service fails with a status of 500 or more",
    fix: "Read the log of the site, and of what stands in front of it",
    judge: (seen) => {
      const all = ownAnswers(seen);
      const failed = all.some(isMisconfigured) ? [] : all.filter((answer) => answer.status >= 500);
      return listed(failed.map(({ url, status }) => `${status} at ${url.pathname}`));
    },
  },
  {
    id: "no-answer",
    level: "warning",
    title: "A request was not answered",
    fix: "Find out what holds it: a proxy, a firewall, or storage that is down",
    judge: ({ replies, signIn, starts, home }) => {
      const all = [...Object.values(replies), signIn?.failure, ...starts.map(({ reply }) => reply)];
      const failed = home.steps.length === 0 ? [] : all.filter((reply) => reply?.kind === "failure");
      // A server may close the connection on a body that is too long.
      return listed(
        failed.filter((reply) => reply !== replies.largeForm).map(({ url, says }) => {
          return `${url.pathname}: ${says}`;
        }),
      );
    },
  },
  {
    id: "slow",
    level: "warning",
    title: "An answer took longer than three seconds",
    fix: "Look at storage, and at cold starts",
    judge: (seen) => {
      // Some servers answer before they have read a long body, and some clients wait for them to read it.
      const slow = ownAnswers(seen).filter((each) => each.seconds > 3 && each !== seen.replies.largeForm);
      return listed(slow.map(({ url, seconds }) => `${url.pathname}: ${seconds.toFixed(1)} s`));
    },
  },
  {
    id: "plain-http",
    level: "error",
    title: "The site is open by http, so anybody on the way reads its cookies",
    fix: "Serve it by https, redirect http to it, and set AUTH_URL to the https address",
    judge: ({ site, isLocal }) => when(site.protocol === "http:" && !isLocal),
  },
  {
    id: "http-not-redirected",
    level: "error",
    title: "The site also answers by http, without a redirect to https",
    fix: "Let the server in front redirect all requests to https",
    judge: ({ plain }) => when(plain?.kind === "answer" && plain.status < 300, String(status(plain))),
  },
  {
    id: "http-redirects-elsewhere",
    level: "warning",
    title: "By http the site redirects to another place than its https address",
    fix: "Redirect http://… to https://… of the same host first",
    judge: ({ plain, site }) => {
      if (plain?.kind !== "answer" || plain.status < 300 || plain.status >= 400) return null;
      const to = URL.parse(plain.headers.get("location") ?? "", plain.url);
      return when(to?.protocol !== "https:" || to.hostname !== site.hostname, to ? shown(to) : "no Location");
    },
  },
  {
    id: "http-sets-cookies",
    level: "error",
    title: "The answer by http sets cookies of the service",
    fix: "Redirect to https before the request reaches the service",
    judge: ({ plain }) => {
      const cookies = plain?.kind === "answer" ? plain.cookies : [];
      return listed(cookies.filter(({ name }) => roleOf(name) !== null).map(({ name }) => name));
    },
  },
  {
    id: "hsts-missing",
    level: "warning",
    title: "No answer has Strict-Transport-Security",
    fix: "Send `Strict-Transport-Security: max-age=31536000` with every answer by https",
    judge: (seen) => when(isForHsts(seen) && hstsOf(seen).length === 0),
  },
  {
    id: "hsts-short",
    level: "warning",
    title: "Strict-Transport-Security is not valid, or for less than half a year",
    fix: "Send `Strict-Transport-Security: max-age=31536000`",
    judge: (seen) => {
      const ages = isForHsts(seen) ? hstsOf(seen).map((text) => /^(?:[^"]*;)?\s*max-age="?(\d+)/i.exec(text)?.[1]) : [];
      return listed(ages.filter((age) => !(Number(age) >= HALF_A_YEAR)).map((age) => `max-age ${age ?? "not there"}`));
    },
  },
  {
    id: "clock-off",
    level: "error",
    title: "The clock of the site is wrong",
    fix: "Set the clock by NTP: tokens of providers count as expired, or as from the future",
    judge: (seen) => clock(seen, 300, Infinity),
  },
  {
    id: "clock-drifts",
    level: "warning",
    title: "The clock of the site and that of this machine differ",
    fix: "Set both by NTP",
    judge: (seen) => clock(seen, 60, 300),
  },
  {
    id: "base-path-twice",
    level: "warning",
    title: "A service answers at more than one path",
    fix: "Remove all but one: they overwrite each other's cookies",
    judge: ({ bases }) => when(bases.length > 1, ...bases),
  },
  {
    id: "session-cookie-unasked",
    level: "error",
    title: "The site gives a session to a visitor who did not sign in",
    fix: "Find the cache that repeats the answer of somebody else, and keep {base}/ out of it",
    judge: (seen) => {
      const cookies = ownAnswers(seen).flatMap(({ cookies }) => cookies).filter(isKept);
      return listed(cookies.filter(({ name }) => /^session-token/.test(roleOf(name) ?? "")).map(({ name }) => name));
    },
  },
  {
    id: "stack-shown",
    level: "warning",
    title: "An answer shows where code of the site failed",
    fix: "Start the program for production (NODE_ENV=production), so that visitors get no stack",
    judge: (seen) => {
      const showing = ownAnswers(seen).filter(({ body, status }) => {
        return status >= 400 && /\n[ \t]{1,8}at (?:\S+ )?\(?\S{1,300}:\d+:\d+\)?/.test(body);
      });
      return seen.isLocal ? null : listed(showing.map(({ url }) => url.pathname));
    },
  },
];

function status(reply: Observed["plain"]): number {
  return reply?.kind === "answer" ? reply.status : 0;
}

// RFC 6797, section 8.1.1: not for addresses.
function isForHsts({ site: { protocol, hostname }, base }: Observed): boolean {
  return base !== null && protocol === "https:" && !isLoopback(hostname) && !/^\[|^[\d.]+$/.test(hostname);
}

function hstsOf(seen: Observed): readonly string[] {
  const answers = [...seen.home.steps.slice(-1), answerOf(seen, "session")];
  const all = answers.map((answer) => answer?.headers.get("strict-transport-security") ?? null);
  return all.filter((text) => text !== null);
}

function clock(seen: Observed, from: number, to: number): readonly string[] | null {
  // The one that is nearest: an answer from a cache has an old date.
  const all = ownAnswers(seen).flatMap(({ ahead }) => ahead ?? []).toSorted((a, b) => Math.abs(a) - Math.abs(b));
  const [ahead = 0] = all;
  const off = Math.abs(ahead);
  return when(off > from && off <= to, `${Math.round(off)} s ${ahead > 0 ? "ahead" : "behind"}`);
}
