/**
 * The binding for Next: app router, pages router and proxy.
 *
 * @example Usage
 * ```ts
 * import NextAuth from "@x/auth/next";
 * import { github } from "@x/auth/providers/github";
 *
 * // auth.ts
 * export const { handlers, auth, signIn, signOut } = NextAuth({ providers: [github()], protect: ["/members/*"] });
 * // app/api/auth/[...auth]/route.ts: export const { GET, POST } = handlers;
 * // proxy.ts: export { auth as proxy } from "./auth";
 * ```
 *
 * @module
 */
import type { ConfigSourceOf, FieldsByIdOf, SessionOf, TokenOf } from "../src/contract/infer.ts";
import {
  type NextAuthorizedRequest,
  type NextAuthResult,
  nextAuthWith,
  type NextConfigSource,
  type NextParts,
} from "./host/next.ts";
import type { Adapter, JWT, ProviderInput, Session, Strategy } from "./host/types.ts";

export { raw } from "../src/contract/config.ts";
export { customFetch } from "../src/contract/provider.ts";
export { AuthError, CredentialsSignin } from "../src/errors.ts";
export type {
  NextApiRequestLike,
  NextApiResponseLike,
  NextAuthCallbacks,
  NextAuthConfig,
  NextAuthFunction,
  NextAuthorizedRequest,
  NextAuthRequest,
  NextAuthResult,
  NextContextLike,
  NextCookiesLike,
  NextRequestLike,
  NextRequire,
} from "./host/next.ts";
export type { NextUrlLike } from "./host/next_paths.ts";
export type * from "./host/public.ts";

/**
 * Makes the service for Next. Its path is `/api/auth`, unless `basePath` or `AUTH_URL` names another.
 *
 * @param config The configuration, or a function that chooses one for each request. `raw` changes nothing: handlers answer
 * with responses, and the other functions take answers apart in any case.
 */
export function NextAuth<
  const P extends readonly ProviderInput<Id>[],
  T extends JWT,
  S extends Session,
  Id extends string,
  N extends Strategy | undefined = never,
  A extends Adapter | undefined = never,
>(
  config: ConfigSourceOf<P, T, S, N, A, NextAuthorizedRequest>,
): NextAuthResult<SessionOf<S>, FieldsByIdOf<P>, TokenOf<T>>;
export function NextAuth(config: NextConfigSource): NextAuthResult {
  return nextAuthWith(config, loadNext);
}

export default NextAuth;

// On the server, Next replaces `next/navigation` by another module, under this name only: `next/navigation.js` needs a
// browser. `next/headers.js` is one module everywhere, and its name resolves without a bundler, too.
async function loadNext(): Promise<NextParts> {
  const [{ headers, cookies }, { redirect }] = await Promise.all([
    // @ts-ignore: Next is installed where this runs
    import("next/headers.js"),
    // @ts-ignore: Next is installed where this runs
    import("next/navigation"),
  ]);
  return { headers, cookies, redirect };
}
