/**
 * What the paths of the service answer.
 *
 * @module
 */
import type { Answer } from "./ask.ts";
import { answered, type Check, isMisconfigured, listed, shown, when } from "./check.ts";
import { answerOf, jsonOf, type Observed, type Question, recordOf, targetOf } from "./observed.ts";

/** The checks. */
export const SERVICE: readonly Check[] = [
  {
    id: "not-json",
    level: "error",
    title: "A path of the service answers with something else than JSON",
    fix: "Let all paths below {base}/ reach the service: a page of the application, or a proxy, answers them",
    judge: (seen) => {
      const wrong = answered(seen, ["csrf", "providers", "session"]).filter(([, answer]) =>
        jsonOf(answer) === undefined
      );
      return listed(wrong.map(([path]) => path));
    },
  },
  {
    id: "path-missing",
    level: "error",
    title: "A path of the service is not there",
    fix: "Mount the handler for all paths below {base}/, for GET and POST",
    judge: (seen) => {
      const paths: readonly Question[] = ["providers", "session", "csrf"];
      const missing = paths.flatMap((path) => answerOf(seen, path) ?? []).filter(({ status }) => status === 404);
      // Where the framework checks forms, there is no token.
      const isCsrfAlone = missing.length === 1 && missing[0] === answerOf(seen, "csrf");
      return isCsrfAlone ? null : listed(missing.map(({ url }) => url.pathname));
    },
  },
  {
    id: "path-redirected",
    level: "error",
    title: "A path of the service redirects, and forms lose their content",
    fix: "Keep redirects, such as those for a slash at the end or for a guard, away from {base}/",
    judge: (seen) => {
      const questions: readonly Question[] = ["providers", "session", "csrf"];
      const redirected = questions.flatMap((each) => answerOf(seen, each) ?? [])
        .filter((answer) => answer.status >= 300 && answer.status < 400 && !isMisconfigured(answer));
      return listed(redirected.map((answer) => {
        const to = targetOf(answer);
        return to ? `${answer.url.pathname} to ${shown(to)}` : answer.url.pathname;
      }));
    },
  },
  {
    id: "session-of-another",
    level: "error",
    title: "A visitor without a cookie gets somebody's session",
    fix: "Keep {base}/ out of every cache, and sign everybody out",
    judge: (seen) => {
      const body = recordOf(jsonOf(answerOf(seen, "session")));
      return when(body !== null && typeof body.user === "object");
    },
  },
  {
    id: "csrf-token-missing",
    level: "error",
    title: "There is no CSRF token in the answer",
    fix: "Let {base}/csrf reach the service",
    judge: (seen) => {
      const [found] = answered(seen, ["csrf"]);
      const body = jsonOf(found?.[1]);
      return when(body !== undefined && typeof recordOf(body)?.csrfToken !== "string");
    },
  },
  {
    id: "csrf-cookie-missing",
    level: "error",
    title: "The CSRF token comes without a cookie, so every form is refused",
    fix: "Let the proxy pass on Set-Cookie",
    judge: (seen) => when(csrfToken(seen, "csrf") !== null && answerOf(seen, "csrf")?.cookies.length === 0),
  },
  {
    id: "csrf-token-shared",
    level: "error",
    title: "Two visitors get the same CSRF token",
    fix: "Keep {base}/csrf out of every cache",
    judge: (seen) => {
      const token = csrfToken(seen, "csrf");
      return when(token !== null && token === csrfToken(seen, "csrfAgain"));
    },
  },
  {
    id: "csrf-unchecked",
    level: "error",
    title: "The service takes a form that another site sends, without a CSRF token",
    fix: "Remove `skipCSRFCheck`, or let the framework compare Origin",
    judge: (seen) => when(isTaken(answerOf(seen, "foreignForm"))),
  },
  {
    id: "csrf-refused",
    level: "error",
    title: "The service refuses a form with the right CSRF token and its cookie",
    fix: "Set AUTH_URL={site}{path}: it compares Origin with another address, or reads another cookie",
    judge: (seen) => {
      const reply = answerOf(seen, "awayForm");
      return when(reply !== null && (isRefusal(reply) || reply.status === 403));
    },
  },
  {
    id: "body-unlimited",
    level: "note",
    title: "A form of 200 kB is read to its end",
    fix: "Limit bodies below {base}/ to 64 KiB in the server in front: no form of a sign-in is longer",
    judge: (seen) => {
      const reply = answerOf(seen, "largeForm");
      return when(reply !== null && reply.status < 400);
    },
  },
  {
    id: "unknown-path",
    level: "warning",
    title: "A path that does not exist is answered with success",
    fix: "Let the application answer 404 there: search engines and scripts take such an answer for a page",
    judge: (seen) => when(answerOf(seen, "unknown")?.status === 200),
  },
  {
    id: "wrong-method",
    level: "warning",
    title: "A request with a method that does not exist is answered with success",
    fix: "Mount the handler for GET and POST only, or let it answer 405",
    judge: (seen) => when((answerOf(seen, "wrongMethod")?.status ?? 405) < 300, "DELETE"),
  },
  {
    id: "allow-missing",
    level: "note",
    title: "The answer 405 does not say which methods there are",
    fix: "Send Allow with it (RFC 9110, section 15.5.6)",
    judge: (seen) => {
      const answer = answerOf(seen, "wrongMethod");
      return when(answer?.status === 405 && !answer.headers.has("allow"));
    },
  },
  {
    id: "cors-open",
    level: "error",
    title: "Scripts of any site can read who is signed in",
    fix: "Remove Access-Control-Allow-Credentials, or allow your own origins only",
    judge: (seen) => {
      const headers = answerOf(seen, "sessionFromAfar")?.headers;
      const origin = headers?.get("access-control-allow-origin") ?? "";
      return when(origin.includes("doctor.invalid") && headers?.get("access-control-allow-credentials") === "true");
    },
  },
  {
    id: "sign-in-circle",
    level: "error",
    title: "The sign-in page redirects in a circle",
    fix: "Do not guard the sign-in page itself: leave it, and {base}/, out of what the guard covers",
    judge: ({ signIn }) => when(signIn?.end === "circle"),
  },
  {
    id: "sign-in-missing",
    level: "error",
    title: "There is no sign-in page",
    fix: "Make the page that `pages.signIn` names, or remove the option",
    judge: ({ signIn }) => {
      const last = signIn?.steps.at(-1);
      return when(
        signIn?.end === "answer" && last && last.status >= 400 && last.status < 500,
        last ? shown(last.url) : "",
      );
    },
  },
  {
    id: "no-providers",
    level: "note",
    title: "There is no way to sign in",
    fix: "Add a provider to `providers`",
    judge: (seen) => {
      const body = recordOf(jsonOf(answerOf(seen, "providers")));
      return when(body !== null && Object.keys(body).length === 0);
    },
  },
];

function csrfToken(seen: Observed, question: Question): string | null {
  const token = recordOf(jsonOf(answerOf(seen, question)))?.csrfToken;
  return typeof token === "string" ? token : null;
}

/** Whether an answer to a form says that its CSRF token, or where it comes from, is wrong. */
function isRefusal(answer: Answer): boolean {
  const to = targetOf(answer);
  return to?.searchParams.get("error") === "MissingCSRF" || to?.searchParams.get("csrf") === "true";
}

function isTaken(answer: Answer | null): boolean {
  if (!answer || answer.status >= 400 || isRefusal(answer)) return false;
  const to = targetOf(answer);
  // A redirect to any page that says that something went wrong refuses, too.
  return to !== null && !to.searchParams.has("error");
}
