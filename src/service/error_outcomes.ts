/**
 * What a visitor gets when something fails, or when the service does not have a path. It is loaded when that happens.
 *
 * @module
 */
import { passwordProviderOf } from "../config/password_provider.ts";
import { relatedOriginsAt } from "../config/related_origins.ts";
import { MOST_BY_STRANGERS } from "../config/warning.ts";
import type { RequestContext } from "../request/context.ts";
import {
  type AuthError,
  BadRequest,
  CallbackRouteError,
  ConfigError,
  ErrorPageLoop,
  InvalidConfig,
  Overloaded,
} from "../kernel/errors.ts";
import { asKnownError } from "../kernel/known_errors.ts";
import { once } from "../kernel/load.ts";
import { createLogger, type Log } from "../kernel/logger.ts";
import { isThenable, kindOf } from "../kernel/objects.ts";
import { ERROR_ROUTES, type ErrorRoute } from "../request/error_routes.ts";
import { readUrl } from "../http/origin.ts";
import { type LazyRequest, requestOf } from "../http/request_like.ts";
import { tell } from "../request/events.ts";
import { actionUrl, homeUrl, pageUrl, wantsPage } from "../request/links.ts";
import {
  answerWithoutContext,
  json,
  notFound,
  type Outcome,
  page,
  redirectTo,
  refused,
  serverError,
} from "../request/outcome.ts";
import { isAuthAction, parseRoute, type RoutePath } from "../kernel/route_path.ts";
import { views } from "./late_modules.ts";
import type { Route } from "./routes.ts";

const doctor = once(() => import("./doctor_endpoint.ts"));

/** Makes an `AuthError` of anything that was thrown. */
export function asAuthError(thrown: unknown): AuthError {
  return asKnownError(thrown) ??
    new CallbackRouteError("Cannot answer: something failed unexpectedly", { cause: thrown });
}

/** Answers a request whose route threw. */
export async function answerRouteError(ctx: RequestContext, route: Route, error: AuthError): Promise<Outcome> {
  const path = parseRoute(ctx.url.pathname, ctx.config.basePath);
  if (path && signsIn(ctx.incoming.method, path)) await tellFailure(ctx, error, path.provider);
  const { page, query, status } = errorRouteOf(error);
  if (error.type === "BadRequest") return refused(400, error.message);
  if (error instanceof Overloaded) return answerOverloaded(ctx, error);
  if (route.errors === "page") return redirectTo(pageUrl(ctx, page, { error: query, code: codeOf(ctx, error) }));
  // The browser client of Auth.js expects this where a session could not be changed.
  if (ctx.request.method === "POST") return json(null, 400);
  return status === 503 ? refused(503, "Try again later") : serverError();
}

// Not a redirect to the page of errors: whoever sends it again, such as a script, reads from the status when.
function answerOverloaded(ctx: RequestContext, { retryAfter }: Overloaded): Outcome {
  // Clients of Auth.js read the error from a URL.
  const { query: error } = ERROR_ROUTES.Overloaded;
  const url = ctx.request.headers.has("x-auth-return-redirect") && { url: pageUrl(ctx, "error", { error }) };
  return {
    kind: "json",
    body: { message: "Try again later", ...url },
    status: 503,
    headers: [["retry-after", String(retryAfter)]],
  };
}

/** Whether a request tries to sign somebody in. */
function signsIn(method: string, { action, provider }: RoutePath): boolean {
  if (action === "challenge") return method === "POST";
  if (provider === null) return false;
  return action === "callback" || action === "webauthn-options" || (action === "signin" && method === "POST");
}

