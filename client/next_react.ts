"use client";
/**
 * What `next-auth/react` has, for a service at `/api/auth`, which is the path of the binding for Next.
 *
 * @example Usage
 * ```tsx ignore
 * import { SessionProvider, signIn, useSession } from "@x/auth/next-react";
 *
 * export function App({ session }) {
 *   return <SessionProvider session={session}><Greeting /></SessionProvider>;
 * }
 *
 * function Greeting() {
 *   const { data } = useSession();
 *   return data ? <p>Hello {data.user?.name}</p> : <button onClick={() => signIn("github")}>Sign in</button>;
 * }
 * ```
 *
 * @module
 */
// @ts-types="@types/react"
import { createElement, type ReactNode } from "react";
import type { Session } from "../src/kernel/model.ts";
import * as authjs from "./core/authjs.ts";
import type { SignInResponse, SignOutResponse } from "./core/authjs.ts";
import type { ClientOptions, Providers } from "./core/connection.ts";
import type { AuthorizationParams, SignInOptions, SignOutOptions } from "./core/results.ts";
import { SessionProvider as Provider, type SessionProviderProps, type UseSession } from "./react.ts";

export { useSession } from "./react.ts";
export type * from "./core/authjs.ts";
export type {
  Refetching,
  SessionProviderProps,
  SessionState,
  UpdateResult,
  UseSession,
  UseSessionOptions,
} from "./react.ts";

/** What `useSession` gives, by the name that it has in `next-auth/react`. With `true` somebody is required. */
export type SessionContextValue<R extends boolean = false> = R extends true
  ? Exclude<UseSession, { readonly status: "unauthenticated" }>
  : UseSession;

/** `update` of `useSession`, by the name that it has in `next-auth/react`. */
export type UpdateSession = UseSession["update"];

/** The options of {@linkcode signOut}, by the name that they have in `next-auth/react`. */
export type SignOutParams = SignOutOptions;

const NEXT: ClientOptions = { basePath: "/api/auth" };

/** Gives a session to all components in it. The service is at `/api/auth`, or at `basePath`. */
export function SessionProvider(props: SessionProviderProps): ReactNode {
  return createElement(Provider, { ...NEXT, ...props });
}

/** Signs somebody in: `signIn` of `@x/auth/react`. */
export function signIn(id?: string, options?: SignInOptions, params?: AuthorizationParams): Promise<SignInResponse> {
  return authjs.signIn(id, { ...NEXT, ...options }, params);
}

/** Signs out here and in the other tabs: `signOut` of `@x/auth/react`. */
export function signOut(options?: SignOutOptions): Promise<SignOutResponse> {
  return authjs.signOut({ ...NEXT, ...options });
}

/** Asks the service who is signed in. `null` if nobody is, or nobody answers. */
export function getSession(options?: ClientOptions): Promise<Session | null> {
  return authjs.getSession({ ...NEXT, ...options });
}

/** Gives the CSRF token, for a form of your own. Empty if nobody answers. */
export function getCsrfToken(options?: ClientOptions): Promise<string> {
  return authjs.getCsrfToken({ ...NEXT, ...options });
}

/** Lists the providers by id. `null` if nobody answers. */
export function getProviders(options?: ClientOptions): Promise<Providers | null> {
  return authjs.getProviders({ ...NEXT, ...options });
}
