/**
 * Requests with the access token of an account, to the API that it is for.
 *
 * @module
 */
import { isSecureUrl } from "../http/redirect_url.ts";
import { InvalidConfig } from "../kernel/errors.ts";
import type { TokenSet } from "../kernel/model.ts";
import type { Runtime } from "../kernel/runtime.ts";
import type { Sealer } from "../crypto/seal.ts";
import type { FetchLike } from "../contract/provider.ts";
import { dpop } from "./late_modules.ts";

/** What is needed of an account to use its access token. */
export interface TokenAccount extends Pick<TokenSet, "token_type"> {
  /** Id of the provider. */
  readonly provider: string;
  /** The person's id at the provider. */
  readonly providerAccountId: string;
  /** The access token. */
  readonly access_token?: string | null | undefined;
  /** The key that the token is bound to, sealed, with DPoP. */
  readonly dpop_key?: string | null | undefined;
}

/** What opens keys and sends requests. */
export interface Sending {
  readonly sealer: Sealer;
  readonly runtime: Pick<Runtime, "now" | "fetch">;
  /** What sends requests in place of the runtime's `fetch`: that of the provider, for one. */
  readonly fetch?: FetchLike | undefined;
}

/**
 * Makes a `fetch` that sends the access token of an account, as a bearer token or, if it is bound to a key, with a proof.
 *
 * @throws {InvalidConfig} if there is no token, or its key does not open.
 */
export async function fetchFor(account: TokenAccount, { sealer, runtime, fetch }: Sending): Promise<FetchLike> {
  const { provider: id, access_token: token, token_type: type, dpop_key: sealed } = account;
  const send = fetch ?? ((input, init) => runtime.fetch(input, init));
  if (!token) throw new InvalidConfig(`Cannot use access token of provider "${id}": the account has none`);
  // The developer chooses what is stored, and may leave the type out.
  const isBound = type ? type.toLowerCase() === "dpop" : Boolean(sealed);
  if (!isBound) return secured(bearerFetch(send, token));
  const { boundFetch, openKey, openSealedKey } = await dpop();
  const jwk = sealed ? await openSealedKey(sealer, account, sealed) : null;
  if (!jwk) {
    const why = sealed ? "it was sealed with another secret, or is of another account" : "the account has none";
    throw new InvalidConfig(`Cannot use DPoP key of provider "${id}": ${why}`);
  }
  return secured(boundFetch(send, await openKey(jwk, { runtime }, { id, fetch }), token));
}

// Anybody who reads the token on the way, or at the end of a redirect, could use it.
function secured(fetch: FetchLike): FetchLike {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (isSecureUrl(url)) return await fetch(input, init);
    throw new TypeError("Cannot send access token: only https is allowed");
  };
}

function bearerFetch(fetch: FetchLike, token: string): FetchLike {
  return async (input, init = {}) => {
    const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined));
    headers.set("authorization", `Bearer ${token}`);
    return await fetch(input, { ...init, headers, redirect: init.redirect === "manual" ? "manual" : "error" });
  };
}
