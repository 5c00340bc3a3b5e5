/**
 * The paths of the service.
 *
 * @module
 */

/** The actions of the service, each a path below `basePath`. */
export type AuthAction =
  | "account"
  | "backchannel-logout"
  | "callback"
  | "challenge"
  | "csrf"
  | "error"
  | "factors"
  | "frontchannel-logout"
  | "password"
  | "providers"
  | "reset"
  | "session"
  | "signin"
  | "signout"
  | "signup"
  | "verify-request"
  | "webauthn-options";

/** All of them. */
export const AUTH_ACTIONS: ReadonlySet<string> = new Set<AuthAction>([
  "account",
  "backchannel-logout",
  "callback",
  "challenge",
  "csrf",
  "error",
  "factors",
  "frontchannel-logout",
  "password",
  "providers",
  "reset",
  "session",
  "signin",
  "signout",
  "signup",
  "verify-request",
  "webauthn-options",
]);

/**
 * Whether a text is one of the service's actions.
 *
 * @param action Any text, such as a segment of a path.
 */
export function isAuthAction(action: string): action is AuthAction {
  return AUTH_ACTIONS.has(action);
}

/** What a path asks for. */
export interface RoutePath {
  readonly action: AuthAction;
  /** Id of a provider, if the path names one. */
  readonly provider: string | null;
}

/**
 * Reads a path.
 *
 * @param pathname The path of the URL, still percent-encoded.
 * @param basePath The path of the service, taken literally.
 * @returns What it asks for, or `null` if it is not one of ours.
 */
export function parseRoute(pathname: string, basePath: string): RoutePath | null {
  if (!pathname.startsWith(`${basePath}/`)) return null;
  const path = pathname.slice(basePath.length + 1);
  if (isAuthAction(path)) return { action: path, provider: null };
  // Some frameworks end every path with a slash.
  const rest = path.replace(/\/$/, "");
  const [action = "", provider, ...more] = rest.split("/");
  if (!isAuthAction(action) || provider === "" || more.length > 0) return null;
  // The browser client of Auth.js writes the text `undefined` if it is given no provider.
  return { action, provider: provider === undefined || provider === "undefined" ? null : provider };
}
