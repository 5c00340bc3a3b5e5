/**
 * Forms: signing in and out, and changing the session. Loaded when the first form is sent.
 *
 * @module
 */
import type { Answer, ask, Browser, Connection, Providers } from "./connection.ts";
import type { solve } from "./challenge.ts";
import type { announce, changed, channelOf, learn } from "./channel.ts";
import type {
  AuthorizationParams,
  AuthResult,
  Failure,
  SignInOptions,
  SignOutOptions,
  UpdateResult,
} from "./results.ts";

const passkeys = () => import("./passkeys.ts");
const popups = () => import("./popup.ts");

/** The page, and what it can do. */
export interface Page {
  readonly connection: Connection;
  readonly ask: typeof ask;
  readonly announce: typeof announce;
  readonly changed: typeof changed;
  readonly channelOf: typeof channelOf;
  readonly learn: typeof learn;
  readonly solve: typeof solve;
  readonly POPUP: string;
}

/** What {@linkcode signIn} needs. */
export interface SignInInput {
  readonly options: SignInOptions;
  readonly params: AuthorizationParams;
  /** A window for a provider. */
  readonly popup: Window | undefined;
  readonly providers: Providers;
}

/** Signs somebody in. */
export async function signIn(
  page: Page,
  id: string | undefined,
  { options, params, popup, providers }: SignInInput,
): Promise<AuthResult> {
  const { connection, ask, channelOf, POPUP } = page;
  const { browser } = connection;
  const {
    basePath: _,
    mode,
    redirect = !mode,
    callbackUrl,
    redirectTo = callbackUrl,
    conditional,
    action,
    signal,
    ...fields
  } = options;
  const here = addressOf(browser);
  const target = targetOf(browser, redirectTo);
  if (!id) {
    const query = new URLSearchParams(params);
    query.set("callbackUrl", target.href);
    const url = new URL(`${connection.basePath}/signin?${query}`, here);
    return settle(connection, { status: 200, url }, redirect);
  }
  const type = Object.hasOwn(providers, id) && providers[id]?.type;
  if (!type) return failure("UnknownProvider");
  let isHere = type === "credentials" || type === "webauthn";
  const path = `${isHere ? "callback" : "signin"}/${id}?${new URLSearchParams(params)}`;
  const get = (path: string): Promise<Answer> =>
    solving(
      page,
      signal,
      (solution) => ask(connection, `${path}${solution ? `&${new URLSearchParams(solution)}` : ""}`, signal),
    );
  const send = (more?: object, to = path): Promise<Answer> =>
    solving(
      page,
      signal,
      (solution) => post(page, to, { ...fields, callbackUrl: target.href, ...more, ...solution }, signal),
    );
  let answer: Answer;
  if (type === "webauthn") {
    const { runCeremony } = await passkeys();
    answer = await runCeremony(browser, id, { fields, action, conditional, signal, get, send });
    // New users prove their address first: the response leads to the page that says to check the email.
    if (answer.error === "EmailRequired") {
      isHere = false;
      answer = await send({}, `signin/${id}`);
    }
  } else if (popup && !isHere && type !== "email") {
    target.hash = POPUP + Date.now();
    answer = await send();
    if (isOk(answer)) {
      const { signInByPopup } = await popups();
      const channel = channelOf(connection);
      answer = await signInByPopup(popup, { browser, url: answer.url, target, signal, channel, get });
    }
  } else {
    popup?.close();
    const { email } = fields;
    const asksAgain = type === "email" && connection.emailed === email;
    answer = await send(asksAgain ? await solutionToAskAgain(page, id, signal) : {});
    if (type === "email") connection.emailed = email;
  }
  return isOk(answer) && (isHere || popup)
    ? await finish(page, answer, redirect)
    : settle(connection, answer, redirect);
}

/** Says what became of a form that has changed who is signed in, and tells the pages of this origin. */
export async function finish(
  { connection, announce, changed }: Page,
  answer: Answer,
  redirect: boolean,
): Promise<AuthResult> {
  announce(connection);
  if (!redirect) await changed(connection);
  return settle(connection, answer, redirect);
}

/** Sends something, and once more if there were too many attempts and this page can solve the challenge. */
export async function solving(
  { solve }: Page,
  signal: AbortSignal | undefined,
  send: (solution?: Readonly<Record<string, string>>) => Promise<Answer>,
): Promise<Answer> {
  const answer = await send();
  const { challenge } = answer.body ?? {};
  const solution = answer.status === 429 && challenge && await solve(challenge, signal);
  return solution ? await send(solution) : answer;
}

