/**
 * Signatures of what a provider signs: id_tokens, and answers of the userinfo endpoint. The configuration says which
 * algorithm is used. The header of a token never chooses between a public key and a shared secret.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { fromBase64Url, utf8 } from "../crypto/encoding.ts";
import { InvalidConfig, OAuthProviderError } from "../kernel/errors.ts";
import type { FetchLike } from "../contract/provider.ts";
import { isMac } from "../config/signing.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { hashOf, type IdToken } from "./id_token.ts";
import { type KeySource, type ReadToken, type RemoteKeySet, verifySignature } from "./keys.ts";
import { getDocument } from "./discovery.ts";
import { newerServer, type Server } from "./server.ts";

/** Who signs, and how to get its keys. */
export interface Signer {
  readonly provider: ResolvedOAuthProvider;
  readonly server: Server;
  readonly fetch: FetchLike;
}

/** A token whose claims are checked and whose signature is not. */
export interface SignedToken extends ReadToken {
  /** The algorithm that the client registered, if the configuration has one. */
  readonly alg: string | undefined;
}

/** Whether tokens signed with an algorithm can be verified: by the keys of the issuer, or by the client secret. */
export function hasKeyFor(alg: string | undefined, { keys, hasIssuer }: Server): boolean {
  return hasIssuer && (keys !== null || isMac(alg));
}

/**
 * Verifies the signature of a token.
 *
 * @throws {Error} if no key verifies it.
 */
export async function assertSigned(
  ctx: Pick<RequestContext, "config">,
  signer: Signer,
  signed: SignedToken,
): Promise<void> {
  const { text, token, alg } = signed;
  if (alg !== undefined && isMac(alg)) return await assertMac(signer.provider, { text, token, alg });
  await withKeysOf(ctx, signer, (keys, source) => verifySignature(keys, signed, source));
}

/**
 * Verifies something with the keys of an issuer, and then with those of its newer metadata.
 *
 * @throws {Error} if no key verifies it.
 */
export async function withKeysOf<Verified>(
  ctx: Pick<RequestContext, "config">,
  { provider, server, fetch }: Signer,
  verify: (keys: RemoteKeySet, source: KeySource) => Promise<Verified>,
): Promise<Verified> {
  if (!server.keys) throw new OAuthProviderError("Cannot verify signature: the issuer has no keys");
  const load = (url: string) => getDocument(ctx.config, fetch, url);
  const { runtime } = ctx.config;
  try {
    return await verify(server.keys, { load, runtime });
  } catch (error) {
    const newer = await newerServer(ctx.config, provider, server);
    if (!newer?.keys || newer.keys === server.keys) throw error;
    return await verify(newer.keys, { load, runtime });
  }
}

/**
 * Gives the server as it is now if its cached metadata does not announce the algorithm of an id_token. An algorithm that
 * is configured needs no announcement.
 */
export async function serverFor(
  ctx: Pick<RequestContext, "config">,
  { provider, server }: Omit<Signer, "fetch">,
  { header: { alg } }: IdToken,
): Promise<Server> {
  const { id_token_signed_response_alg: configured } = provider.client;
  const announced: unknown = server.metadata.id_token_signing_alg_values_supported ?? ["RS256"];
  const isNew = configured === undefined && Array.isArray(announced) && !announced.includes(alg) &&
    typeof alg === "string" && hashOf(alg) !== null && !isMac(alg);
  return isNew ? await newerServer(ctx.config, provider, server) ?? server : server;
}

// The key is the client secret, as OpenID Connect Core, section 10.1, says. A public key is not a secret: that is why
// the algorithm must be configured.
async function assertMac(
  { id, clientSecret }: ResolvedOAuthProvider,
  { text, token: { header }, alg }: Omit<ReadToken, "response"> & { readonly alg: string },
): Promise<void> {
  if (!clientSecret) throw new InvalidConfig(`Cannot verify tokens of provider "${id}": set its \`clientSecret\``);
  const hash = header.alg === alg ? hashOf(alg) : null;
  const [protectedHeader, payload, signature] = text.split(".");
  const signed = utf8(`${protectedHeader}.${payload}`);
  const algorithm = { name: "HMAC", hash: hash ?? "" };
  const verified = hash !== null && await crypto.subtle.verify(
    algorithm.name,
    await crypto.subtle.importKey("raw", utf8(clientSecret), algorithm, false, ["verify"]),
    fromBase64Url(signature ?? ""),
    signed,
  );
  if (!verified) {
    throw new OAuthProviderError(`Cannot accept token of provider "${id}": its ${alg} signature is wrong`, {
      logCode: "id-token-invalid",
    });
  }
}
