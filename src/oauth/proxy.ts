/**
 * The redirect proxy: one service with a fixed URL receives the responses of providers and forwards them to services
 * whose URLs change, such as preview deployments.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { randomText } from "../crypto/random.ts";
import { InvalidCheck, InvalidConfig } from "../kernel/errors.ts";
import { FLOW_LIFETIME } from "../http/cookie_specs.ts";
import { asRedirectUrl, type RedirectUrl } from "../http/redirect_url.ts";
import { actionUrl } from "../request/links.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";

type ProxyContext = Pick<RequestContext, "config" | "url">;
type ProxiedProvider = Pick<ResolvedOAuthProvider, "id" | "redirectProxyUrl">;

/** The purpose that a state is sealed for. The proxy opens it with the secret that both services share. */
const STATE_SALT = "encodedState";

/**
 * Makes the `state` of a flow. It is random; behind a proxy it also holds the callback URL of this service, sealed.
 *
 * @throws {InvalidConfig} if the proxy would refuse to forward to this service.
 */
export async function makeState(ctx: ProxyContext, provider: ProxiedProvider): Promise<string> {
  const { config, url } = ctx;
  const random = randomText(config.runtime);
  if (!provider.redirectProxyUrl || isProxy(ctx, provider)) return random;
  const { redirectProxyOrigins } = config;
  if (redirectProxyOrigins && !mayForward(url.origin, redirectProxyOrigins)) {
    throw new InvalidConfig(
      `Cannot sign in through the redirect proxy: \`redirectProxyOrigins\` does not list ${url.origin}`,
    );
  }
  const claims = { origin: actionUrl(ctx, `callback/${provider.id}`), random };
  return await config.sealer.seal(claims, { salt: STATE_SALT, maxAge: FLOW_LIFETIME });
}

/**
 * Returns the URL that a response is forwarded to, if this service is the proxy and another one started the flow. The other
 * one verifies the response.
 *
 * @returns The URL, or `null` if the response is for this service.
 * @throws {InvalidCheck} if `redirectProxyOrigins` does not list its origin.
 * @throws {InvalidConfig} if `redirectProxyOrigins` is not set.
 */
export async function forwardUrl(
  ctx: ProxyContext,
  provider: ProxiedProvider,
  { params, state }: { readonly params: URLSearchParams; readonly state: string | null },
): Promise<RedirectUrl | null> {
  if (!state || !isProxy(ctx, provider)) return null;
  const claims = await ctx.config.sealer.open(state, STATE_SALT);
  if (typeof claims?.origin !== "string" || !URL.canParse(claims.origin)) return null;
  const { origin, pathname } = new URL(claims.origin);
  if (origin === ctx.url.origin) return null;
  const { redirectProxyOrigins } = ctx.config;
  // The seal does not prove the origin: a service with `trustHost` takes its origin from a header, and seals it with the same secret.
  if (redirectProxyOrigins === null) {
    throw new InvalidConfig(
      `Cannot forward the response to ${origin}: set \`redirectProxyOrigins\` to the origins that this proxy serves`,
    );
  }
  const forwarded = asRedirectUrl(`${origin}${pathname}?${params}`, origin);
  if (forwarded && mayForward(origin, redirectProxyOrigins)) return forwarded;
  throw new InvalidCheck(`Cannot forward the response: \`redirectProxyOrigins\` does not list ${origin}`);
}

function isProxy({ url }: Pick<ProxyContext, "url">, { redirectProxyUrl }: ProxiedProvider): boolean {
  return redirectProxyUrl !== undefined && URL.canParse(redirectProxyUrl) &&
    new URL(redirectProxyUrl).origin === url.origin;
}

/** Whether responses may be forwarded to an origin. In `allowed`, `*` stands for one whole label of a host. */
export function mayForward(origin: string, allowed: readonly string[]): boolean {
  const parts = partsOf(origin);
  return parts !== null && allowed.some((pattern) => matches(parts, partsOf(pattern)));
}

interface OriginParts {
  readonly scheme: string;
  readonly labels: readonly string[];
  readonly port: string;
}

const ORIGIN = /^(https?):\/\/([a-z0-9*.-]+)(?::(\d+))?$/;
const PORTS: Readonly<Record<string, string>> = { http: "80", https: "443" };

function partsOf(origin: string): OriginParts | null {
  const [, scheme, host, port] = ORIGIN.exec(origin.toLowerCase()) ?? [];
  if (!scheme || !host) return null;
  return { scheme, labels: host.split("."), port: port ?? PORTS[scheme] ?? "" };
}

function matches(origin: OriginParts, pattern: OriginParts | null): boolean {
  if (pattern?.scheme !== origin.scheme || pattern.port !== origin.port) return false;
  if (pattern.labels.length !== origin.labels.length) return false;
  return pattern.labels.every((label, at) =>
    label === "*" ? /^[a-z0-9-]+$/.test(origin.labels[at] ?? "") : label === origin.labels[at]
  );
}
