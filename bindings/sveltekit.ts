/**
 * The binding for SvelteKit 2 and 3.
 *
 * @example Usage
 * ```ts
 * import { SvelteKitAuth } from "@x/auth/sveltekit";
 * import { github } from "@x/auth/providers/github";
 *
 * // src/auth.ts
 * export const { handle, signIn, signOut } = SvelteKitAuth({ providers: [github()], protect: ["/members/*"] });
 * // src/hooks.server.ts: export { handle } from "./auth";
 * ```
 *
 * @module
 */
import type { AuthConfig } from "../src/contract/config.ts";
import type { FieldsByIdOf, SessionOf, TokenOf } from "../src/contract/infer.ts";
import { hostsAt } from "./host/host.ts";
import {
  sourceOf,
  type SvelteKitAuthOptions,
  type SvelteKitAuthResult,
  type SvelteKitAuthSource,
  svelteKitAuthWith,
  type SvelteKitEvent,
  type SvelteKitParts,
  type SvelteKitSourceOf,
  visitOf,
} from "./host/sveltekit.ts";
import type { Adapter, JWT, ProviderInput, Session, Strategy } from "./host/types.ts";

export { customFetch } from "../src/contract/provider.ts";
export { AuthError, CredentialsSignin } from "../src/errors.ts";
export type { SvelteKitAuthOptions, SvelteKitAuthResult, SvelteKitAuthSource, SvelteKitEvent, SvelteKitSourceOf };
export type {
  SvelteKitLocals,
  SvelteKitRequestEvent,
  SvelteKitSessionOf,
  SvelteKitSignIn,
  SvelteKitSignOut,
} from "./host/sveltekit.ts";
export type * from "./host/public.ts";

/** The configuration for SvelteKit. */
export type SvelteKitAuthConfig = AuthConfig;

const hostOf = hostsAt({ basePath: "/auth", framework: "sveltekit" });

/**
 * Makes the service for SvelteKit.
 *
 * @param config The configuration, or a function that chooses one for each event.
 * @param options What the service has to know of SvelteKit.
 */
export function SvelteKitAuth<
  const P extends readonly ProviderInput<Id>[],
  T extends JWT,
  S extends Session,
  Id extends string,
  N extends Strategy | undefined = never,
  A extends Adapter | undefined = never,
>(
  config: SvelteKitSourceOf<P, T, S, N, A>,
  options?: SvelteKitAuthOptions,
): SvelteKitAuthResult<SessionOf<S>, FieldsByIdOf<P>, TokenOf<T>>;
export function SvelteKitAuth(
  config: SvelteKitAuthSource,
  options?: SvelteKitAuthOptions,
): Omit<SvelteKitAuthResult, "$infer"> {
  return svelteKitAuthWith(hostOf(sourceOf(config)), loadParts, options);
}

/**
 * Reads the session of a request. It is not renewed: that is what `handle` is for.
 *
 * @param event The event, or its request.
 * @param config The same object that `SvelteKitAuth` got.
 * @returns The session, or `null` if nobody is signed in or the session cannot be read.
 */
export function getSession<S extends Session = Session>(
  event: SvelteKitEvent | Request,
  config: SvelteKitSourceOf<readonly ProviderInput[], JWT, S>,
): Promise<SessionOf<S> | null>;
export async function getSession(
  event: SvelteKitEvent | Request,
  config: SvelteKitAuthSource,
): Promise<Session | null> {
  return (await hostOf(sourceOf(config)).read("request" in event ? visitOf(event) : event)).session;
}

async function loadParts(): Promise<SvelteKitParts> {
  // @ts-ignore: SvelteKit is installed where this runs
  const { error, redirect } = await import("@sveltejs/kit");
  return { error, redirect };
}
