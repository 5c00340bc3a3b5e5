/**
 * Requests to the API of a provider, with the access token of an account.
 *
 * @module
 */
import type { FetchLike } from "./contract/provider.ts";
import { createSealer } from "./crypto/seal.ts";
import { assertSecrets } from "./crypto/secrets.ts";
import { systemRuntime } from "./kernel/runtime.ts";
import { fetchFor, type TokenAccount } from "./oauth_client/account_fetch.ts";

export type { FetchLike, TokenAccount };

/** Options of {@linkcode accountFetch}. */
export interface AccountFetchOptions {
  /** The secret of the service, or several, newest first: `jwt.secret` if you have set that, and otherwise `secret`. */
  readonly secret: string | readonly string[] | undefined;
  /** Sends the requests, such as the `customFetch` of the provider. @default `fetch` */
  readonly fetch?: FetchLike | undefined;
}

/**
 * Makes a `fetch` that sends the access token of an account: as a bearer token or, where tokens are bound to a key (DPoP),
 * with a proof that is made anew for each request. A nonce that the server demands is sent with a second request.
 *
 * Only https URLs are allowed, and `http` on this machine. Redirects are an error, or with `redirect: "manual"` an answer.
 *
 * @example Usage
 * ```ts
 * import { accountFetch } from "@x/auth/account-fetch";
 * import assert from "node:assert/strict";
 *
 * // An account as the `jwt` callback gets it, or as an adapter stores it.
 * const account = { provider: "idp", providerAccountId: "42", access_token: "secret", token_type: "bearer" } as const;
 * const secret = "a random text of at least 32 characters";
 *
 * // In your code `fetch` is absent. This one answers with what it was sent.
 * const fetch = (_url: unknown, init?: RequestInit) => Promise.resolve(new Response(new Headers(init?.headers).get("authorization")));
 * const api = await accountFetch(account, { secret, fetch });
 *
 * assert.equal(await (await api("https://api.example.com/items")).text(), "Bearer secret");
 * ```
 *
 * @param account The account, with its tokens.
 * @param options The secret that opens its key.
 * @returns A function with the shape of `fetch`. It does not renew the token.
 * @throws {InvalidConfig} if the account has no token, or its key does not open with this secret.
 * @throws {MissingSecret} if there is no secret.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9449#section-7 | RFC 9449, section 7}
 */
export async function accountFetch(account: TokenAccount, { secret, fetch }: AccountFetchOptions): Promise<FetchLike> {
  const sealer = createSealer(assertSecrets(secret, "the key of an account"), systemRuntime);
  return await fetchFor(account, { sealer, runtime: systemRuntime, fetch });
}
