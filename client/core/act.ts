/**
 * Signing in and out, and changing the session. Most pages only read it, so the code for this is loaded on first use.
 *
 * A module that is loaded late imports nothing but types, and gets the functions it needs as arguments. Bundlers would
 * move what two modules import into a file of its own, and every page would load more.
 *
 * @module
 */
import type { ChallengeView } from "../../src/kernel/challenge_view.ts";
import { announce, changed, channelOf, learn, POPUP } from "./channel.ts";
import { ask, type ClientOptions, type Connection, type Providers, read } from "./connection.ts";
import type { Page } from "./forms.ts";
import type { PasswordPage } from "./password.ts";
import type { PasswordClient } from "./password_results.ts";
import type { FactorPage } from "./second_factor.ts";
import type { SecondFactorClient } from "./second_factor_results.ts";
import type {
  AuthorizationParams,
  AuthResult,
  Failure,
  SignInOptions,
  SignOutOptions,
  UpdateResult,
} from "./results.ts";

// Without `once()`: browsers keep modules themselves.
const forms = () => import("./forms.ts");
const passkeys = () => import("./passkeys.ts");
const challenges = () => import("./challenge.ts");
const secondFactors = () => import("./second_factor.ts");
const passwords = () => import("./password.ts");

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
  // Before the first `await`: a browser opens a window only right after a click.
  const popup = mode && connection.browser.open("about:blank", "", "popup,width=500,height=700");
  if (popup === null) return failure("PopupBlocked");
  const result = await attempt(connection, async ({ signIn }, page) => {
    const providers = id ? await readProviders(connection, signal) : {};
    return await signIn(page, id, { options, params, popup, providers });
  }, signal);
  popup?.close();
  return result;
}

/** Tells authenticators which passkeys there are. */
export async function syncPasskeysAt(connection: Connection, id: string, signal?: AbortSignal): Promise<boolean> {
  const { signalPasskeys } = await passkeys();
  return await signalPasskeys(connection.browser, id, (path) => ask(connection, path, signal));
}

/** Lets the browser make a passkey by itself. */
export async function upgradeAt(connection: Connection, id: string, signal?: AbortSignal): Promise<boolean> {
  const options = { action: "upgrade", redirect: false, signal } as unknown as SignInOptions;
  return (await signInAt(connection, id, options)).ok;
}

/** Solves a challenge. */
export async function solve(
  challenge: ChallengeView,
  signal?: AbortSignal,
): Promise<Readonly<Record<string, string>> | null> {
  return await (await challenges()).solve(challenge, signal);
}

/** Signs out. */
export function signOutAt(connection: Connection, options?: SignOutOptions): Promise<AuthResult> {
  return attempt(connection, ({ signOut }, page) => signOut(page, options));
}

/** Changes the session: the service gives `data` to a callback. */
export function updateAt(connection: Connection, data: unknown): Promise<UpdateResult> {
  return attempt(connection, ({ update }, page) => update(page, data));
}

/** Finds the service. */
export type Find = (options?: ClientOptions) => Connection;

/** Makes a function of one of a module that is loaded late. */
type Caller<Module, P> = <Args extends readonly unknown[], R>(
  pick: (late: Module) => (page: P, ...args: Args) => Promise<R>,
) => (...args: Args) => Promise<R | Failure>;

/** Makes functions of a module that is loaded late. Their last argument has the options. */
export function caller<Module, P>(find: Find, load: () => Promise<Module>): Caller<Module, P> {
  return <Args extends readonly unknown[], R>(pick: (late: Module) => (page: P, ...args: Args) => Promise<R>) =>
  (...args: Args): Promise<R | Failure> => {
    const options = args.at(-1) as (ClientOptions & { readonly signal?: AbortSignal | undefined }) | undefined;
    return attempt(find(options), async (late, page) => {
      return await pick(await load())({ ...page, ...late, passkeys } as P, ...args);
    }, options?.signal);
  };
}

/** Makes the functions for passwords. */
export function passwordOf(find: Find): PasswordClient {
  const call = caller<Awaited<ReturnType<typeof passwords>>, PasswordPage>(find, passwords);
  return {
    signUp: call((late) => late.signUp),
    requestReset: call((late) => late.requestReset),
    reset: call((late) => late.reset),
    claim: call((late) => late.claim),
    state: call((late) => late.state),
    set: call((late) => late.set),
    remove: call((late) => late.remove),
  };
}

/** Makes the functions for second factors. */
export function secondFactorOf(find: Find): SecondFactorClient {
  const call = caller<Awaited<ReturnType<typeof secondFactors>>, FactorPage>(find, secondFactors);
  return {
    challenge: call((late) => late.challenge),
    sendCode: call((late) => late.sendCode),
    prove: call((late) => late.prove),
    factors: call((late) => late.factors),
    change: call((late) => late.change),
  };
}

async function attempt<T>(
  connection: Connection,
  run: (late: Awaited<ReturnType<typeof forms>>, page: Page) => Promise<T>,
  signal?: AbortSignal,
): Promise<T | Failure> {
  try {
    return await run(await forms(), { connection, ask, announce, changed, channelOf, learn, solve, POPUP });
  } catch {
    return failure(signal?.aborted ? "Cancelled" : "Unreachable");
  }
}

function failure(error: string): Failure {
  return { ok: false, error, status: 0 };
}
