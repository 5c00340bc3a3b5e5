/**
 * The answer of the userinfo endpoint, plain or signed.
 *
 * @module
 * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#UserInfo | OpenID Connect Core, section 5.3}
 */
import * as oauth from "oauth4webapi";
import type { RequestContext } from "../request/context.ts";
import { utf8 } from "../crypto/encoding.ts";
import { OAuthProviderError } from "../kernel/errors.ts";
import type { TokenSet } from "../kernel/model.ts";
import { isObject } from "../kernel/objects.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { clientMetadata, handlerProvider, urlWithParams } from "../oauth_client/client.ts";
import { callHandler } from "../oauth_client/failure.ts";
import { readIdToken, signedAnswerProblem } from "../oauth_client/id_token.ts";
import { isEncrypted, type JsonObject, readObject } from "../oauth_client/json.ts";
import { openAnswer } from "../oauth_client/jwt.ts";
import { dpop } from "../oauth_client/late_modules.ts";
import { lackOf } from "../oauth_client/metadata.ts";
import { assertSigned, hasKeyFor, missingKeys, type Signer } from "../oauth_client/signature.ts";
import type { Grant } from "./tokens.ts";

const FAILED = { logCode: "userinfo-failed" } as const;

/** What {@linkcode readUserinfo} needs. */
export interface UserinfoSource extends Signer {
  readonly grant: Grant;
}

/**
 * Reads the profile from the userinfo endpoint.
 *
 * @throws {OAuthProviderError} if the answer is not valid, or is about somebody else than the id_token.
 */
export async function readUserinfo(
  ctx: RequestContext,
  source: UserinfoSource,
  tokens: TokenSet,
): Promise<JsonObject> {
  const { provider, grant: { claims }, fetch } = source;
  const { handler } = provider.userinfo;
  const userinfo: unknown = handler
    ? await callHandler(ctx.config, provider, "userinfo", () => {
      return handler({ provider: handlerProvider(ctx, provider), tokens: { ...tokens }, fetch });
    })
    : await requestUserinfo(ctx, source);
  if (!isObject(userinfo)) {
    throw new OAuthProviderError(`Cannot read profile: userinfo of provider "${provider.id}" is not an object`, FAILED);
  }
  // OpenID Connect Core, section 5.3.2. A handler may give a profile without `sub`.
  const mustMatch = claims !== null && (userinfo.sub !== undefined || !handler);
  if (mustMatch && userinfo.sub !== claims.sub) {
    throw new OAuthProviderError(
      `Cannot read profile: \`sub\` in userinfo of provider "${provider.id}" is not that of its id_token`,
      FAILED,
    );
  }
  return userinfo;
}

async function requestUserinfo(ctx: RequestContext, source: UserinfoSource): Promise<JsonObject | null> {
  const { provider, server, grant, fetch } = source;
  const { userinfo_endpoint: endpoint } = server.metadata;
  if (!endpoint) {
    const why = server.unusable.has("userinfo_endpoint") ? `, because ${lackOf(server, "userinfo_endpoint")}` : "";
    throw new OAuthProviderError(`Cannot read profile: set \`userinfo\` of provider "${provider.id}"${why}`, FAILED);
  }
  const { userinfo_signed_response_alg: signed, userinfo_encrypted_response_alg: encrypted } = provider.client;
  const { key, tokens: { access_token: token } } = grant;
  const accept = signed || encrypted ? "application/jwt" : "application/json";
  const url = urlWithParams(endpoint, provider.userinfo.params);
  const response = key
    ? await (await dpop()).boundFetch(fetch, key, token ?? "")(url, { headers: { accept } })
    : await fetch(url, { headers: { accept, authorization: `Bearer ${token}` } });
  if (response.status >= 200 && response.status <= 299) return await readAnswer(ctx, source, response);
  throw new OAuthProviderError(`Cannot read profile: userinfo of provider "${provider.id}" answered with an error`, {
    ...FAILED,
    cause: { status: response.status },
  });
}

async function readAnswer(
  ctx: RequestContext,
  source: UserinfoSource,
  response: Response,
): Promise<JsonObject | null> {
  const { provider } = source;
  const { userinfo_signed_response_alg: alg, userinfo_encrypted_response_alg: encrypted } = provider.client;
  if (!alg && !encrypted) return readPlain(provider, new Uint8Array(await response.arrayBuffer()));
  const content = response.headers.get("content-type") ?? "";
  if (encrypted && !isJwt(content)) {
    throw new OAuthProviderError(
      `Cannot accept userinfo of provider "${provider.id}": it must be encrypted, as ` +
        `\`client.userinfo_encrypted_response_alg\` says, and its content-type is not application/jwt`,
      FAILED,
    );
  }
  const text = String(await openAnswer(provider, "userinfo", new TextDecoder().decode(await response.arrayBuffer())));
  if (!encrypted && isEncrypted(text)) throw undemanded(provider, "encrypted");
  return alg ? await readSigned(ctx, source, { text, alg, content }) : readPlain(provider, utf8(text));
}

function isJwt(contentType: string): boolean {
  return contentType.split(";")[0]?.trim().toLowerCase() === "application/jwt";
}

function readPlain(provider: ResolvedOAuthProvider, bytes: Uint8Array): JsonObject | null {
  const [first] = bytes;
  // A compact JWT begins with the letters of `{"`.
  if (first !== LETTER_E) return readObject(bytes);
  throw undemanded(provider, isEncrypted(new TextDecoder().decode(bytes).trim()) ? "encrypted" : "signed");
}

const LETTER_E = 0x65;

function undemanded({ id }: ResolvedOAuthProvider, how: "encrypted" | "signed"): OAuthProviderError {
  const options = how === "encrypted" ? "`client.decryptionKeys` and " : "";
  return new OAuthProviderError(
    `Cannot accept userinfo of provider "${id}": it is ${how}; set ${options}\`client.userinfo_${how}_response_alg\``,
    FAILED,
  );
}

async function readSigned(
  ctx: RequestContext,
  source: UserinfoSource,
  { text, alg, content }: { readonly text: string; readonly alg: string; readonly content: string },
): Promise<JsonObject> {
  const { provider, server, grant } = source;
  if (!hasKeyFor(alg, server)) throw missingKeys(provider, server, "userinfo");
  const response = new Response(text, { headers: { "content-type": content } });
  const token = readIdToken(text);
  // A tenant signs both, so the issuer is that of the verified id_token.
  const issuer = typeof grant.claims?.iss === "string" ? grant.claims.iss : server.metadata.issuer;
  const metadata = { ...server.metadata, issuer };
  await oauth.processUserInfoResponse(metadata, clientMetadata(provider), oauth.skipSubjectCheck, response);
  const problem = signedAnswerProblem(token, {
    now: ctx.config.runtime.now() / 1000,
    alg,
    tolerance: provider.clockTolerance,
  });
  if (problem) throw new OAuthProviderError(`Cannot accept userinfo of provider "${provider.id}": ${problem}`, FAILED);
  await assertSigned(ctx.config, source, { text, alg });
  return token.exactClaims;
}