/**
 * Solves what lets somebody ask for another email, whose address others may have used up: the answer does not say whether
 * they have.
 */
async function solutionToAskAgain(
  { connection: { basePath, browser }, solve }: Page,
  id: string,
  signal: AbortSignal | undefined,
): Promise<object> {
  const headers = { "x-auth-return-redirect": "1" };
  const response = await browser.fetch(`${basePath}/signin/${id}`, {
    headers,
    signal: signal ?? AbortSignal.timeout(30_000),
  });
  // A service without limits may show its page.
  const { challenge } = await response.json().catch(() => ({}));
  return challenge && await solve(challenge, signal) || {};
}

/** Signs out. */
export async function signOut(
  page: Page,
  { redirect = true, callbackUrl, redirectTo = callbackUrl }: SignOutOptions = {},
): Promise<AuthResult> {
  const { connection, announce, learn } = page;
  const answer = await post(page, "signout", { callbackUrl: redirectTo ?? addressOf(connection.browser) });
  // A page that is about to be left must not learn it: it may redirect visitors who are not signed in.
  if (isOk(answer)) redirect ? announce(connection) : learn(connection, null);
  return settle(connection, answer, redirect);
}

/** Changes the session. */
export async function update(page: Page, data: unknown): Promise<UpdateResult> {
  const { connection, changed, learn } = page;
  const { status, body } = await post(page, "session", { data });
  if (status === 200 && body) {
    learn(connection, body);
    return { ok: true, session: body };
  }
  await changed(connection);
  return failure(status === 200 ? "SessionRequired" : "Refused", status);
}

/** Where somebody goes in the end. */
export function targetOf(browser: Browser, redirectTo: string | undefined): URL {
  const here = addressOf(browser);
  return new URL(redirectTo ?? here.searchParams.get("callbackUrl") ?? here, here);
}

// Without the error of the last attempt: the response to a wrong password would lead back to this page, and look like
// the response to the right one.
function addressOf({ location: { href } }: Browser): URL {
  const url = new URL(href);
  url.searchParams.delete("error");
  return url;
}

/**
 * Posts a form. A token that no longer matches the cookie is fetched again once: another tab may have a newer one.
 */
export async function post(
  { connection, ask }: Pick<Page, "connection" | "ask">,
  path: string,
  fields: object,
  signal?: AbortSignal,
): Promise<Answer> {
  const send = (csrfToken: string): Promise<Answer> => ask(connection, path, signal, { ...fields, csrfToken });
  const token = connection.csrfToken ?? await fetchToken();
  const answer = await send(token);
  // A session that cannot be changed is `null`, for any reason.
  const isRefused = answer.error === "MissingCSRF" || (answer.status === 400 && !answer.body);
  const fresh = isRefused ? await fetchToken() : token;
  return fresh === token ? answer : await send(fresh);

  async function fetchToken(): Promise<string> {
    const { body } = await ask(connection, "csrf", signal);
    // A service without CSRF tokens answers something else.
    return connection.csrfToken = `${body?.csrfToken ?? ""}`;
  }
}

/** Whether an answer leads somewhere, and without an error: only that is a success. */
export function isOk(answer: Answer): boolean {
  return answer.status === 200 && placeOf(answer) !== null && !answer.error;
}

/** Where a response leads. The URL of an application may have any scheme, but not one that runs a script. */
function placeOf({ url }: Answer): URL | null {
  return url && !/^(?:javascript|data):$/.test(url.protocol) ? url : null;
}

/** Goes where an answer leads, and says what became of the form. */
export function settle({ basePath, browser: { location } }: Connection, answer: Answer, redirect: boolean): AuthResult {
  const { status, error, body } = answer;
  const url = placeOf(answer);
  if (redirect && url) {
    location.assign(url);
    // A new fragment alone loads nothing.
    if (url.hash) location.reload();
  }
  if (url && isOk(answer)) {
    const isChallenged = url.href.split("?")[0] === new URL(`${basePath}/challenge`, location.href).href;
    return { ok: true, url: url.href, ...(isChallenged && { challenged: true }) };
  }
  const code = url?.searchParams.get("code");
  const { retryAfter, ways, challenge } = status === 429 && body || {};
  return {
    ...failure(`${error ?? "Refused"}`, status),
    ...(code && { code }),
    ...(ways && { retryAfter, ways, challenge }),
  };
}

function failure(error: string, status = 0): Failure {
  return { ok: false, error, status };
}