/** Tells that a sign-in failed. Each one that does is told here. @param given What may be the id of a provider. */
export async function tellFailure(ctx: RequestContext, error: AuthError, given: string | null): Promise<void> {
  // What is refused without a look is told once, by what limits it.
  if (error.type === "TooManyAttempts") return;
  const { providers, brokenProviders } = ctx.config;
  const provider = given !== null && (providers.has(given) || brokenProviders.has(given)) ? { provider: given } : {};
  const reason = Object.hasOwn(ERROR_ROUTES, error.type) ? error.type : "AuthError";
  await tell(ctx.config, { type: "signInFailed", event: () => ({ ...provider, reason }), message: null }, ctx);
}

/** Answers a request to the application that could not be checked. */
export function answerGuardError(error: unknown): Outcome {
  return error instanceof BadRequest || error instanceof ConfigError
    ? answerWithoutContext(error)
    : refused(503, "Try again later");
}

const PAGES: ReadonlySet<string> = new Set(["signin", "signout", "error", "verify-request"]);

/** Answers a request while the configuration is wrong: the visitor gets a page or a 500. */
export async function answerProblems(
  ctx: RequestContext,
  { action }: RoutePath,
  problem: ConfigError,
): Promise<Outcome> {
  const { config, request, url } = ctx;
  if (request.method === "POST" || !PAGES.has(action)) return serverError();
  const { builtInErrorPage } = await views();
  const custom = config.pages.error && URL.canParse(config.pages.error, url) ? new URL(config.pages.error, url) : null;
  if (!custom) return builtInErrorPage(ctx, "Configuration");
  // The custom error page asked for a session and was sent here. Sending the visitor back to it would never end.
  const from = url.searchParams.get("callbackUrl");
  if (from && URL.canParse(from, url) && new URL(from, url).pathname === custom.pathname) {
    config.logger.error(
      new ErrorPageLoop("Cannot show the error page: `pages.error` requires a session", { cause: problem }),
      ctx,
    );
    return builtInErrorPage(ctx, "Configuration");
  }
  return redirectTo(pageUrl(ctx, "error", { error: "Configuration" }));
}

// An application may extend our errors and name a type that the table does not have.
function errorRouteOf({ type }: AuthError): ErrorRoute {
  return Object.hasOwn(ERROR_ROUTES, type) ? ERROR_ROUTES[type] : ERROR_ROUTES.AuthError;
}

function codeOf({ request }: RequestContext, error: AuthError): string | null {
  const { code } = error as AuthError & { readonly code?: unknown };
  if (error.type === "WebAuthnVerificationError") {
    // Only a script can tell the device.
    return code === "unknown_passkey" && request.headers.has("x-auth-return-redirect") ? code : null;
  }
  if (error.type !== "CredentialsSignin") return null;
  return typeof code === "string" && /^[\w-]{1,64}$/.test(code) ? code : "credentials";
}

/** Logs that a configuration cannot be resolved, and makes the error. */
export function configFailure(cause: unknown, incoming: Request | LazyRequest | null): AuthError {
  const url = incoming && readUrl(incoming);
  if (incoming && !url) return new BadRequest("Cannot read the request: its URL is not valid", { cause });
  const error = cause instanceof InvalidConfig && cause.logCode === "config-missing"
    ? cause
    : new InvalidConfig("Cannot resolve the configuration", { cause, logCode: "config-unresolved" });
  CONSOLE.error(error, incoming ? { request: requestOf(incoming), url, config: { basePath: "" } } : undefined);
  return error;
}

/** The log without a configuration. */
export const CONSOLE: Log = createLogger({});

/** Makes the error for something that is not a configuration. `isChosen`: a function returned it. */
export function noConfig(given: unknown, isChosen: boolean): InvalidConfig {
  const remedy = isThenable(given)
    ? "`await` it"
    : isChosen
    ? "return one from the function"
    : "call `createAuth({ providers: [github()] })`, for example";
  return new InvalidConfig(`Cannot use the configuration: it must be an object, not ${kindOf(given)}; ${remedy}`, {
    logCode: "config-missing",
  });
}

/**
 * Where password managers look for the page to change a password.
 *
 * @see {@link https://www.w3.org/TR/change-password-url/ | A Well-Known URL for Changing Passwords}
 */
