/**
 * Second factors. Loaded when one is first asked for.
 *
 * @module
 */
import type { Answer } from "./connection.ts";
import type { finish, isOk, Page, post, targetOf } from "./forms.ts";
import type { runCeremony } from "./passkeys.ts";
import type {
  ChallengeOptions,
  ChallengeResult,
  FactorChange,
  FactorsResult,
  ProofResult,
  ProveOptions,
  SecondFactorFailure,
  SecondFactorOptions,
} from "./second_factor_results.ts";

/** The page, and what it can do with forms and passkeys. */
export interface FactorPage extends Page {
  readonly finish: typeof finish;
  readonly isOk: typeof isOk;
  readonly post: typeof post;
  readonly targetOf: typeof targetOf;
  readonly passkeys: () => Promise<{ readonly runCeremony: typeof runCeremony }>;
}

/** Asks what is to be proven. */
export async function challenge(
  { connection, ask }: FactorPage,
  { method, signal }: ChallengeOptions = {},
): Promise<ChallengeResult> {
  return askedOf(await ask(connection, `challenge${method ? `?method=${method}` : ""}`, signal));
}

/** Sends a code by email. */
export async function sendCode(page: FactorPage, { signal }: SecondFactorOptions = {}): Promise<ChallengeResult> {
  return askedOf(await page.post(page, "challenge", { method: "email-code" }, signal));
}

function askedOf(answer: Answer): ChallengeResult {
  const { status, body } = answer;
  return status === 200 && body?.methods ? { ok: true, asked: body } : failureOf(answer);
}

/** Gives the proof. */
export async function prove(
  page: FactorPage,
  { method, code, trust, redirect = true, redirectTo, signal }: ProveOptions,
): Promise<ProofResult> {
  const { connection, ask, finish, isOk, post, targetOf, passkeys } = page;
  const { browser } = connection;
  const fields = { method, trust: trust ? "1" : undefined, callbackUrl: targetOf(browser, redirectTo).href };
  const send = (proof: object): Promise<Answer> => post(page, "challenge", { ...fields, ...proof }, signal);
  const get = async (): Promise<Answer> => {
    const answer = await ask(connection, `challenge?method=${method}`, signal);
    const { status, body } = answer;
    if (status !== 200) return answer;
    const options = body?.passkeyOptions;
    return options ? { status, body: { options } } : { status: 0, error: "UnknownMethod" };
  };
  const answer = method === "passkey"
    ? await (await passkeys()).runCeremony(browser, null, {
      fields: {},
      action: "authenticate",
      conditional: false,
      signal,
      get,
      send: ({ data }) => send({ data }),
    })
    : await send({ code: code ?? "" });
  // A page of its own stays where it is until it is right.
  return isOk(answer) ? await finish(page, answer, redirect) as ProofResult : failureOf(answer);
}

/** Reads the factors of the person. */
export async function factors(
  { connection, ask }: FactorPage,
  { signal }: SecondFactorOptions = {},
): Promise<FactorsResult> {
  return factorsOf(await ask(connection, "factors", signal));
}

/** Adds, names or removes one. */
export async function change(
  page: FactorPage,
  { keepSessions, ...fields }: FactorChange & { readonly keepSessions?: boolean },
  { signal }: SecondFactorOptions = {},
): Promise<FactorsResult> {
  const answer = await page.post(page, "factors", { ...fields, ...keepSessions && { keepSessions: "1" } }, signal);
  if (page.isOk(answer)) {
    const result = await page.finish(page, answer, false);
    return result.ok ? { ok: true, url: result.url } : result;
  }
  return factorsOf(answer);
}

function factorsOf(answer: Answer): FactorsResult {
  const { status, body } = answer;
  return status === 200 && body?.factors ? { ok: true, factors: body } : failureOf(answer);
}

function failureOf({ status, error, body, url }: Answer): SecondFactorFailure {
  const { problem, retryAfter, ways } = body ?? {};
  return {
    ok: false,
    error: `${error ?? problem ?? "Refused"}`,
    status,
    ...problem && { problem },
    ...ways && { retryAfter, ways },
    ...url && { url: url.href },
  };
}
