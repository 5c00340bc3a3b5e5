/**
 * Examines a site from outside.
 *
 * @module
 */
import { InvalidConfig } from "../../src/kernel/errors.ts";
import { isLoopback } from "../../src/http/origin.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { asking, type AskRuntime } from "./ask.ts";
import { callbackUrls, judge } from "./checks.ts";
import type { DoctorOptions, DoctorReport } from "./finding.ts";
import { observe } from "./observe.ts";

/** Requests that are sent at most. */
const MOST_REQUESTS = 150;

/** Seconds for all requests, as a multiple of what one may take. */
const TOTAL = 9;

/**
 * Examines a site.
 *
 * @throws {InvalidConfig} if it cannot be asked like this.
 */
export async function examine(
  given: string,
  { providers = true, code, http, timeout = 10, progress }: DoctorOptions,
  runtime: AskRuntime = systemRuntime,
): Promise<DoctorReport> {
  const url = siteUrl(given);
  if (!(timeout >= 0.1 && timeout <= 60)) {
    throw new InvalidConfig("Cannot wait so long: --timeout is 0.1 to 60 seconds");
  }
  let requests = 0;
  const ask = asking(runtime, { timeout, total: timeout * TOTAL, requests: MOST_REQUESTS }, (at) => {
    requests++;
    progress?.(requests, at.origin + at.pathname);
    return requests;
  });
  const seen = await observe(ask, {
    site: new URL(url.origin),
    given: url.pathname.replace(/\/(?:signin|signout|session|csrf|providers|error)?\/*$/, ""),
    http: http === undefined ? plainUrl(url) : siteUrl(http),
    asksProviders: providers,
    code: code ?? null,
  });
  return {
    version: 1,
    site: url.origin,
    basePath: seen.base,
    findings: judge(seen),
    callbacks: callbackUrls(seen),
    requests: Math.min(requests, MOST_REQUESTS),
  };
}

function siteUrl(given: string): URL {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(given);
  const named = hasScheme ? URL.parse(given) : URL.parse(`https://${given}`);
  if (!named || !/^https?:$/.test(named.protocol) || named.hostname === "") {
    throw new InvalidConfig("Cannot read the URL: write it as https://example.com, or http://localhost:3000");
  }
  if (named.username !== "" || named.password !== "") {
    throw new InvalidConfig("Cannot use the URL: leave out the user and the password");
  }
  return !hasScheme && isLoopback(named.hostname) ? new URL(`http://${named.host}${named.pathname}`) : named;
}

function plainUrl({ protocol, hostname, port }: URL): URL | null {
  return protocol === "https:" && port === "" && !isLoopback(hostname) ? new URL(`http://${hostname}/`) : null;
}
