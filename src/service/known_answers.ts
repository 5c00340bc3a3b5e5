/**
 * The short way to what every page view asks: `GET session` by a browser that asked before.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Asked, Incoming, Written } from "../http/asked.ts";
import { BoundedMap } from "../kernel/bounded_map.ts";
import { type RequestContext, RequestSubject } from "../request/context.ts";
import { callsNoUserCode } from "../session/read.ts";
import { jsonText, writtenAgain } from "./respond.ts";

/** Answers to requests that came before. */
export interface KnownAnswers {
  /** Gives the answer; `null` if it is not known, or may be another one by now. The same request gets the same object. */
  find(asked: Request | Incoming): Written | null;
  /**
   * Keeps an answer without cookies.
   *
   * @param body The body, before it is written as JSON.
   * @param until Until when the same request gets the same answer, in milliseconds since 1970.
   */
  keep(ctx: Pick<RequestContext, "asked" | "url">, body: unknown, until: number): void;
}

interface Kept {
  readonly written: Written;
  /** When it was kept. A clock may be set back. */
  readonly from: number;
  readonly until: number;
}

/** The most answers that are kept, for `http:` and for `https:`. */
const MOST = 1000;

/** The most URLs that are remembered: the endpoint of the session on different hosts. */
const MOST_URLS = 100;

/** The longest `Cookie` header, and the longest URL, that is kept, in characters. */
const LONGEST = 4096;

/**
 * Makes the answers that a configuration knows; `null` if something of the developer's runs at each request.
 *
 * An answer is found by the whole `Cookie` header and by all that decides about the public URL, so that nobody gets what was
 * not the answer to these very cookies. It leaves our own code as text, or as a `Response` of its own.
 */
export function knownAnswers(config: ResolvedConfig): KnownAnswers | null {
  const { runtime, origin, trustHost, logger, problems } = config;
  if (!callsNoUserCode(config) || problems.length > 0) return null;
  const answers = { plain: new BoundedMap<string, Kept>(MOST), secure: new BoundedMap<string, Kept>(MOST) };
  const urls = new BoundedMap<string, URL>(MOST_URLS);

  // All that decides about the public URL. `null` if the request needs more than a look at it.
  function placeOf({ url, headers }: Asked): string | null {
    if (origin !== null) return url;
    const host = headers.get("x-forwarded-host");
    if (trustHost !== "any") return host === null ? url : null;
    const protocol = headers.get("x-forwarded-proto");
    return host === null && protocol === null ? url : JSON.stringify([url, host, protocol]);
  }

  const answersAt = ({ protocol }: URL) => protocol === "https:" ? answers.secure : answers.plain;

  return {
    find(asked) {
      if (asked.method !== "GET") return null;
      const place = placeOf(asked);
      const url = place === null ? undefined : urls.get(place);
      const kept = url && answersAt(url).get(asked.headers.get("cookie") ?? "");
      if (!kept) return null;
      const now = runtime.now();
      if (now < kept.from || kept.until <= now) return null;
      logger.debug("GET session", { provider: null, answer: "json" }, new RequestSubject(asked, url, config));
      return kept.written;
    },
    keep({ asked, url }, body, until) {
      const place = placeOf(asked);
      const cookies = asked.headers.get("cookie") ?? "";
      // Strangers may invent queries without end, and nobody else sends one.
      if (asked.method !== "GET" || place === null || place.includes("?")) return;
      if (place.length > LONGEST || cookies.length > LONGEST) return;
      urls.set(place, url);
      answersAt(url).set(cookies, {
        written: writtenAgain(jsonText(body), url.protocol === "https:"),
        from: runtime.now(),
        until,
      });
    },
  };
}
