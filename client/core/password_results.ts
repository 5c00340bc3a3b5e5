/**
 * What the functions for passwords take, and what they give.
 *
 * @module
 */
import type { AuthResult, Failure } from "./results.ts";

/** Options of what asks the service for something of passwords. */
export interface PasswordOptions {
  /** Where the service is mounted on this origin. @default {"/auth"} */
  readonly basePath?: string | undefined;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of what leads somewhere. */
export interface PasswordFormOptions extends PasswordOptions {
  /** Whether the browser goes on once it is done. @default {true} */
  readonly redirect?: boolean | undefined;
  /** Where the person goes in the end. @default `callbackUrl` in the address of this page, or the home page */
  readonly redirectTo?: string | undefined;
  /** What the widget of another service gives, such as `cf-turnstile-response`. */
  readonly [field: string]: unknown;
}

/** Options of `password.signUp()`. */
export interface SignUpOptions extends PasswordFormOptions {
  /** The address, to which the email is sent. */
  readonly email: string;
  /** The password. */
  readonly password: string;
  /** The name of the new user. */
  readonly name?: string | undefined;
}

/** Options of `password.requestReset()`. */
export interface RequestResetOptions extends PasswordFormOptions {
  /** The address, to which the email is sent. */
  readonly email: string;
}

/** Options of `password.reset()` and `password.claim()`. */
export interface ChoosePasswordOptions extends PasswordFormOptions {
  /** `email` in the address that the link led to. */
  readonly email: string;
  /** `token` in the address that the link led to. */
  readonly token: string;
  /** The new password. */
  readonly password: string;
}

/** Options of `password.set()` and `password.remove()`. */
export interface ChangePasswordOptions extends PasswordOptions {
  /** What the widget of another service gives, such as `cf-turnstile-response`. */
  readonly [field: string]: unknown;
}

/** Options of `password.set()`. */
export interface SetPasswordOptions extends ChangePasswordOptions {
  /** The new password. */
  readonly password: string;
}

/** The password of the person who is signed in. */
export interface PasswordState {
  /** The address that it belongs to. */
  readonly email: string;
  /** Whether there is one. */
  readonly isSet: boolean;
  /** Whether it may be removed, because there is another way in. */
  readonly canRemove: boolean;
  /** The fewest and the most characters of a new one. */
  readonly length: { readonly min: number; readonly max: number };
}

/** Why nothing was sent, set or removed. */
export interface PasswordFailure extends Failure {
  /**
   * What did not work.
   *
   * - `email`: that is no address.
   * - `short`, `long`: `length` says how long a password is.
   * - `common`, `breached`: many people use it, or it has leaked.
   * - `reused`: it is the one that is to be replaced.
   * - `too-many`: there were too many attempts, and the built-in challenge did not help.
   * - `busy`: the service has too much to do. Try again after `retryAfter` seconds.
   */
  readonly problem?: "email" | "short" | "long" | "common" | "breached" | "reused" | "too-many" | "busy" | undefined;
  /** The fewest and the most characters. */
  readonly length?: { readonly min: number; readonly max: number } | undefined;
  /** The page that helps: of `SessionRequired` and `StepUpRequired` where to prove who it is. */
  readonly url?: string | undefined;
}

/** What became of a form about a password. */
export type PasswordResult = Extract<AuthResult, { readonly ok: true }> | PasswordFailure;

/** What is known of the password of the person. */
export type PasswordStateResult = { readonly ok: true; readonly state: PasswordState } | PasswordFailure;

/** What a page of your own needs for passwords. */
export interface PasswordClient {
  /** Sends the email with which somebody registers. The answer is the same for every address. */
  signUp(options: SignUpOptions): Promise<PasswordResult>;
  /** Sends the email with which somebody chooses a new password. The answer is the same for every address. */
  requestReset(options: RequestResetOptions): Promise<PasswordResult>;
  /** Sets the password with the link of that email, ends all sessions and signs in. */
  reset(options: ChoosePasswordOptions): Promise<PasswordResult>;
  /** Registers with the link of an email that was opened in another browser, with a password of their own, and signs in. */
  claim(options: ChoosePasswordOptions): Promise<PasswordResult>;
  /** Reads the state of the password of the person who is signed in. */
  state(options?: PasswordOptions): Promise<PasswordStateResult>;
  /** Sets or changes the password of the person who is signed in, and ends their other sessions. */
  set(options: SetPasswordOptions): Promise<PasswordResult>;
  /** Removes it, if there is another way in, and ends their other sessions. */
  remove(options?: ChangePasswordOptions): Promise<PasswordResult>;
}
