/**
 * What can be wrong with a redirect proxy.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import { type ConfigError, InvalidConfig } from "../kernel/errors.ts";
import { isSecureUrl } from "../http/redirect_url.ts";

/** Lists what is wrong with the redirect proxy of a configuration. */
export function proxyProblems(
  { redirectProxyOrigins = [] }: AuthConfig,
  proxyUrl: string | undefined,
): ConfigError[] {
  const problems: ConfigError[] = [];
  if (proxyUrl !== undefined && !isSecureUrl(proxyUrl)) {
    problems.push(new InvalidConfig("Cannot use `redirectProxyUrl`: it must be an https URL up to the `basePath`"));
  }
  for (const origin of redirectProxyOrigins) {
    if (!/^https?:\/\/[a-z0-9*](?:[a-z0-9*.-]*[a-z0-9])?(?::\d+)?$/i.test(origin)) {
      problems.push(
        new InvalidConfig("Cannot use `redirectProxyOrigins`: each must be an origin such as https://*.example.com"),
      );
    }
  }
  return problems;
}
