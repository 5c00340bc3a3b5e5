/**
 * Whether a request to the application may pass, and what it gets in place of the page if it may not.
 *
 * @module
 */
import type { Callbacks, SessionAuth } from "../contract/config.ts";
import { isResponse } from "../http/is_response.ts";
import { isPrefetch, loadsPage, readUrl } from "../http/origin.ts";
import { discard, withPath } from "../http/path.ts";
import { isListed, isProtected, protectProblem, readProtection, requirementOn } from "../http/protect.ts";
import { distinctReadings, hidesPath, type Readings, readingsOf, type Seen } from "../http/readings.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import type { RequestLike } from "../http/request_like.ts";
import { callBack } from "../kernel/callback.ts";
import { InvalidConfig } from "../kernel/errors.ts";
import type { Session } from "../kernel/model.ts";
import { asksMore, type Requirement, strictestOf } from "../kernel/requirement.ts";
import { parseRoute } from "../kernel/route_path.ts";
import type { RequestContext } from "../request/context.ts";
import { actionUrl, pageUrl } from "../request/links.ts";
import { type Outcome, redirectTo, refused } from "../request/outcome.ts";
import { MAX_REDIRECT_URL_LENGTH } from "../request/redirect.ts";
import { readSession } from "../session/read.ts";
import { isWaiting } from "../session_stores/waiting.ts";
import type { Engine } from "./engine.ts";
import { failures } from "./failures.ts";
import { requirements } from "./functions.ts";
import { NO_CONFIG, respond } from "./respond.ts";
import { findRoute } from "./routes.ts";

/**
 * Whether reading a session may renew it. On its own paths the service does it itself. What is loaded in advance may be
 * kept by a router or a cache, and may never be shown.
 */
export function mayRenew(ctx: RequestContext): boolean {
  return !isOwnPath(ctx, ctx.url.pathname) && !isPrefetch(ctx.incoming.headers);
}

/** Makes the response for a request that may not pass. */
export async function answerDenial({ url, config }: RequestContext, denial: Outcome | Response): Promise<Response> {
  return isResponse(denial) ? denial : await respond({ outcome: denial, config, cookies: [], url });
}

/** Makes the response for a request that could not be checked. */
export async function answerUnchecked(request: RequestLike, error: unknown): Promise<Response> {
  const outcome = (await failures()).answerGuardError(error);
  return await respond({ outcome, config: NO_CONFIG, cookies: [], url: readUrl(request) });
}

/** The paths that a request may be for, without those that everybody may open. */
export interface Closed extends Readings, Pick<Seen, "dress"> {
  /** The path, if it is that of a sign-in page of the application. */
  readonly signIn: string | undefined;
  /** Gives a path as patterns may be written for it: unchanged, with the prefix that visitors see, and without. */
  namesOf(path: string): readonly string[];
}

/**
 * Takes from the readings of a request what everybody may open.
 *
 * @throws {InvalidConfig} if there is something to guard, and the path that the server goes by is not to be seen.
 */
export function closedTo({ mount }: Pick<Engine, "mount">, ctx: RequestContext, seen: Seen): Closed {
  const { protect, callbacks: { authorized } } = ctx.config;
  if ((protect || authorized) && hidesPath(ctx.request)) throw new InvalidConfig(HIDDEN);
  const { isAmbiguous, paths } = readingsOf(ctx.incoming, seen);
  const publicOf = (path: string): string => {
    if (!mount) return path;
    const url = new URL(ctx.url);
    // Resolved against a URL, `//x` would be a host.
    url.pathname = path;
    return mount.publicUrl(url, ctx.config).pathname;
  };
  const namesOf = (path: string): readonly string[] => {
    return mount ? [...new Set([publicOf(path), mount.innerPath(publicOf(path), ctx.config), path])] : [path];
  };
  return {
    isAmbiguous,
    paths: paths.filter((path) => !isOpen(ctx, publicOf(path))),
    signIn: paths.find((path) => isPage(ctx, "signIn", publicOf(path))),
    namesOf,
    dress: seen.dress,
  };
}

/** Whether `protect` closes a request to strangers: one of its paths is protected. */
export function isGuarded({ config: { protect } }: RequestContext, { paths, namesOf }: Closed): boolean {
  return protect !== null && paths.some((path) => namesOf(path).some((name) => isProtected(name, protect)));
}

/** Who asks for a page, and what is asked of them. */
export interface Visitor {
  readonly session: Session | null;
  /** What the session says about its sign-in. `null` if that is not asked for, or nobody is signed in. */
  readonly auth: SessionAuth | null;
  /** `null` if any session will do. */
  readonly requirement: Requirement | null;
}

/** Reads the session of a request, as exactly as its paths need it. */
export async function readVisitor(ctx: RequestContext, closed: Closed, renew: boolean): Promise<Visitor> {
  const requirement = requirementFor(ctx, closed);
  if (!requirement) return { session: await readSession(ctx, { renew }), auth: null, requirement };
  let auth: SessionAuth | null = null;
  const session = await readSession(ctx, { renew, judge: (found) => auth = found });
  return { session, auth, requirement };
}

