/**
 * Every endpoint of the service, as a table.
 *
 * @module
 */
import type { Flow, FLOWS } from "./flows.ts";
import type { FormRules } from "./form.ts";
import type { ResolvedProvider } from "../config/resolved_provider.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { RoutePath } from "../kernel/route_path.ts";
import { showSession } from "../session/read.ts";

/** An endpoint. */
export interface Route extends FormRules {
  /** Query parameters that we read; they may not be repeated. */
  readonly query: readonly string[];
  /** Whether others are read too, because they are meant for the provider or the application. */
  readonly readsAll?: boolean;
  /** Whether nothing is waited for but our own work: no user code, no network. Such a route needs no deadline. */
  readonly instant: (config: ResolvedConfig) => boolean;
  /** What errors become: a page to be sent to, or data. */
  readonly errors: "page" | "data";
  readonly run: Flow;
}

let loaded: typeof import("./flows.ts") | undefined;

/** The flows: everything but the reading of a session. */
export async function flows(): Promise<typeof import("./flows.ts")> {
  return loaded ??= await import("./flows.ts");
}

function flow(name: keyof typeof FLOWS): Flow {
  // Once it is loaded nobody waits for it.
  return (ctx, input) => loaded ? loaded.FLOWS[name](ctx, input) : flows().then(({ FLOWS }) => FLOWS[name](ctx, input));
}

const PROTOCOL = ["code", "state", "iss", "error", "error_description", "error_uri", "response", "id_token", "token"];
const LINK = ["callbackUrl", "token", "email"];

const always = () => true;
const never = () => false;

function readsSessionAlone({ callbacks, events, jwt, session }: ResolvedConfig): boolean {
  return session.strategy === "jwt" && !callbacks.jwt && !callbacks.session && !events.session && !jwt.encode &&
    !jwt.decode;
}

// The pages ask nobody but the application, where a visitor may be sent.
function asksNobody({ callbacks }: ResolvedConfig): boolean {
  return !callbacks.redirect;
}

function read(run: Flow, query: readonly string[] = []): Route {
  return { csrf: false, query, fields: [], instant: never, errors: "page", run };
}

function data(run: Flow, query: readonly string[] = []): Route {
  return { ...read(run, query), errors: "data" };
}

function form(run: Flow): Route {
  return { ...read(run, ["callbackUrl"]), csrf: true, fields: ["csrfToken", "callbackUrl"] };
}

const signInPage: Route = {
  ...read(flow("signInPage"), ["callbackUrl", "error", "code", "email"]),
  instant: asksNobody,
};
const backToSignInPage = form(flow("backToSignInPage"));
const oauthStart: Route = { ...form(flow("oauthStart")), readsAll: true };
const oauthCallback: Route = { ...read(flow("oauthCallback"), PROTOCOL), readsAll: true };
// Posted by the provider's page, so another site by design: the sealed flow guards what follows.
const oauthFormPost: Route = { ...read(flow("oauthFormPost")), fields: PROTOCOL };

/** The endpoints by method, action and, where the path names a provider, its type. */
export const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ["GET csrf", { ...data(flow("csrfToken")), instant: always }],
  ["GET providers", { ...data(flow("providers")), instant: always }],
  [
    "GET session",
    { ...data((ctx) => showSession(ctx, { renew: ctx.request.method !== "HEAD" })), instant: readsSessionAlone },
  ],
  ["POST session", { ...form(flow("sessionUpdate")), errors: "data" }],
  ["GET signin", signInPage],
  ["GET signin oauth", signInPage],
  ["GET signin oidc", signInPage],
  ["GET signin email", signInPage],
  ["GET signin credentials", signInPage],
  ["GET signin webauthn", signInPage],
  ["POST signin", backToSignInPage],
  ["POST signin oauth", oauthStart],
  ["POST signin oidc", oauthStart],
  ["POST signin email", { ...form(flow("emailStart")), fields: ["csrfToken", "callbackUrl", "email"] }],
  ["POST signin credentials", backToSignInPage],
  ["POST signin webauthn", backToSignInPage],
  ["GET callback oauth", oauthCallback],
  ["GET callback oidc", oauthCallback],
  ["POST callback oauth", oauthFormPost],
  ["POST callback oidc", oauthFormPost],
  ["GET callback email", read(flow("emailCallback"), LINK)],
  ["POST callback email", { ...form(flow("emailConfirmation")), query: LINK }],
  ["POST callback credentials", form(flow("credentialsCallback"))],
  [
    "POST callback webauthn",
    { ...form(flow("webauthnCallback")), fields: ["csrfToken", "callbackUrl", "action", "data"] },
  ],
  [
    "GET webauthn-options webauthn",
    { ...data(flow("webauthnOptions"), ["action", "callbackUrl", "email"]), readsAll: true },
  ],
  ["GET signout", { ...read(flow("signOutPage"), ["callbackUrl"]), instant: asksNobody }],
  ["POST signout", form(flow("signOut"))],
  ["GET error", read(flow("errorPage"), ["error"])],
  ["GET verify-request", read(flow("verifyRequestPage"), ["provider", "type"])],
]);

/** A route that was found, or why there is none. */
export type RouteMatch =
  | { readonly kind: "route"; readonly route: Route; readonly provider: ResolvedProvider | null }
  | { readonly kind: "not-found" }
  | { readonly kind: "wrong-method"; readonly allow: string };

/** Finds the route of a request. HEAD is answered like GET, except where a GET changes something. */
export function findRoute(
  method: string,
  { action, provider: id }: RoutePath,
  providers: ReadonlyMap<string, ResolvedProvider>,
): RouteMatch {
  const provider = id === null ? null : providers.get(id);
  if (provider === undefined) return { kind: "not-found" };
  const readable = action !== "callback";
  const route = routeAt(method === "HEAD" && readable ? "GET" : method, action, provider);
  if (route) return { kind: "route", route, provider };
  const allowed = ["GET", "POST"].filter((name) => routeAt(name, action, provider));
  if (allowed.length === 0) return { kind: "not-found" };
  if (readable && allowed.includes("GET")) allowed.push("HEAD");
  return { kind: "wrong-method", allow: allowed.join(", ") };
}

function routeAt(method: string, action: string, provider: ResolvedProvider | null): Route | undefined {
  const route = ROUTES.get(provider ? `${method} ${action} ${provider.type}` : `${method} ${action}`);
  // Only a provider that was asked to post its answer may do so.
  const posts = provider !== null && "formPost" in provider && provider.formPost;
  return route === oauthFormPost && !posts ? undefined : route;
}
