/**
 * The URL of an action, for code outside a request to the service.
 *
 * @module
 */
import { inferFromEnv } from "./config/env.ts";
import type { AuthConfig } from "./contract/config.ts";
import { isHost, publicUrl } from "./http/origin.ts";
import { warnPlainly } from "./kernel/plain_log.ts";
import type { AuthAction } from "./kernel/route_path.ts";

/**
 * Makes the URL of one of the service's actions, as visitors reach it.
 *
 * @example Usage
 * ```ts
 * import { createActionURL } from "@x/auth";
 * import assert from "node:assert/strict";
 *
 * const headers = new Headers({ host: "example.com" });
 * assert.equal(createActionURL("session", "https", headers, {}, {}).href, "https://example.com/auth/session");
 * ```
 *
 * @param action The action, such as `session`.
 * @param protocol The protocol of the server, with or without a colon; `https` if absent. A proxy that is trusted can
 * upgrade it to https.
 * @param headers The headers of the request.
 * @param env The environment variables.
 * @param config The configuration. Its `basePath` wins over the path of `AUTH_URL`. The headers of a proxy are trusted if
 * `trustHost`, or otherwise the environment, says so.
 * @throws {TypeError} if neither the environment nor the headers name a host.
 */
export function createActionURL(
  action: AuthAction,
  protocol: string | null | undefined,
  headers: Headers,
  env: Readonly<Record<string, string | undefined>>,
  config: Pick<AuthConfig, "basePath" | "trustHost" | "logger"> = {},
): URL {
  const { origin, basePath, trustHost } = inferFromEnv((name) => env[name]);
  if (basePath && config.basePath && basePath !== config.basePath.replace(/\/+$/, "")) {
    warnPlainly(
      config.logger,
      "env-url-basepath-mismatch",
      "`basePath` is set, so the path of AUTH_URL is ignored: remove one of them",
    );
  }
  const path = `${(config.basePath ?? basePath ?? "/auth").replace(/\/+$/, "")}/${action}`;
  if (origin) return new URL(origin + path);
  const trusts = config.trustHost ?? trustHost === "any";
  const host = headers.get("host") ?? (trusts ? headers.get("x-forwarded-host") : null);
  const here = `${protocol?.replace(/:$/, "") || "https"}://${host ?? ""}${path}`;
  if (!isHost(host) || !URL.canParse(here)) throw new TypeError("Cannot make the URL of an action: no host is known");
  return publicUrl(new Request(here, { headers: forwardedOnly(headers) }), {
    origin: null,
    trustHost: trusts ? "any" : "none",
  });
}

function forwardedOnly(headers: Headers): Headers {
  return new Headers([...headers].filter(([name]) => name.startsWith("x-forwarded-")));
}
