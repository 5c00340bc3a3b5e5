/**
 * Authorization requests that nobody can change on the way: signed ones (JAR), whose parameters are claims of a JWT, and
 * pushed ones (PAR), which go to the provider directly while the browser carries a reference.
 *
 * @module
 * @see {@link https://www.rfc-editor.org/rfc/rfc9101 | RFC 9101}
 * @see {@link https://www.rfc-editor.org/rfc/rfc9126 | RFC 9126}
 */
import * as oauth from "oauth4webapi";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { randomUuid } from "../crypto/random.ts";
import { BadRequest, InvalidConfig, OAuthProviderError } from "../kernel/errors.ts";
import { isObject } from "../kernel/objects.ts";
import { clientMetadata } from "./client.ts";
import { authHint, clientAuth, privateKeyOf, signingAlgorithm } from "./client_auth.ts";
import { tokenError, withoutSecrets } from "./failure.ts";
import { readObject } from "./json.ts";
import { endpointOf, type Server } from "./metadata.ts";
import { limitedFetch, type OutboundConfig } from "./outbound.ts";

/** Seconds for which a request object is valid: the browser takes it to the provider at once. */
const LIFETIME = 5 * 60;

/**
 * Claims that say what the JWT itself is. With a `sub` that a caller chooses, a request object would pass for an assertion
 * that authenticates this client (RFC 9101, section 10.8), and it passes through the browser.
 */
const CLAIMS: readonly string[] = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"];

/** Claims that are JSON and not text, with what they must be. */
const JSON_CLAIMS: Readonly<Record<string, (value: unknown) => boolean>> = {
  max_age: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  claims: isObject,
  authorization_details: Array.isArray,
};

/** Who sends the request, and to whom. */
export interface Parties {
  readonly provider: ResolvedOAuthProvider;
  readonly server: Server;
}

/**
 * Signs an authorization request.
 *
 * @returns The request object, for the parameter `request`.
 * @throws {InvalidConfig} if there is no issuer, or the key is for another algorithm than the registered one.
 * @throws {BadRequest} if a parameter cannot be part of a request object.
 */
export async function signRequest(
  { runtime }: OutboundConfig,
  { provider, server }: Parties,
  given: URLSearchParams,
): Promise<string> {
  const { authorization: { requestObjectKey: own }, token: { clientPrivateKey } } = provider;
  const key = own === undefined
    ? privateKeyOf(provider, "token.clientPrivateKey", clientPrivateKey)
    : privateKeyOf(provider, "authorization.requestObjectKey", own);
  // An empty one counts as none (RFC 6749, section 3.1).
  const params = new URLSearchParams([...given].filter(([, value]) => value !== ""));
  assertClaims(params);
  const { id } = provider;
  if (!server.hasIssuer) {
    throw new InvalidConfig(`Cannot sign requests to provider "${id}": set its \`issuer\`, which they are for`);
  }
  return await oauth.issueRequestObject(server.metadata, clientMetadata(provider), params, key, {
    [oauth.modifyAssertion](header, claims) {
      header.alg = signingAlgorithm({ provider, server }, String(header.alg), {
        option: "request_object_signing_alg",
        subject: `Cannot sign requests to provider "${id}": its key`,
      });
      // The library keeps one value of each name.
      for (const [name, values] of Map.groupBy(params, ([name]) => name)) {
        if (values.length > 1) claims[name] = values.map(([, value]) => value);
      }
      const now = Math.floor(runtime.now() / 1000);
      Object.assign(claims, { jti: randomUuid(runtime), iat: now, nbf: now, exp: now + LIFETIME });
    },
  });
}

function assertClaims(params: URLSearchParams): void {
  const reserved = CLAIMS.find((name) => params.has(name));
  if (reserved) throw new BadRequest(`The parameter ${reserved} cannot be part of a signed request`);
  for (const [name, fits] of Object.entries(JSON_CLAIMS)) {
    for (const value of params.getAll(name)) {
      if (!fits(parse(value))) throw new BadRequest(`The parameter ${name} is not the JSON that it must be`);
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The name of the endpoint in errors. */
const ENDPOINT = "pushed authorization request endpoint";

/** A request to push. */
export interface Pushed {
  readonly params: URLSearchParams;
  /** What the log must not repeat, if the provider quotes the request. */
  readonly secrets: readonly (string | undefined)[];
}

/**
 * Pushes an authorization request. The client authenticates as at the token endpoint (RFC 9126, section 2).
 *
 * @returns The `request_uri`. It stands for this request, once.
 * @throws {OAuthCallbackError} if the provider has a problem that may pass.
 * @throws {OAuthProviderError} if it refuses the request or the client, or its answer is not valid.
 */
export async function pushRequest(
  config: OutboundConfig,
  { provider, server }: Parties,
  { params, secrets }: Pushed,
): Promise<string> {
  endpointOf(provider, server, "pushed_authorization_request_endpoint");
  const { metadata } = server;
  const client = clientMetadata(provider);
  const auth = clientAuth(provider, server, config.runtime);
  const response = await oauth.pushedAuthorizationRequest(metadata, client, auth, params, {
    [oauth.customFetch]: limitedFetch(config, provider),
    // `fetch` itself refuses http, except on loopback addresses.
    [oauth.allowInsecureRequests]: true,
  });
  const hint = authHint(provider, server);
  const problem = await problemOf(response.clone(), provider.id, { hint, params, secrets });
  if (problem) throw problem;
  const { request_uri, expires_in } = await oauth.processPushedAuthorizationResponse(metadata, client, response);
  if (expires_in > 0) return request_uri;
  throw new OAuthProviderError(`Cannot sign in with "${provider.id}": its request_uri has already expired`);
}

async function problemOf(
  response: Response,
  id: string,
  { hint, params, secrets }: Pushed & { readonly hint: string },
): Promise<Error | null> {
  const { status } = response;
  const { error, error_description: description, ...others } = readObject(await response.arrayBuffer()) ?? {};
  if (typeof error === "string" && error) {
    return tokenError(id, {
      error: withoutSecrets(error, secrets),
      description: typeof description === "string" ? withoutSecrets(description, secrets) : null,
      status,
      hint: error === "invalid_client" ? hint : null,
      refused: `${ENDPOINT} refused the request`,
      redirectUri: params.get("redirect_uri"),
    });
  }
  if (status === 201 && "request_uri" in others) return null;
  return new OAuthProviderError(
    `Cannot sign in with "${id}": its ${ENDPOINT} did not answer with a request_uri${
      status === 401 ? `; ${hint}` : ""
    }`,
    { cause: { status } },
  );
}
