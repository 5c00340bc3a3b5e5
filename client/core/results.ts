/**
 * What the functions of a client take, and what they give.
 *
 * @module
 */
import type { FieldsIn } from "../../src/kernel/inferred.ts";
import type { ChallengeView } from "../../src/kernel/challenge_view.ts";
import type { Session } from "../../src/kernel/model.ts";

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
  /** The former name of `redirectTo`. */
  readonly callbackUrl?: string | undefined;
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
  /** The former name of `redirectTo`. */
  readonly callbackUrl?: string | undefined;
}

/** Parameters for the provider's authorization endpoint, such as `prompt` or `login_hint`. */
export type AuthorizationParams = ConstructorParameters<typeof URLSearchParams>[0];

/** What became of a sign-in or a sign-out. */
export type AuthResult =
  | {
    readonly ok: true;
    /** Where to go next: the page that was asked for, a provider, or the page that says to check the email. */
    readonly url: string;
    /** Whether a second proof is asked for: go to `url`, or ask for it on this page, with `secondFactor`. @default {false} */
    readonly challenged?: boolean | undefined;
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
   * - `TooManyAttempts`, by the service: there were too many attempts, and the built-in challenge could not be solved, or did
   *   not help. The members below say what does.
   * - `UnknownProvider`: the service has no provider with this id.
   * - `UnknownMethod`: the person has no passkey to prove it with.
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
  /** Of `TooManyAttempts`: seconds until another attempt is judged. */
  readonly retryAfter?: number | undefined;
  /** Of `TooManyAttempts`: ways that are open at once, such as `challenge`, `email` or `passkey`. */
  readonly ways?: readonly string[] | undefined;
  /**
   * Of `TooManyAttempts`: a challenge of another service. Show its `widget`, and sign in again with its answer as one more
   * field, such as `cf-turnstile-response`.
   */
  readonly challenge?: ChallengeView | undefined;
}

/** What became of a change to the session. */
export type UpdateResult<S = Session> = { readonly ok: true; readonly session: S } | Failure;
