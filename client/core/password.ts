/**
 * Passwords. Loaded when something is first done with one.
 *
 * @module
 */
import type { Answer } from "./connection.ts";
import type { finish, isOk, Page, post, settle, solving } from "./forms.ts";
import type {
  ChangePasswordOptions,
  ChoosePasswordOptions,
  PasswordFailure,
  PasswordFormOptions,
  PasswordOptions,
  PasswordResult,
  PasswordStateResult,
  RequestResetOptions,
  SetPasswordOptions,
  SignUpOptions,
} from "./password_results.ts";

/** The page, and what it can do with forms. */
export interface PasswordPage extends Page {
  readonly finish: typeof finish;
  readonly isOk: typeof isOk;
  readonly post: typeof post;
  readonly settle: typeof settle;
  readonly solving: typeof solving;
}

/** Sends the email of a registration. */
export function signUp(page: PasswordPage, options: SignUpOptions): Promise<PasswordResult> {
  return send(page, "signup", options);
}

/** Sends the email for a new password. */
export function requestReset(page: PasswordPage, options: RequestResetOptions): Promise<PasswordResult> {
  return send(page, "reset", options);
}

/** Sets the password with the link of an email. */
export function reset(page: PasswordPage, options: ChoosePasswordOptions): Promise<PasswordResult> {
  return send(page, "reset", options, true);
}

/** Registers with the link of an email. */
export function claim(page: PasswordPage, options: ChoosePasswordOptions): Promise<PasswordResult> {
  return send(page, "signup", options, true);
}

/** Reads the state. */
export async function state(
  { connection, ask }: PasswordPage,
  { signal }: PasswordOptions = {},
): Promise<PasswordStateResult> {
  const answer = await ask(connection, "password", signal);
  const { email, purpose, canRemove, length } = answer.body ?? {};
  if (answer.status !== 200 || !length) return failureOf(answer);
  return { ok: true, state: { email, isSet: purpose === "change", canRemove, length } };
}

/** Sets or changes it. */
export function set(page: PasswordPage, options: SetPasswordOptions): Promise<PasswordResult> {
  return send(page, "password", { ...options, redirect: false }, true);
}

/** Removes it. */
export function remove(page: PasswordPage, options: ChangePasswordOptions = {}): Promise<PasswordResult> {
  return send(page, "password", { ...options, act: "remove", redirect: false }, true);
}

async function send(
  page: PasswordPage,
  path: string,
  { basePath: _, signal, redirect = true, redirectTo, ...fields }: PasswordFormOptions,
  changes = false,
): Promise<PasswordResult> {
  const { connection, finish, isOk, post, settle, solving } = page;
  const { href } = connection.browser.location;
  // Not this page: it may have the token of a link that works once.
  const target = redirectTo ?? new URL(href).searchParams.get("callbackUrl");
  const form = { ...fields, ...target && { callbackUrl: new URL(target, href).href } };
  const answer = await solving(page, signal, (solution) => post(page, path, { ...form, ...solution }, signal));
  if (!isOk(answer)) return failureOf(answer);
  return (changes ? await finish(page, answer, redirect) : settle(connection, answer, redirect)) as PasswordResult;
}

function failureOf({ status, error, body, url }: Answer): PasswordFailure {
  const { problem, length, retryAfter, ways, challenge } = body ?? {};
  return {
    ok: false,
    error: `${error ?? "Refused"}`,
    status,
    ...problem && { problem },
    ...length && { length },
    ...retryAfter && { retryAfter },
    ...ways && { ways, challenge },
    // What was typed is mended on this page.
    ...url && !problem && { url: url.href },
  };
}
