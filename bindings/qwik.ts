/**
 * The binding for Qwik City.
 *
 * @example Usage
 * ```ts ignore
 * import { serverAuth$ } from "@x/auth/qwik";
 * import { github } from "@x/auth/providers/github";
 *
 * // src/routes/plugin@auth.ts
 * export const { onRequest, useSession, useSignIn, useSignOut } = serverAuth$(() => ({
 *   providers: [github()],
 *   protect: ["/members/*"],
 * }));
 * ```
 *
 * @module
 */
// @ts-ignore: Deno has no types for Qwik, which only sites of Qwik install; their editors and compilers do
import { isServer } from "@builder.io/qwik/build";
// @ts-ignore: Deno has no types for Qwik City either; the editors and compilers of sites that have it do
import {
  type Action,
  globalActionQrl,
  type Loader,
  type RequestEventCommon,
  routeLoaderQrl,
} from "@builder.io/qwik-city";
import type { AuthConfig } from "../src/contract/config.ts";
import type { ConfigOf, FieldsByIdOf, SessionOf, TokenOf } from "../src/contract/infer.ts";
import type { IdIn, SessionPatch, SomeId } from "../src/kernel/inferred.ts";
import type { RequireOptions } from "../src/service/require.ts";
import type { AuthorizationParams, SentForm, SignInOptionsOf, SignOutOptions } from "./host/host.ts";
import { qwik } from "./host/lazy.ts";
import type { QwikEvent, QwikFailure, QwikServer } from "./host/qwik.ts";
import type { FieldsById, JWT, ProviderInput, Session, Typed } from "./host/types.ts";

export { raw } from "../src/contract/config.ts";
export type { QwikEvent, QwikFailure };
export type * from "./host/public.ts";

/** The configuration for Qwik. `raw` changes nothing: the binding takes answers apart in any case. */
export type QwikAuthConfig = AuthConfig;

/**
 * Gives the configuration. A function without parameters is called once. Any other is called for each request, with the
 * event, whose `env` has the variables of the platform.
 */
export type QwikAuthSource = (event: RequestEventCommon) => QwikAuthConfig | Promise<QwikAuthConfig>;

/** {@linkcode QwikAuthSource} that types are inferred from. */
export type QwikSourceOf<P, T, S> = (event: RequestEventCommon) => ConfigOf<P, T, S> | Promise<ConfigOf<P, T, S>>;

/** What the form of `useSignIn` has. */
export interface QwikSignIn<Id extends string = string> {
  /** The id of the provider. Without it the visitor chooses on the sign-in page. */
  readonly providerId?: Id | undefined;
  /** Where the browser goes afterwards. @default the current page */
  readonly redirectTo?: string | undefined;
  /** The fields of the provider, such as `email` or `password`. In a form: `options.email`. */
  readonly options?: Readonly<Record<string, string | undefined>> | undefined;
  /** Parameters for the provider's authorization endpoint. In a form: `authorizationParams.prompt`. */
  readonly authorizationParams?: string | Readonly<Record<string, string>> | undefined;
}

/** What the form of `useSignOut` has. */
export interface QwikSignOut {
  /** Where the browser goes afterwards. @default the current page */
  readonly redirectTo?: string | undefined;
}

/** The service for Qwik. Export the first four from a file `plugin@….ts` or a layout. */
export interface QwikAuthResult<S = Session, F = FieldsById, T = JWT> extends Typed<S, F, T> {
  /**
   * Answers the paths of the service. For all others it reads the session, renews it, and denies what `protect` and
   * `callbacks.authorized` do not allow. Handlers find the session in `sharedMap.get("session")`.
   */
  readonly onRequest: (event: RequestEventCommon) => Promise<void>;
  /** Gives the session to a component; `null` if nobody is signed in. */
  readonly useSession: Loader<S | null>;
  /** Signs in by a form. A wrong password is the value `{ failed: true, error: "CredentialsSignin" }`, status 401. */
  readonly useSignIn: Action<QwikFailure, QwikSignIn<keyof F & string>>;
  /** Signs out by a form. */
  readonly useSignOut: Action<QwikFailure, QwikSignOut>;
  /**
   * Gives the session in a loader, an action or a handler if its sign-in does. Otherwise it throws what Qwik City makes an
   * answer of: a redirect for a page, 401 for anything else.
   *
   * @throws {AuthError} if it cannot be determined who is signed in: `SessionTokenError` while storage fails.
   */
  readonly require: (event: RequestEventCommon, options?: RequireOptions) => Promise<S>;
  /**
   * Signs in from a handler or an action of yours, and redirects. With `redirect: false` it sets the cookies and gives the
   * URL.
   *
   * @throws {AuthError} if it fails, `MissingCSRF` if another site sent the request.
   */
  readonly signIn: <Id extends SomeId<F> = keyof F & string>(
    event: RequestEventCommon,
    provider?: IdIn<F, Id>,
    options?: SignInOptionsOf<F, Id> | SentForm,
    params?: AuthorizationParams,
  ) => Promise<string>;
  /** Signs out from a handler or an action of yours, and redirects. With `redirect: false` it gives the URL. */
  readonly signOut: (event: RequestEventCommon, options?: SignOutOptions) => Promise<string>;
  /** Changes the session. `callbacks.jwt` gets `patch` as `session`. */
  readonly update: (event: RequestEventCommon, patch: SessionPatch<S>) => Promise<S | null>;
  /**
   * Checks the service before the first request: its configuration, its storage, and the metadata of its providers.
   * Warnings are logged. Call it on the server, when it starts.
   *
   * @param event An event, if the function of the configuration takes it. With an event its host is checked, too.
   * @throws {InvalidConfig} if anything is wrong. `problems` lists all of it, and the message has a line for each.
   */
  readonly check: (event?: RequestEventCommon) => Promise<void>;
}

