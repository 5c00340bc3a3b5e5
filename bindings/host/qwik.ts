/**
 * What the binding for Qwik City does on the server. Files for browsers contain none of it.
 *
 * @module
 */
import type { AuthConfig } from "../../src/contract/config.ts";
import { AuthError } from "../../src/kernel/errors.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import type { SessionPatch } from "../../src/kernel/inferred.ts";
import type { Session } from "../../src/kernel/model.ts";
import { ERROR_ROUTES } from "../../src/request/error_routes.ts";
import type { RequireOptions } from "../../src/service/require.ts";
import {
  type AuthorizationParams,
  BY_URL,
  createHost,
  type HostOptions,
  hostsAt,
  type RedirectWithCookies,
  refusing,
  type SentForm,
  type SignInOptions,
  type SignOutOptions,
  withReading,
} from "./host.ts";
import {
  changeSession,
  eventOf,
  keepFromCaches,
  ownOf,
  pageOf,
  type QwikEvent,
  redirectTo,
  remember,
  SESSION,
  visitOf,
} from "./qwik_event.ts";

export type { QwikEvent };

/** What a form posted that did not succeed. */
export interface QwikFailure {
  readonly failed: true;
  /** Why, such as `CredentialsSignin`. */
  readonly error: string;
  /** What a `CredentialsSignin` of yours says more. */
  readonly code?: string | undefined;
}

/** The service on the server. */
export interface QwikServer {
  onRequest(event: QwikEvent): Promise<void>;
  /** @throws {TypeError} if `onRequest` has not run. */
  sessionOf(event: QwikEvent): Session | null;
  require(event: QwikEvent, options?: RequireOptions): Promise<Session>;
  signIn(
    event: QwikEvent,
    provider?: string,
    options?: SignInOptions | SentForm,
    params?: AuthorizationParams,
  ): Promise<string>;
  signOut(event: QwikEvent, options?: SignOutOptions): Promise<string>;
  update(event: QwikEvent, patch: SessionPatch<Session>): Promise<Session | null>;
  /** @throws {InvalidConfig} with all `problems`, if there is any. */
  check(event?: QwikEvent): Promise<void>;
  /** Does what the form of `useSignIn` wants. */
  enter(event: QwikEvent, input: unknown): Promise<QwikFailure | undefined>;
  /** Does what the form of `useSignOut` wants. */
  leave(event: QwikEvent, input: unknown): Promise<QwikFailure | undefined>;
}

/** Chooses a configuration by the event. */
export type QwikSource = (event: QwikEvent) => AuthConfig | Promise<AuthConfig>;

/** What the optimizer of Qwik makes of a function. It loads the function once it is called. */
export interface Qrl<F> {
  resolve?(): Promise<F>;
}

const AT: HostOptions = { basePath: "/auth", framework: "qwik" };

/**
 * Makes the service.
 *
 * @param config Gives the configuration.
 * @param isShipped Whether the optimizer writes the function into the files for browsers.
 */
