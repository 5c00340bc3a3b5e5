/**
 * What a visitor gets when something fails. It is loaded when something does.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import {
  type AuthError,
  BadRequest,
  CallbackRouteError,
  ConfigError,
  ErrorPageLoop,
  InvalidConfig,
} from "../kernel/errors.ts";
import { asKnownError } from "../kernel/known_errors.ts";
import { createLogger, type Log } from "../kernel/logger.ts";
import { isThenable, kindOf } from "../kernel/shown.ts";
import { ERROR_ROUTES, type ErrorRoute } from "../request/error_routes.ts";
import { type Incoming, requestOf } from "../http/asked.ts";
import { pageUrl } from "../request/links.ts";
import { answerWithoutContext, json, type Outcome, redirectTo, refused, serverError } from "../request/outcome.ts";
import type { RoutePath } from "../kernel/route_path.ts";
import { flows } from "./lazy.ts";
import type { Route } from "./routes.ts";

/** Makes an `AuthError` of whatever was thrown. */
export function asAuthError(thrown: unknown): AuthError {
  return asKnownError(thrown) ??
    new CallbackRouteError("Cannot answer: something failed unexpectedly", { cause: thrown });
}

/** Answers a request whose route threw. */
export function answerRouteError(ctx: RequestContext, route: Route, error: AuthError): Outcome {
  const { page, query, status } = errorRouteOf(error);
  if (error.type === "BadRequest") return refused(400, error.message);
  if (route.errors === "page") return redirectTo(pageUrl(ctx, page, { error: query, code: codeOf(ctx, error) }));
  // The browser client of Auth.js expects this where a session could not be changed.
  if (ctx.request.method === "POST") return json(null, 400);
  return status === 503 ? refused(503, "Try again later") : serverError();
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
  const { builtInErrorPage } = await flows();
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

/** Logs that a configuration cannot be resolved, and makes the error. `url` is that of the request, if it has a valid one. */
export function configFailure(cause: unknown, asked: Request | Incoming, url: URL | null): AuthError {
  if (url === null) return new BadRequest("Cannot read the request: its URL is not valid", { cause });
  const error = cause instanceof InvalidConfig && cause.logCode === "config-missing"
    ? cause
    : new InvalidConfig("Cannot resolve the configuration", { cause, logCode: "config-unresolved" });
  CONSOLE.error(error, { request: requestOf(asked), url, config: { basePath: "" } });
  return error;
}

/** The log without a configuration. */
export const CONSOLE: Log = createLogger({});

/** Says what is no configuration. `isChosen`: a function returned it. */
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
