/**
 * What can be wrong with a redirect proxy.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import { type ConfigError, InvalidConfig } from "../kernel/errors.ts";
import { isSecureUrl } from "../http/redirect_url.ts";

/** What is wrong with the URL of a redirect proxy. */
export function proxyUrlProblem(proxyUrl: string | undefined): ConfigError[] {
  if (proxyUrl === undefined || proxyUrl === null || isSecureUrl(proxyUrl)) return [];
  return [new InvalidConfig("Cannot use `redirectProxyUrl`: it must be an https URL up to the `basePath`")];
}

/** Lists what is wrong with what a redirect proxy forwards to. */
export function proxyProblems({ redirectProxyOrigins = [] }: AuthConfig): ConfigError[] {
  if (!Array.isArray(redirectProxyOrigins)) {
    return [new InvalidConfig("Cannot use `redirectProxyOrigins`: it must be a list of origins")];
  }
  const problems: ConfigError[] = [];
  for (const origin of redirectProxyOrigins) {
    if (!/^https?:\/\/[a-z0-9*](?:[a-z0-9*.-]*[a-z0-9])?(?::\d+)?$/i.test(origin)) {
      problems.push(
        new InvalidConfig("Cannot use `redirectProxyOrigins`: each must be an origin such as https://*.example.com"),
      );
    }
  }
  return problems;
}
