"use client";
/**
 * The session in React: a provider, a hook, and the functions of `next-auth/react`.
 *
 * @example Usage
 * ```tsx ignore
 * import { SessionProvider, useSession } from "@x/auth/react";
 *
 * export function App({ session }) {
 *   return <SessionProvider session={session}><Greeting /></SessionProvider>;
 * }
 *
 * function Greeting() {
 *   const { data, status } = useSession();
 *   return <p>{status === "authenticated" ? `Hello ${data.user?.name}` : "Hello"}</p>;
 * }
 * ```
 *
 * @module
 */
// @ts-types="@types/react"
import {
  createContext,
  createElement,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";
import type { SessionIn } from "../src/kernel/inferred.ts";
import type { Session, User } from "../src/kernel/model.ts";
import { signInAt, updateAt } from "./core/act.ts";
import { refresh, seed, subscribe } from "./core/channel.ts";
import { type Connection, type SessionState, stateOf } from "./core/connection.ts";
import { mount } from "./core/mounted.ts";
import type { Refetching } from "./core/refetch.ts";
import type { UpdateResult } from "./core/results.ts";

export { getCsrfToken, getProviders, getSession, signIn, signOut } from "./core/authjs.ts";
export type {
  AuthorizationParams,
  AuthResult,
  ClientOptions,
  Providers,
  SignInOptions,
  SignInResponse,
  SignOutOptions,
  SignOutResponse,
} from "./core/authjs.ts";
export type { Refetching, Session, SessionState, UpdateResult, User };

// The sign-in page says why somebody is there.
const REQUIRED = "error=SessionRequired";

const refetching = () => import("./core/refetch.ts");

/** Properties of {@linkcode SessionProvider}. */
export interface SessionProviderProps extends Refetching {
  /** What is shown. */
  readonly children?: ReactNode;
  /**
   * The session that the server has read for this page: the first rendering shows it, and nothing is asked. Leave it out if
   * you do not know it; `null` means that nobody is signed in.
   */
  readonly session?: Session | null | undefined;
  /** Where the service is mounted on this origin. @default {"/auth"} */
  readonly basePath?: string | undefined;
}

/** Options of {@linkcode useSession}. */
export interface UseSessionOptions {
  /** Whether somebody who is not signed in goes to the sign-in page. @default {false} */
  readonly required?: boolean | undefined;
  /** Called with `required`, in place of going to the sign-in page. */
  readonly onUnauthenticated?: (() => void) | undefined;
}

/** What {@linkcode useSession} gives. `data` is `undefined` while the session is not known. */
export type UseSession<S = Session> =
  & (
    | { readonly status: "loading"; readonly data: undefined }
    | { readonly status: "authenticated"; readonly data: S }
    | { readonly status: "unauthenticated"; readonly data: null }
  )
  & {
    /** Whether the last question got no usable answer: the rest is what was known before. */
    readonly failed: boolean;
    /** Changes the session: the service gives `data` to the `jwt` or `session` callback. */
    update(data?: unknown): Promise<UpdateResult<S>>;
    /** Asks the service who is signed in. */
    refresh(): Promise<void>;
  };

interface Shared {
  readonly connection: Connection;
  readonly subscribe: (listener: () => void) => () => void;
  readonly read: () => SessionState;
  /** What the server has rendered. */
  readonly first: () => SessionState;
}

const Shared = createContext<Shared | null>(null);

/** Gives a session to all components in it. */
export function SessionProvider(
  { children, session, basePath, ...when }: SessionProviderProps,
): ReactNode {
  const [shared] = useState(() => share(session, basePath));
  // A server that renders this page again has read the session again. Whether that is newer than what is known here, only
  // the service can say.
  const text = JSON.stringify(session);
  const [seen] = useState({ text });
  useEffect(() => {
    if (seen.text !== text) refresh(shared.connection);
    seen.text = text;
  }, [text]);
  const wish = JSON.stringify(when);
  useEffect(() => {
    if (wish === "{}") return;
    const stop = refetching().then(({ refetch }) => refetch(shared.connection, when, refresh));
    return () => void stop.then((end) => end());
  }, [wish]);
  return createElement(Shared, { value: shared }, children);
}

function share(session?: Session | null, basePath?: string): Shared {
  const connection = seed(mount(basePath), session);
  const first = stateOf(session);
  return {
    connection,
    subscribe: (listener) => subscribe(connection, listener),
    read: () => connection.state,
    first: () => first,
  };
}

/**
 * Gives the session to a component, which is rendered again when it changes. Without a {@linkcode SessionProvider} it is
 * that of the service at `/auth`.
 *
 * @typeParam Service `typeof auth` of the server, or the type of a session.
 */
export function useSession<Service = Session>(
  options: UseSessionOptions & { readonly required: true },
): Exclude<UseSession<SessionIn<Service>>, { readonly status: "unauthenticated" }>;
/** Gives the session to a component, whoever is there. */
export function useSession<Service = Session>(options?: UseSessionOptions): UseSession<SessionIn<Service>>;
export function useSession({ required = false, onUnauthenticated }: UseSessionOptions = {}): UseSession {
  const given = useContext(Shared);
  const [{ connection, subscribe, read, first }] = useState(() => given ?? share());
  const state = useSyncExternalStore(subscribe, read, first);
  const isMissing = required && state.status === "unauthenticated";
  const mustLeave = isMissing && !state.failed;
  useEffect(() => {
    if (mustLeave) onUnauthenticated ? onUnauthenticated() : signInAt(connection, undefined, {}, REQUIRED);
  }, [mustLeave]);
  return {
    // The page is about to be left.
    ...(isMissing ? { status: "loading", data: undefined } : { status: state.status, data: state.session }),
    failed: state.failed,
    update: (data) => updateAt(connection, data),
    refresh: () => refresh(connection),
  } as UseSession;
}
