/**
 * Pushed authorization requests: the parameters go to the provider directly, and the browser carries a reference.
 *
 * @module
 * @see {@link https://www.rfc-editor.org/rfc/rfc9126 | RFC 9126}
 */
import * as oauth from "oauth4webapi";
import { OAuthProviderError } from "../kernel/errors.ts";
import type { FetchLike } from "../contract/provider.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { readObject } from "./json.ts";
import { tokenError, withoutSecrets } from "./refusal.ts";

/** Where a request is pushed to, and by whom. */
export interface Receiver {
  readonly provider: Pick<ResolvedOAuthProvider, "id">;
  readonly metadata: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  /** As at the token endpoint (section 2). */
  readonly authentication: oauth.ClientAuth;
  /** What is worth trying if the client is not accepted. */
  readonly hint: string;
  /** What the log must not repeat, if the provider quotes the request. */
  readonly secrets: readonly (string | undefined)[];
  readonly fetch: FetchLike;
}

/** The endpoint, as errors call it. */
const ENDPOINT = "pushed authorization request endpoint";

/**
 * Pushes an authorization request.
 *
 * @returns The `request_uri`. It stands for this request, once.
 * @throws {OAuthCallbackError} if the provider has a problem that may pass.
 * @throws {OAuthProviderError} if it refuses the request or the client, or its answer is not valid.
 */
export async function pushRequest(receiver: Receiver, params: URLSearchParams): Promise<string> {
  const { metadata, client, authentication, fetch } = receiver;
  const response = await oauth.pushedAuthorizationRequest(metadata, client, authentication, params, {
    [oauth.customFetch]: fetch,
    // `fetch` itself refuses http, except on loopback addresses.
    [oauth.allowInsecureRequests]: true,
  });
  const problem = await problemOf(response.clone(), receiver);
  if (problem) throw problem;
  const { request_uri, expires_in } = await oauth.processPushedAuthorizationResponse(metadata, client, response);
  if (expires_in > 0) return request_uri;
  throw new OAuthProviderError(`Cannot sign in with "${receiver.provider.id}": its request_uri has already expired`);
}

async function problemOf(
  response: Response,
  { provider: { id }, hint, secrets }: Receiver,
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
