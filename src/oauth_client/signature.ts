/**
 * Signatures of what a provider signs: id_tokens, logout tokens, answers of the userinfo endpoint and authorization
 * responses. The configuration says which algorithm is used. The header of a token never chooses between a public key and
 * a shared secret.
 *
 * @module
 */
import { isMac } from "../config/signing.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { FetchLike } from "../contract/provider.ts";
import { utf8 } from "../crypto/encoding.ts";
import { InvalidConfig, OAuthProviderError } from "../kernel/errors.ts";
import { getDocument, newerServer } from "./discovery.ts";
import { hashOf, type Jwt, PUBLIC_KEY_ALGORITHMS } from "./jwt.ts";
import { type KeySource, type RemoteKeySet, verifyJws } from "./keys.ts";
import type { Server } from "./metadata.ts";
import type { OutboundConfig } from "./outbound.ts";

/** Who signs, and how to get its keys. */
export interface Signer {
  readonly provider: ResolvedOAuthProvider;
  readonly server: Server;
  readonly fetch: FetchLike;
}

/** Whether tokens signed with an algorithm can be verified: by the keys of the issuer, or by the client secret. */
export function hasKeyFor(alg: string | undefined, { keys, hasIssuer }: Server): boolean {
  return hasIssuer && (keys !== null || isMac(alg));
}

/** Makes the error for a provider whose keys are not known. */
export function missingKeys({ id }: Pick<ResolvedOAuthProvider, "id">, server: Server, what: string): InvalidConfig {
  const missing = server.hasIssuer ? "jwks_endpoint" : "issuer";
  return new InvalidConfig(`Cannot verify ${what} of provider "${id}": set its \`${missing}\``);
}

/**
 * Verifies the signature of a token: with the client secret if such an algorithm is registered, and otherwise with the
 * keys of the issuer, and then with those of its newer metadata.
 *
 * @param signed The token, a compact JWS, and the algorithm that the client registered, if the configuration has one.
 * @throws {Error} if no key verifies it.
 */
export async function assertSigned(
  config: OutboundConfig,
  { provider, server, fetch }: Signer,
  { text, alg }: { readonly text: string; readonly alg: string | undefined },
): Promise<void> {
  if (alg !== undefined && isMac(alg)) return await assertMac(provider, text, alg);
  if (!server.keys) throw new OAuthProviderError("Cannot verify signature: the issuer has no keys");
  const source: KeySource = { load: (url) => getDocument(config, fetch, url), runtime: config.runtime };
  const verify = (keys: RemoteKeySet) => keys.verify(text, alg === undefined ? PUBLIC_KEY_ALGORITHMS : [alg], source);
  try {
    await verify(server.keys);
  } catch (error) {
    const newer = await newerServer(config, provider, server);
    if (!newer?.keys || newer.keys === server.keys) throw error;
    await verify(newer.keys);
  }
}

/**
 * Returns the newest metadata if the cached one does not announce the algorithm of an id_token. An algorithm that is
 * configured needs no announcement.
 */
export async function serverFor(
  config: OutboundConfig,
  { provider, server }: Omit<Signer, "fetch">,
  { header: { alg } }: Jwt,
): Promise<Server> {
  const { id_token_signed_response_alg: configured } = provider.client;
  const announced: unknown = server.metadata.id_token_signing_alg_values_supported ?? ["RS256"];
  const isNew = configured === undefined && Array.isArray(announced) && !announced.includes(alg) &&
    typeof alg === "string" && hashOf(alg) !== null && !isMac(alg);
  return isNew ? await newerServer(config, provider, server) ?? server : server;
}

// The key is the client secret (OpenID Connect Core, section 10.1). A public key is not a secret: that is why the algorithm
// must be configured.
async function assertMac({ id, clientSecret }: ResolvedOAuthProvider, text: string, alg: string): Promise<void> {
  if (!clientSecret) throw new InvalidConfig(`Cannot verify tokens of provider "${id}": set its \`clientSecret\``);
  try {
    await verifyJws(text, utf8(clientSecret), [alg]);
  } catch {
    throw new OAuthProviderError(`Cannot accept token of provider "${id}": its ${alg} signature is wrong`, {
      logCode: "id-token-invalid",
    });
  }
}