export function openQwik(config: QwikSource & Qrl<QwikSource>, isShipped = false): QwikServer {
  const source = sourceOf(config, isShipped);
  const host = createHost(source, AT);
  const follow = async (event: QwikEvent, { to, cookies }: RedirectWithCookies, redirect: unknown): Promise<string> => {
    changeSession(event, (await host.read(visitOf(event))).session, cookies);
    return redirect === false ? to : redirectTo(event, to);
  };
  const server: QwikServer = {
    async onRequest(event) {
      const visit = visitOf(event);
      if (await host.isOwn(visit)) throw event.send(await host.answer(ownOf(visit, event.request)));
      const { method } = event.request;
      // A POST may sign the user out after the session was renewed.
      const { denied, ...reading } = await host.admit(visit, BY_URL, { renew: method === "GET" || method === "HEAD" });
      if (denied) throw event.send(withReading(denied, reading));
      event.sharedMap.set(SESSION, reading.session);
      remember(event, { visit, reading, isPrivate: false });
    },
    sessionOf(event) {
      const session = event.sharedMap.get(SESSION) as Session | null | undefined;
      if (session === undefined) throw new TypeError("Cannot read the session: export `onRequest` from a plugin");
      // Pages contain the session, and so does the data that the router requests, even if they allow caching.
      if (session) keepFromCaches(event);
      return session;
    },
    // Qwik City makes an answer of what is thrown.
    async require(event, options) {
      const session = await refusing(host.require(visitOf(event), options), (error) => event.send(error.response()));
      keepFromCaches(event);
      return session;
    },
    async signIn(event, provider, options, params) {
      const move = await host.signIn(visitOf(event), provider, options, params);
      return await follow(event, move, (options as SignInOptions | undefined)?.redirect);
    },
    signOut: async (event, options) => follow(event, await host.signOut(visitOf(event), options), options?.redirect),
    async update(event, patch) {
      const { session, cookies } = await host.update(visitOf(event), patch);
      changeSession(event, session, cookies);
      return session;
    },
    async check(event) {
      if (event || await takesEvent(config)) await host.check(event && visitOf(event));
      else await hostOf(await source()).check();
    },
    enter: (event, input) =>
      orFailure(event, () => {
        const { providerId, options, redirectTo, authorizationParams: params } = membersOf(input);
        const fields = textsOf({ redirectTo: textOf(redirectTo) ?? pageOf(event), ...membersOf(options) });
        const given = typeof params === "string" ? params : textsOf(membersOf(params));
        return server.signIn(event, textOf(providerId), fields, given);
      }),
    leave: (event, input) =>
      orFailure(
        event,
        () => server.signOut(event, { redirectTo: textOf(membersOf(input).redirectTo) ?? pageOf(event) }),
      ),
  };
  return server;
}

// A function without parameters gives one configuration for all requests: it is called once.
function sourceOf(
  config: QwikSource & Qrl<QwikSource>,
  isShipped: boolean,
): (request?: Request) => Promise<AuthConfig> {
  let only: Promise<AuthConfig> | undefined;
  // Without the optimizer the function is not sent to browsers.
  let warns = isShipped && config.resolve !== undefined;
  const choose = async (event: QwikEvent | undefined): Promise<AuthConfig> => {
    // Called directly: otherwise a function of the optimizer does not have the variables of its scope.
    // `check()` passes no event, unless the function takes one.
    const chosen = await config(event as QwikEvent);
    if (warns) createLogger(chosen).warn("config-in-browser", SHIPPED);
    warns = false;
    return chosen;
  };
  return async (request) => {
    if (only) return await only;
    const event = request && eventOf(request);
    if (await takesEvent(config)) return await choose(event);
    if (!only) {
      only = choose(event);
      only.catch(() => only = undefined);
    }
    return await only;
  };
}

async function takesEvent(config: QwikSource & Qrl<QwikSource>): Promise<boolean> {
  const { length } = await config.resolve?.() ?? config;
  return length > 0;
}

const SHIPPED =
  "the function that `QwikAuth$` gets is in the files for browsers, with every secret that is written in it: " +
  "use `serverAuth$` instead";

async function orFailure(event: QwikEvent, act: () => Promise<unknown>): Promise<QwikFailure | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    const { query, status } = ERROR_ROUTES[error.type];
    const { code } = error as { readonly code?: string };
    event.status(error.type === "CredentialsSignin" ? 401 : status);
    // Qwik would write the submitted form into the page, with the password.
    event.sharedMap.delete("@actionFormData");
    keepFromCaches(event);
    return { failed: true, error: query, ...(code !== undefined && { code }) };
  }
}

// The input comes from a visitor.
function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function textsOf(members: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(members).filter(([, value]) => ["string", "number", "boolean"].includes(typeof value));
  return Object.fromEntries(texts.map(([name, value]) => [name, String(value)]));
}

const hostOf = hostsAt(AT);

/** Reads the session of a request or an event with the service of a configuration, without renewal. */
export async function readSession(given: Request | QwikEvent, config: AuthConfig): Promise<Session | null> {
  return (await hostOf(config).read("sharedMap" in given ? visitOf(given) : given)).session;
}