// Each reading of the path has to be allowed, so what they ask for is added up.
function requirementFor({ config: { protect } }: RequestContext, { paths, namesOf }: Closed): Requirement | null {
  if (!protect?.asksMore) return null;
  const asked = strictestOf(paths.flatMap((path) => namesOf(path)).map((name) => requirementOn(name, protect)));
  return asksMore(asked) ? asked : null;
}

/**
 * Decides whether a request may pass.
 *
 * @returns What to answer instead of the page, or `null`.
 */
export async function decideAccess(
  ctx: RequestContext,
  { session, auth, requirement }: Visitor,
  closed: Closed,
): Promise<Outcome | Response | null> {
  const { protect, callbacks: { authorized } } = ctx.config;
  if (!protect && !authorized) return null;
  if (closed.isAmbiguous) return refused(400, "The path has segments to be resolved");
  if (session === null && isGuarded(ctx, closed)) {
    return loadsPage(ctx.request) ? redirectTo(signInUrl(ctx)) : refused(401, "Sign in first");
  }
  if (session && requirement) {
    const { answerStepUp, missingOf } = await requirements();
    const missing = missingOf(ctx, auth, requirement);
    if (missing.length > 0) return answerStepUp(ctx, { auth, missing, requirement });
  }
  if (!authorized) return null;
  const readings = distinctReadings(closed.paths);
  if (!readings) return refused(400, "The path can be read in too many ways");
  const ask = (pathname: string): Promise<unknown> => {
    const request = withPath(ctx.request, pathname, closed.dress);
    const params = { auth: session, request, matches: matcherOf(closed, pathname), original: ctx.request };
    return askAuthorized(authorized, params);
  };
  for (const pathname of readings) {
    const allowed = await ask(pathname);
    if (allowed !== true) return isResponse(allowed) ? allowed : redirectTo(signInUrl(ctx));
  }
  // Nobody is kept from signing in. Whoever has done so may be led on.
  const answer = session && closed.signIn && await ask(closed.signIn);
  return isResponse(answer) && leadsOn(ctx, answer) ? answer : null;
}

// A redirect to the same page would never end.
function leadsOn({ url }: RequestContext, { status, headers }: Response): boolean {
  const to = URL.parse(headers.get("location") ?? "", url);
  return status >= 300 && status < 400 && to !== null && to.origin + to.pathname !== url.origin + url.pathname;
}

// What fits in one spelling only is another reading, about which `authorized` is asked, too.
function matcherOf({ namesOf }: Closed, pathname: string): (...routes: readonly string[]) => boolean {
  return (...routes) => {
    const problem = protectProblem(routes);
    const listed = readProtection(routes);
    if (problem !== null || !listed) throw new TypeError(`Cannot match the path: ${problem ?? "give a path"}`);
    return namesOf(pathname).some((name) => isListed(name, listed));
  };
}

async function askAuthorized(
  authorized: NonNullable<Callbacks["authorized"]>,
  { auth, request, matches, original }: Parameters<typeof authorized>[0] & { readonly original: Request },
): Promise<unknown> {
  try {
    return await callBack<unknown>("authorized", () => authorized({ auth, request, matches }));
  } finally {
    if (request !== original) discard(request);
  }
}

// A URL that is too long for the cookies of a sign-in is left out, so the visitor comes back to the home page.
function signInUrl(ctx: RequestContext): RedirectUrl {
  const { href } = ctx.url;
  const query = { callbackUrl: href.length > MAX_REDIRECT_URL_LENGTH ? null : href };
  // Who is signed in, but has to prove more, need not begin anew.
  return isWaiting(ctx.cookies) ? actionUrl(ctx, "challenge", query) : pageUrl(ctx, "signIn", query);
}

const HIDDEN = "Cannot guard a route of `Bun.serve`: Bun chose it by a path that it does not show. Give the guard " +
  "to `fetch` in place of `routes`; with Elysia, set `new Elysia({ systemRouter: false })`";

/** The pages that people see before they are signed in. */
const OPEN_PAGES = ["signIn", "verifyRequest", "error", "signUp", "reset"] as const;

// Nobody could sign in without the paths of the service, and the pages of the application that stand for some of them.
function isOpen(ctx: RequestContext, pathname: string): boolean {
  return isOwnPath(ctx, pathname) || OPEN_PAGES.some((page) => isPage(ctx, page, pathname));
}

function isPage(ctx: RequestContext, page: typeof OPEN_PAGES[number], pathname: string): boolean {
  const { origin, pathname: ofPage } = new URL(pageUrl(ctx, page));
  return origin === ctx.url.origin && ofPage === pathname;
}

// Below `basePath`, other paths than those of the service belong to the application.
function isOwnPath({ config, incoming }: RequestContext, pathname: string): boolean {
  const path = parseRoute(pathname, config.basePath);
  return path !== null && findRoute(incoming.method, path, config).kind === "route";
}
