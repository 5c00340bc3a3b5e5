/**
 * Begins a sign-in with a provider, and reads what the provider says to it. Nobody signs in.
 *
 * @module
 */
import { isLoopback } from "../../src/http/origin.ts";
import type { Ask, Reply } from "./ask.ts";
import { cookieHeader } from "./cookies.ts";
import { isInner, type Issuer, jsonOf, type ListedProvider, recordOf, type Start, targetOf } from "./observed.ts";
import { walk } from "./walk.ts";

/** How a sign-in is begun. */
interface Beginning {
  readonly provider: ListedProvider;
  /** The answer that had the CSRF token and its cookie. */
  readonly csrf: Reply | null;
  readonly asksProviders: boolean;
}

/** Begins a sign-in. */
export async function startAt(ask: Ask, url: URL, { provider, csrf, asksProviders }: Beginning): Promise<Start> {
  const token = recordOf(jsonOf(csrf))?.csrfToken;
  const cookies = csrf?.kind === "answer" ? csrf.cookies : [];
  const fields = { callbackUrl: "/", ...(typeof token === "string" && { csrfToken: token }) };
  const reply = await ask(url, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      origin: url.origin,
      cookie: cookieHeader(cookies),
    },
    body: new URLSearchParams(fields).toString(),
  });
  const to = targetOf(reply);
  const mayAsk = asksProviders && to !== null && to.origin !== url.origin && isAskable(to, url);
  if (!mayAsk) return { provider, reply, to, walk: null, issuer: null };
  const ours = to.searchParams.get("redirect_uri") ?? url.origin;
  const answered = await walk(ask, to, BROWSER, (next) => isAskable(next, url) && !isBack(next, ours));
  const issuer = provider.type === "oidc" ? await issuerOf(ask, to) : null;
  return { provider, reply, to, walk: answered, issuer };
}

// Some providers answer nothing to programs.
const BROWSER = {
  accept: "text/html",
  "user-agent": "Mozilla/5.0 (compatible; x-auth-doctor)",
  "accept-language": "en",
};

// A site must not make this machine ask what only this machine reaches.
function isAskable(to: URL, { hostname }: URL): boolean {
  if (isLoopback(hostname) && isLoopback(to.hostname)) return /^https?:$/.test(to.protocol);
  return to.protocol === "https:" && !isInner(to.hostname);
}

function isBack(to: URL, redirectUri: string): boolean {
  const back = URL.parse(redirectUri);
  return back !== null && to.origin === back.origin && to.pathname === back.pathname;
}

/** How the authorization endpoint of some software lies to its issuer. */
const ENDPOINTS = [
  /\/protocol\/openid-connect\/auth$/, // Keycloak
  /\/oauth2\/v2\.0\/authorize$/, // Entra, whose issuers end with /v2.0
  /\/v1\/authorize$/, // Okta
  /\/(?:oauth2?|connect|oidc|openid)?\/?(?:auth|authorize|authorization|login)$/,
];

async function issuerOf(ask: Ask, to: URL): Promise<Issuer | null> {
  const path = ENDPOINTS.map((end) => to.pathname.replace(end, end === ENDPOINTS[1] ? "/v2.0" : ""))
    .find((path) => path !== to.pathname) ?? "";
  for (const expected of new Set([to.origin + path, to.origin])) {
    const reply = await ask(new URL(`${expected.replace(/\/$/, "")}/.well-known/openid-configuration`));
    const document = recordOf(jsonOf(reply));
    if (reply.kind !== "answer" || reply.status !== 200 || !document) continue;
    // The document of somebody else who has the same host.
    const endpoint = URL.parse(String(document.authorization_endpoint));
    if (endpoint?.origin !== to.origin || endpoint.pathname !== to.pathname) continue;
    const at = URL.parse(String(document.jwks_uri));
    return { expected, document, reply, keys: at && isAskable(at, to) ? await ask(at) : null };
  }
  return null;
}
