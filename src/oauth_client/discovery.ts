/**
 * Discovery: the metadata of an authorization server, loaded and checked.
 *
 * @module
 * @see {@link https://openid.net/specs/openid-connect-discovery-1_0.html | OpenID Connect Discovery}
 */
import { OAuthProviderError } from "../kernel/errors.ts";
import { pause } from "../kernel/deadline.ts";
import { isSecureUrl } from "../http/redirect_url.ts";
import { metadataUrl } from "../config/endpoint.ts";
import type { FetchLike } from "../contract/provider.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { type JsonObject, readObject } from "./json.ts";
import { limitedFetch, type OutboundConfig } from "./outbound.ts";

/** The options of a provider that metadata depends on. */
export type ServerFacts = Pick<
  ResolvedOAuthProvider,
  | "id"
  | "issuer"
  | "wellKnown"
  | "authorization"
  | "token"
  | "userinfo"
  | "jwksUri"
  | "client"
  | "expectedIssuer"
  | "hasSharedIssuer"
  | "fetch"
  | "allowInsecureRequests"
  | "securityProfile"
  | "signedResponse"
  | "type"
>;

/**
 * Loads the metadata of a provider.
 *
 * @throws {OAuthProviderError} if there is none, or it does not match the configuration.
 */
export async function discover(config: OutboundConfig, provider: ServerFacts, url: string): Promise<JsonObject> {
  const { response, at } = await findDocument(config, provider, url).catch((error: unknown) => {
    throw unreachable(provider, url, error);
  });
  const metadata = response.status === 200 ? readObject(await response.arrayBuffer()) : null;
  if (!metadata) {
    const why = response.status === 200
      ? "the answer is no JSON object"
      : `the answer has the status ${response.status}`;
    throw new OAuthProviderError(
      `Cannot discover provider "${provider.id}", so check its \`issuer\`: ${why}, and there is no metadata at ${at}`,
      { cause: { status: response.status }, logCode: "issuer-metadata" },
    );
  }
  const { issuer } = provider;
  if (!issuerFits(metadata.issuer, provider)) {
    throw new OAuthProviderError(
      `Cannot use provider "${provider.id}"${issuer === undefined ? "" : ` with the issuer ${quoted(issuer)}`}: its ` +
        `\`issuer\` must be that of its metadata, ${quoted(metadata.issuer)}`,
      { cause: { configured: issuer }, logCode: "issuer-mismatch" },
    );
  }
  return metadata;
}

// The sentence of what failed, with the whole URL: it is that of the configuration, so it holds no token.
function unreachable({ id }: ServerFacts, url: string, error: unknown): unknown {
  if (!(error instanceof OAuthProviderError) || typeof error.cause?.kind !== "string") return error;
  const why = error.message.replace(/^Cannot use \S+: /, "");
  return new OAuthProviderError(
    `Cannot read the metadata of provider "${id}" at ${url}: ${why}. Check its \`issuer\`, and the network`,
    { cause: error.cause, logCode: "issuer-unreachable" },
  );
}

// Some providers of Auth.js derive `wellKnown` from another form of the issuer than the one that is configured. Auth.js
// never reads it and asks the issuer. Whichever document is read must name the configured issuer.
async function findDocument(
  config: OutboundConfig,
  provider: ServerFacts,
  url: string,
): Promise<{ readonly response: Response; readonly at: string }> {
  const fetch = limitedFetch(config, provider, { followsOnce: true });
  const response = await getDocument(config, fetch, url);
  const usual = provider.issuer && metadataUrl(provider.issuer);
  if (response.status !== 404 || !usual || usual === url) return { response, at: url };
  return { response: await getDocument(config, fetch, usual), at: `${url} or ${usual}` };
}

function quoted(issuer: unknown): string {
  return typeof issuer === "string" ? JSON.stringify(issuer.slice(0, 200)) : "which has none";
}

function issuerFits(found: unknown, { issuer, expectedIssuer, allowInsecureRequests }: ServerFacts): boolean {
  if (typeof found !== "string" || !URL.canParse(found)) return false;
  if (issuer === undefined) return isSecureUrl(found, allowInsecureRequests);
  // Metadata for many tenants has a template as its issuer, or one of the tenants.
  if (expectedIssuer) return new URL(found).origin === new URL(issuer).origin;
  return sameIssuer(found, issuer);
}

/**
 * Whether metadata names the configured issuer. A slash at its end does not matter: both spellings have the same URL of
 * metadata (section 4.1). What the metadata says is what id_tokens are compared with, exactly.
 */
export function sameIssuer(found: unknown, issuer: string | undefined): boolean {
  return typeof found === "string" && issuer !== undefined && withoutSlash(found) === withoutSlash(issuer);
}

function withoutSlash(url: string): string {
  return new URL(url).href.replace(/\/$/, "");
}

/** Fetches a public document. Retries once if the network fails or the server answers with a 5xx status. */
export async function getDocument({ runtime }: OutboundConfig, fetch: FetchLike, url: string): Promise<Response> {
  const get = () => fetch(url, { headers: { accept: "application/json" } });
  try {
    const response = await get();
    if (response.status < 500) return response;
  } catch (error) {
    if (!(error instanceof OAuthProviderError) || error.cause?.kind !== "network") throw error;
  }
  await pause(runtime, 0.15);
  return await get();
}

/**
 * Sorts endpoints that are no https URLs out of metadata. Servers write `null`, empty texts and internal URLs into what
 * they do not use. Elsewhere, too, `null` is the same as nothing.
 */
export function sortOut(
  metadata: JsonObject,
  { allowInsecureRequests }: Pick<ServerFacts, "allowInsecureRequests">,
): { readonly usable: JsonObject; readonly unusable: ReadonlyMap<string, unknown> } {
  const members = Object.entries(metadata).filter(([, value]) => value !== null);
  const isUsable = ([name, value]: readonly [string, unknown]) =>
    !isEndpoint(name) || isSecureUrl(value, allowInsecureRequests);
  return {
    usable: Object.fromEntries(members.filter(isUsable)),
    unusable: new Map(Object.entries(metadata).filter((member) => !isUsable(member))),
  };
}

function isEndpoint(name: string): boolean {
  return name.endsWith("_endpoint") || name === "jwks_uri";
}
