/**
 * The redirect proxy: one service with a fixed address takes the answers of providers and forwards them to services
 * whose addresses change, such as previews.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { randomText } from "../crypto/random.ts";
import { InvalidCheck, InvalidConfig } from "../kernel/errors.ts";
import { asRedirectUrl, type RedirectUrl } from "../http/redirect_url.ts";
import { actionUrl } from "../request/links.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";

type ProxyContext = Pick<RequestContext, "config" | "url">;
type ProxiedProvider = Pick<ResolvedOAuthProvider, "id" | "redirectProxyUrl">;

/** The purpose a state is sealed for; the proxy opens it with the secret both services share. */
const STATE_SALT = "encodedState";

/** Seconds a state can be forwarded. */
const STATE_LIFETIME = 15 * 60;

/**
 * Makes the `state` of a flow: random text, or for a proxy a sealed note of where the answer belongs.
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
  return await config.sealer.seal(claims, { salt: STATE_SALT, maxAge: STATE_LIFETIME });
}

/**
 * Where an answer is forwarded, when this service is the proxy and the flow is another one's.
 *
 * @returns The target, or `null` if the answer is for this service.
 * @throws {InvalidCheck} if it may not go there.
 * @throws {InvalidConfig} if nobody has said where answers may go.
 */
export async function forwardTarget(
  ctx: ProxyContext,
  provider: ProxiedProvider,
  params: URLSearchParams,
): Promise<RedirectUrl | null> {
  const state = params.get("state");
  if (!state || !isProxy(ctx, provider)) return null;
  const claims = await ctx.config.sealer.open(state, STATE_SALT);
  if (typeof claims?.origin !== "string" || !URL.canParse(claims.origin)) return null;
  const { origin, pathname } = new URL(claims.origin);
  if (origin === ctx.url.origin) return null;
  const { redirectProxyOrigins } = ctx.config;
  // A service whose host is believed can be talked into any origin, and seals it with the secret that both share.
  if (redirectProxyOrigins === null) {
    throw new InvalidConfig(
      `Cannot forward the answer to ${origin}: set \`redirectProxyOrigins\` to the origins that this proxy is for`,
    );
  }
  const target = asRedirectUrl(`${origin}${pathname}?${params}`, origin);
  if (target && mayForward(origin, redirectProxyOrigins)) return target;
  throw new InvalidCheck(`Cannot forward the answer: \`redirectProxyOrigins\` does not list ${origin}`);
}

function isProxy({ url }: Pick<ProxyContext, "url">, { redirectProxyUrl }: ProxiedProvider): boolean {
  return redirectProxyUrl !== undefined && URL.canParse(redirectProxyUrl) &&
    new URL(redirectProxyUrl).origin === url.origin;
}

/**
 * Whether answers may go to an origin.
 *
 * @param origin The origin, as `URL` writes it.
 * @param allowed Origins, in which `*` stands for one whole label.
 */
export function mayForward(origin: string, allowed: readonly string[]): boolean {
  const asked = partsOf(origin);
  return asked !== null && allowed.some((pattern) => fits(asked, partsOf(pattern)));
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

function fits(asked: OriginParts, pattern: OriginParts | null): boolean {
  if (pattern?.scheme !== asked.scheme || pattern.port !== asked.port) return false;
  if (pattern.labels.length !== asked.labels.length) return false;
  return pattern.labels.every((label, at) =>
    label === "*" ? /^[a-z0-9-]+$/.test(asked.labels[at] ?? "") : label === asked.labels[at]
  );
}
