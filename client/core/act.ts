/**
 * What a page does with the session. The code for it is loaded when it is first wanted.
 *
 * @module
 */
import type { FieldsIn } from "../../src/kernel/inferred.ts";
import type { Session } from "../../src/kernel/model.ts";
import { announce, changed, channelOf, learn, POPUP } from "./channel.ts";
import { ask, type Connection, type Providers, read } from "./connection.ts";
import type { Page } from "./forms.ts";

/** How somebody is signed in, and where. */
export interface SignInTarget {
  /** Where the service is mounted on this origin. @default {"/auth"} */
  readonly basePath?: string | undefined;
  /** Whether the browser goes where the service says, also to the page that shows an error. @default {true} */
  readonly redirect?: boolean | undefined;
  /**
   * Where the person goes afterwards. @default `callbackUrl` in the address of this page, where the service has sent
   * somebody who has to sign in; or else this page
   */
  readonly redirectTo?: string | undefined;
  /** `popup` shows the provider in a window of its own, and this page stays. */
  readonly mode?: "popup" | undefined;
  /** Whether passkeys are offered in a field with `autocomplete="username webauthn"`, instead of at once. */
  readonly conditional?: boolean | undefined;
  /** `register` creates a passkey. @default {"authenticate"} */
  readonly action?: "authenticate" | "register" | undefined;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@linkcode signIn}. */
export interface SignInOptions extends SignInTarget {
  /** Every other member is a field of the form, such as `email` or `password`. */
  readonly [field: string]: unknown;
}

/** Options of {@linkcode signIn} for a provider of a service. */
export type SignInOptionsOf<F, Id extends string> = FieldsIn<F, Id> & SignInTarget;

/** Options of {@linkcode signOut}. */
export interface SignOutOptions {
  /** Where the service is mounted on this origin. @default {"/auth"} */
  readonly basePath?: string | undefined;
  /** Whether the browser goes where the service says. @default {true} */
  readonly redirect?: boolean | undefined;
  /** Where the person goes afterwards. @default this page */
  readonly redirectTo?: string | undefined;
}

/** Parameters for the provider's authorization endpoint, such as `prompt` or `login_hint`. */
export type AuthorizationParams = ConstructorParameters<typeof URLSearchParams>[0];

/** What became of a sign-in or a sign-out. */
export type AuthResult =
  | {
    readonly ok: true;
    /** Where to go next: the page that was asked for, a provider, or the page that says to check the email. */
    readonly url: string;
  }
  | Failure;

/** Why nothing happened. */
export interface Failure {
  /** It failed. */
  readonly ok: false;
  /**
   * What went wrong: an error of the service such as `CredentialsSignin` or `AccessDenied`, or one of the client.
   *
   * - `Unreachable`: the service cannot be reached, or something else answers in its place.
   * - `Refused`: the service refuses the request; `status` says why.
   * - `Cancelled`: the person did not go on, or `signal` was aborted.
   * - `SessionRequired`: nobody is signed in, so there is no session to change; or, by the service, the sign-in is too long
   *   ago to add a passkey.
   * - `UnknownProvider`: the service has no provider with this id.
   * - `PopupBlocked`, `PopupClosed`: the browser opened no popup, or it was closed before somebody was signed in.
   * - `Unsupported`: this browser has no passkeys, or cannot offer them in a field.
   * - The name of any other error that the browser throws for a passkey, such as `InvalidStateError`: this device has a
   *   passkey here already.
   */
  readonly error: string;
  /** The `code` of a `CredentialsSignin` that `authorize` threw. */
  readonly code?: string | undefined;
  /** The HTTP status of the answer; `0` without one. */
  readonly status: number;
}

/** What became of a change to the session. */
export type UpdateResult<S = Session> = { readonly ok: true; readonly session: S } | Failure;

/** Lists the providers. They are asked for once a page. @throws {Error} if the service cannot be reached. */
export async function readProviders(connection: Connection, signal?: AbortSignal): Promise<Providers> {
  return connection.providers ??= await read(connection, "providers", signal) as Providers;
}

/** Signs somebody in. */
export async function signInAt(
  connection: Connection,
  id?: string,
  options: SignInOptions = {},
  params?: AuthorizationParams,
): Promise<AuthResult> {
  const { mode, signal } = options;
  // Before anything is waited for: a browser opens no window unless somebody has just clicked.
  const popup = mode && connection.browser.open("about:blank", "", "popup,width=500,height=700");
  if (popup === null) return failure("PopupBlocked");
  const result = await attempt(async () => {
    const { signIn } = await import("./forms.ts");
    const providers = id ? await readProviders(connection, signal) : {};
    return await signIn(pageOf(connection), id, { options, params, popup, providers });
  }, signal);
  popup?.close();
  return result;
}

/** Tells authenticators which passkeys there are. */
export async function syncPasskeysAt(connection: Connection, id: string, signal?: AbortSignal): Promise<boolean> {
  const { signalPasskeys } = await import("./passkeys.ts");
  return await signalPasskeys(connection.browser, id, (path) => ask(connection, path, signal));
}

/** Signs out. */
export function signOutAt(connection: Connection, options?: SignOutOptions): Promise<AuthResult> {
  return attempt(async () => {
    const { signOut } = await import("./forms.ts");
    return await signOut(pageOf(connection), options);
  });
}

/** Changes the session: the service gives `data` to a callback. */
export function updateAt(connection: Connection, data: unknown): Promise<UpdateResult> {
  return attempt(async () => {
    const { update } = await import("./forms.ts");
    return await update(pageOf(connection), data);
  });
}

// Handed over, not imported: bundlers would split off what two modules import, and every page would load more of it.
function pageOf(connection: Connection): Page {
  return { connection, ask, announce, changed, channelOf, learn, POPUP };
}

async function attempt<T>(run: () => Promise<T>, signal?: AbortSignal): Promise<T | Failure> {
  try {
    return await run();
  } catch {
    return failure(signal?.aborted ? "Cancelled" : "Unreachable");
  }
}

function failure(error: string): Failure {
  return { ok: false, error, status: 0 };
}