const CHANGE_PASSWORD = "/.well-known/change-password";

/** Answers a path that is none of an action: it may be that of the doctor, which works while the configuration is wrong. */
export async function answerOther(ctx: RequestContext): Promise<Outcome> {
  if (ctx.url.pathname === CHANGE_PASSWORD && passwordProviderOf(ctx.config)) {
    return redirectTo(actionUrl(ctx, "password"));
  }
  const origins = relatedOriginsAt(ctx.url.pathname, ctx.config);
  if (origins.length > 0) return json({ origins });
  const isListed = ctx.config.features.some(({ id }) => id === "doctor");
  const told = isListed ? await (await doctor()).answerDoctor(ctx) : null;
  return told ?? answerUnknownPath(ctx);
}

/** Answers 404 to a path that the service does not have: with a page for browsers, with JSON for scripts. */
export function answerUnknownPath(ctx: RequestContext): Outcome {
  const message = elsewhere(ctx.url.pathname, ctx.config.basePath);
  if (message) ctx.warn?.(["path-elsewhere", message], MOST_BY_STRANGERS);
  const unlisted = unlistedProvider(ctx);
  if (unlisted) ctx.warn?.(["callback-provider-unknown", unlisted], MOST_BY_STRANGERS);
  if (!wantsPage(ctx.request)) return notFound();
  const links = { signInUrl: pageUrl(ctx, "signIn"), siteUrl: homeUrl(ctx) };
  return page({ name: "error", error: "NotFound", ...links }, 404);
}

/** A place where somebody may have mounted the service: plain and short, because strangers choose it. */
const PLACE = /^(?:\/[\w.~-]{1,40}){1,5}$/;

/** Actions whose path names a provider. */
const OF_PROVIDERS: ReadonlySet<string> = new Set(["signin", "callback", "webauthn-options", "signout"]);

function elsewhere(pathname: string, basePath: string): string | null {
  const asked = `mounted at ${basePath || "/"}, asked for `;
  if (basePath !== "" && pathname === "/") {
    return `${asked}/: the sign-in page is at ${basePath}/signin, and all other paths are your application's`;
  }
  const place = placeOf(pathname.replace(/\/$/, "").split("/"));
  if (place === null || place === basePath) return null;
  const path = pathname.slice(0, 200);
  if (place === "") {
    return `${asked}${path}: a framework or a proxy has removed the \`basePath\` from the path, so let it pass on the ` +
      "whole path";
  }
  return PLACE.test(place) ? `${asked}${path}: set \`basePath: "${place}"\`` : null;
}

/** Gives what stands before an action; `null` if the path does not end in one. */
function placeOf(segments: readonly string[]): string | null {
  const [last = "", before = ""] = segments.toReversed();
  if (OF_PROVIDERS.has(before) && /^[\w.~-]{1,64}$/.test(last)) return segments.slice(0, -2).join("/");
  return isAuthAction(last) && last !== "callback" ? segments.slice(0, -1).join("/") : null;
}

/** The most ids of providers that are listed. */
const MOST_IDS = 20;

/** Says which providers there are, where a provider sends people back as one that there is not. */
function unlistedProvider({ url, config: { basePath, providers, brokenProviders } }: RequestContext): string | null {
  const path = parseRoute(url.pathname, basePath);
  if (path?.action !== "callback" || path.provider === null || !/^[\w.~-]{1,64}$/.test(path.provider)) return null;
  const ids = [...providers.keys(), ...brokenProviders.keys()];
  if (ids.includes(path.provider)) return null;
  const listed = ids.slice(0, MOST_IDS).map((id) => `"${id}"`).join(", ") + (ids.length > MOST_IDS ? ", …" : "");
  return `asked for ${basePath}/callback/${path.provider}, and \`providers\` has ${
    listed || "no provider"
  }: the callback ` +
    `URL that is registered at a provider must end in the \`id\` that it has in \`providers\``;
}