/**
 * Makes the service for Qwik. The function stays on the server: the optimizer of Qwik strips from the files for browsers
 * what is given to functions whose name begins with `server`.
 *
 * @param config Gives the configuration. Import or create inside it everything that must stay on the server.
 */
export function serverAuth$<
  const P extends readonly ProviderInput<Id>[],
  T extends JWT,
  S extends Session,
  Id extends string,
>(config: QwikSourceOf<P, T, S>): QwikAuthResult<SessionOf<S>, FieldsByIdOf<P>, TokenOf<T>> {
  return serverAuthQrl(config);
}

/**
 * Makes the service for Qwik, with a function that browsers can load.
 *
 * > [!WARNING]
 * > The optimizer of Qwik writes the function into the files for browsers, with every secret that stands in it. Use
 * > {@linkcode serverAuth$}. The log has the warning `config-in-browser`.
 *
 * @param config Gives the configuration. It must hold nothing secret: secrets are in the environment.
 */
export function QwikAuth$<
  const P extends readonly ProviderInput<Id>[],
  T extends JWT,
  S extends Session,
  Id extends string,
>(config: QwikSourceOf<P, T, S>): QwikAuthResult<SessionOf<S>, FieldsByIdOf<P>, TokenOf<T>> {
  return QwikAuthQrl(config);
}

/** What the optimizer of Qwik makes of {@linkcode serverAuth$}. */
export function serverAuthQrl<
  const P extends readonly ProviderInput<Id>[],
  T extends JWT,
  S extends Session,
  Id extends string,
>(config: QwikSourceOf<P, T, S>): QwikAuthResult<SessionOf<S>, FieldsByIdOf<P>, TokenOf<T>>;
export function serverAuthQrl(config: QwikAuthSource): Omit<QwikAuthResult, "$infer"> {
  return makeAuth(config, false);
}

/** What the optimizer of Qwik makes of {@linkcode QwikAuth$}. */
export function QwikAuthQrl<
  const P extends readonly ProviderInput<Id>[],
  T extends JWT,
  S extends Session,
  Id extends string,
>(config: QwikSourceOf<P, T, S>): QwikAuthResult<SessionOf<S>, FieldsByIdOf<P>, TokenOf<T>>;
export function QwikAuthQrl(config: QwikAuthSource): Omit<QwikAuthResult, "$infer"> {
  return makeAuth(config, true);
}

/**
 * Reads the session of a request. It is not renewed: that is what `onRequest` is for.
 *
 * @param request The request, or its event.
 * @param config The same object each time: the service is made once for it.
 * @returns The session, or `null` if nobody is signed in or the session cannot be read.
 */
export function getSession<S extends Session = Session>(
  request: Request | RequestEventCommon,
  config: ConfigOf<readonly ProviderInput[], JWT, S>,
): Promise<SessionOf<S> | null>;
export async function getSession(
  request: Request | RequestEventCommon,
  config: QwikAuthConfig,
): Promise<Session | null> {
  return await (await loadServer()).readSession(request, config);
}

// The ids come from what the optimizer made of the function, so browsers and the server have the same ones.
function makeAuth(config: QwikAuthSource & { getHash?(): string }, isShipped: boolean): Omit<QwikAuthResult, "$infer"> {
  const id = config.getHash?.() ?? "auth";
  let opened: Promise<QwikServer> | undefined;
  const server = () => opened ??= loadServer().then(({ openQwik }) => openQwik(config, isShipped));
  const act = (name: string, run: (data: unknown, event: QwikEvent) => unknown) =>
    globalActionQrl(asQrl(run, `${id}_${name}`), { id: `${id}_${name}` });
  const sessionOf = async (event: QwikEvent) => await (await server()).sessionOf(event);
  return {
    onRequest: async (event) => await (await server()).onRequest(event),
    useSession: routeLoaderQrl(asQrl(sessionOf, `${id}_session`), { id: `${id}_session` }),
    useSignIn: act("in", async (data, event) => await (await server()).enter(event, data)),
    useSignOut: act("out", async (data, event) => await (await server()).leave(event, data)),
    require: async (event, options) => await (await server()).require(event, options),
    signIn: async (event, ...rest) => await (await server()).signIn(event, ...rest),
    signOut: async (event, options) => await (await server()).signOut(event, options),
    update: async (event, patch) => await (await server()).update(event, patch),
    check: async (event) => await (await server()).check(event),
  };
}

// Qwik asks a function for its name, and calls it only on the server.
function asQrl<F extends object>(run: F, name: string): F {
  return Object.assign(run, { getSymbol: () => name, getHash: () => name });
}

// The bundler sees that this always throws in a browser, so files for browsers contain nothing of the service.
async function loadServer(): ReturnType<typeof qwik> {
  if (isServer) return await qwik();
  throw new TypeError("Cannot run in a browser: the service is on the server");
}
