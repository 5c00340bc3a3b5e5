/**
 * Which hosts and variables a configuration needs, for a firewall or the permissions of Deno.
 *
 * @module
 */
import { providerPrefix } from "../config/env.ts";
import type { PasswordSettings } from "../passwords/settings.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { ResolvedOAuthProvider, ResolvedProvider } from "../config/resolved_provider.ts";
import { AuthError } from "../kernel/errors.ts";
import { authorizationServer } from "../oauth_client/discovery.ts";

/** What a configuration needs. */
export interface Permissions {
  /** Hosts that the service itself sends requests to, with the port where it is not that of https. */
  readonly hosts: readonly string[];
  /** Variables that it reads, set or not. */
  readonly variables: readonly string[];
  /** What else sends requests, to hosts that are not known here. */
  readonly unknown: readonly string[];
}

const VARIABLES: readonly string[] = [
  ...["AUTH_URL", "NEXTAUTH_URL", "AUTH_SECRET", "AUTH_SECRET_1", "AUTH_SECRET_2", "AUTH_SECRET_3", "NEXTAUTH_SECRET"],
  ...["AUTH_TRUST_HOST", "AUTH_REDIRECT_PROXY_URL", "VERCEL", "CF_PAGES", "NODE_ENV"],
];

/** The hosts of mail services that have one. Those with regions, and a host of their own, say it in their options. */
export const MAIL_HOSTS: Readonly<Record<string, string>> = {
  brevo: "api.brevo.com",
  forwardemail: "api.forwardemail.net",
  mailersend: "api.mailersend.com",
  mailjet: "api.mailjet.com",
  mailtrap: "send.api.mailtrap.io",
  postmark: "api.postmarkapp.com",
  resend: "api.resend.com",
  smtp2go: "api.smtp2go.com",
};

/** Endpoints that the service asks. All others are for browsers. */
const ASKED = [
  ...["token_endpoint", "userinfo_endpoint", "jwks_uri", "pushed_authorization_request_endpoint"],
  "revocation_endpoint",
];

/** Lists what a configuration needs. Metadata of providers that cannot be read now is left out, and they are named. */
export async function permissionsOf(config: ResolvedConfig): Promise<Permissions> {
  const providers = [...config.providers.values()];
  const needs = await Promise.all(providers.map((provider) => needsOf(config, provider)));
  const hosts = needs.flatMap(({ urls }) => urls.flatMap((url) => URL.parse(url)?.host ?? []));
  return {
    hosts: [...new Set(hosts)].toSorted(),
    variables: [...VARIABLES, ...providers.flatMap(variablesOf)],
    unknown: [...needs.flatMap(({ unknown }) => unknown ?? []), ...(config.storage ? ["`adapter`"] : [])],
  };
}

interface Needs {
  readonly urls: readonly string[];
  readonly unknown?: string;
}

async function needsOf(config: ResolvedConfig, provider: ResolvedProvider): Promise<Needs> {
  const { id, type } = provider;
  const own = `provider "${id}"`;
  if (type === "webauthn") return { urls: [] };
  if (type === "credentials") {
    return provider.passwords ? needsOfPasswords(provider.passwords) : { urls: [], unknown: `\`authorize\` of ${own}` };
  }
  if (type !== "email") return await needsOfClient(config, provider);
  const host = Object.hasOwn(MAIL_HOSTS, id) ? MAIL_HOSTS[id] : undefined;
  return host ? { urls: [`https://${host}`] } : { urls: [], unknown: own };
}

function needsOfPasswords({ breached, store, hash }: PasswordSettings): Needs {
  const own = Object.entries({ breached, store, hash }).filter(([, value]) => value).map(([name]) => `\`${name}\``);
  return { urls: [], ...(own.length > 0 && { unknown: `${own.join(", ")} of provider "password"` }) };
}

async function needsOfClient(config: ResolvedConfig, provider: ResolvedOAuthProvider): Promise<Needs> {
  const { id, wellKnown, token, userinfo, jwksUri, revokeTokens } = provider;
  const named = [wellKnown, token.url, token.refreshUrl, userinfo.url, jwksUri, revokeTokens];
  const urls = named.filter((url) => typeof url === "string");
  // A function that has a URL as well asks there: those of the catalogue are such.
  const isOwn = [token, userinfo].some(({ handler, url }) => handler && url === undefined) || provider.fetch;
  const unknown = isOwn ? { unknown: `code of provider "${id}"` } : {};
  try {
    const { metadata } = await authorizationServer(config, provider);
    const found = ASKED.map((name) => metadata[name]).filter((url) => typeof url === "string");
    return { urls: [...urls, ...found], ...unknown };
  } catch (error) {
    // The check says it, as a problem.
    if (!(error instanceof AuthError)) throw error;
    return { urls, unknown: `provider "${id}"` };
  }
}

function variablesOf({ id, type }: ResolvedProvider): string[] {
  const prefix = providerPrefix(id);
  if (type === "oauth" || type === "oidc") return ["ID", "SECRET", "ISSUER"].map((name) => prefix + name);
  return type === "email" ? [`${prefix}KEY`] : [];
}
