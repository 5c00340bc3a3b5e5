/**
 * What caches may do with answers that are for one visitor.
 *
 * @module
 */
import { answered, type Check, listed, pageOf, when } from "./check.ts";
import { isKept } from "./cookies.ts";
import type { Question } from "./observed.ts";

const DATA: readonly Question[] = ["session", "csrf", "providers"];

/** The checks. */
export const CACHING: readonly Check[] = [
  {
    id: "cache-hit",
    level: "error",
    title: "A cache answers in place of the service",
    fix: "Keep {base}/ out of the cache of the CDN or the proxy",
    judge: (seen) => {
      return listed(
        answered(seen, DATA).filter(([, { headers }]) => {
          return Number(headers.get("age")) > 0 ||
            /\bhit\b/i.test(
              `${headers.get("x-cache")} ${headers.get("cf-cache-status")} ${headers.get("cache-status")}`,
            );
        }).map(([path]) => path),
      );
    },
  },
  {
    id: "cache-shared",
    level: "error",
    title: "Caches may keep an answer that is meant for one visitor",
    fix: "Let the proxy pass on Cache-Control, and set `private, no-store` where it is something else",
    judge: (seen) => {
      return listed(
        answered(seen, DATA).filter(([, { headers }]) => {
          const text = headers.get("cache-control") ?? "";
          return /\bpublic\b|\bs-maxage=0*[1-9]|\bmax-age=0*[1-9]/i.test(text) &&
            !/\bno-store\b|\bprivate\b/i.test(text);
        }).map(([path]) => path),
      );
    },
  },
  {
    id: "cache-unsaid",
    level: "warning",
    title: "An answer does not say that no cache may keep it",
    fix: "Let the proxy pass on Cache-Control, or set `private, no-store` below {base}/",
    judge: (seen) => {
      return listed(
        answered(seen, DATA).filter(([, { headers }]) => {
          return !/no-store|no-cache|private|public|max-age/i.test(headers.get("cache-control") ?? "");
        }).map(([path]) => path),
      );
    },
  },
  {
    id: "cache-page",
    level: "warning",
    title: "Caches may keep the sign-in page, which sets cookies",
    fix: "Send `Cache-Control: private, no-store` with it",
    judge: (seen) => {
      const page = pageOf(seen);
      const isPrivate = /no-store|private|no-cache/i.test(page?.headers.get("cache-control") ?? "");
      return when(page !== null && page.cookies.some(isKept) && !isPrivate);
    },
  },
];
