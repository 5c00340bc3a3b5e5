/**
 * Every endpoint of the service, as a table.
 *
 * @module
 */
import type { RequestContext } from "./context.ts";
import type { Fields } from "./http/body.ts";
import { pageUrl } from "./links.ts";
import { type Outcome, redirectTo } from "./outcome.ts";
import type {
  ResolvedCredentialsProvider,
  ResolvedEmailProvider,
  ResolvedOAuthProvider,
  ResolvedProvider,
} from "./resolved_provider.ts";
import type { ResolvedConfig } from "./resolve.ts";
import { credentials, email, oauth } from "./rooms.ts";
import type { RoutePath } from "./route_path.ts";
import { showSession } from "./session/read.ts";
import { signOut } from "./session/sign_out.ts";
import { updateSession } from "./session/update.ts";
import { showCsrfToken, showProviders } from "./show/data.ts";
import { showError, showSignIn, showSignOut, showVerifyRequest } from "./show/pages.ts";
import { chooseTarget, rememberTarget } from "./sign_in/target.ts";

/** What a route is given besides the context. */
export interface RouteInput {
  readonly provider: ResolvedProvider | null;
  readonly query: URLSearchParams;
  readonly fields: Fields;
}

/** An endpoint. */
export interface Route {
  /** Whether the form must carry its CSRF token and come from this site. */
  readonly csrf: boolean;
  /** Query parameters that may not be repeated, because we read them. */
  readonly query: readonly string[];
  /** Form fields that may not be repeated, because we read them. */
  readonly fields: readonly string[];
  /** Whether nothing is waited for but our own work: no user code, no network. Such a route needs no deadline. */
  readonly instant: (config: ResolvedConfig) => boolean;
  /** What errors become: a page to be sent to, or data. */
  readonly errors: "page" | "data";
  readonly run: (ctx: RequestContext, input: RouteInput) => Outcome | Promise<Outcome>;
}

const PROTOCOL = ["code", "state", "iss", "error", "error_description", "error_uri", "response", "id_token", "token"];

const always = () => true;
const never = () => false;

function readsSessionAlone({ callbacks, events, jwt, session }: ResolvedConfig): boolean {
  return session.strategy === "jwt" && !callbacks.jwt && !callbacks.session && !events.session && !jwt.encode &&
    !jwt.decode;
}

function read(run: Route["run"], query: readonly string[] = []): Route {
  return { csrf: false, query, fields: [], instant: never, errors: "page", run };
}

function data(run: Route["run"]): Route {
  return { ...read(run), errors: "data" };
}

function form(run: Route["run"]): Route {
  return { ...read(run, ["callbackUrl"]), csrf: true, fields: ["csrfToken", "callbackUrl"] };
}

// The pages ask nobody but the application, where a visitor may be sent.
function asksNobody({ callbacks }: ResolvedConfig): boolean {
  return !callbacks.redirect;
}

const signInPage: Route = {
  ...read((ctx, { query }) => showSignIn(ctx, query), ["callbackUrl", "error", "code", "email"]),
  instant: asksNobody,
};

const backToSignInPage = form(async (ctx, { query, fields }) => {
  rememberTarget(ctx, await chooseTarget(ctx, askedIn(fields, query)));
  return redirectTo(pageUrl(ctx, "signIn"));
});

const oauthStart = form(async (ctx, { provider, query, fields }) => {
  const target = await chooseTarget(ctx, askedIn(fields, query));
  rememberTarget(ctx, target);
  return await (await oauth()).startOAuth(ctx, { provider: asOAuth(provider), target, params: query });
});

const oauthCallback = read(async (ctx, { provider, query }) => {
  return await (await oauth()).finishOAuth(ctx, { provider: asOAuth(provider), params: query });
}, PROTOCOL);

// Posted by the provider's page, so another site by design: the sealed flow guards what follows.
const oauthFormPost: Route = {
  ...read(async (ctx, { provider, fields }) => {
    return (await oauth()).relayFormPost(ctx, { provider: asOAuth(provider), fields });
  }),
  fields: PROTOCOL,
};

const emailStart: Route = {
  ...form(async (ctx, { provider, query, fields }) => {
    const target = await chooseTarget(ctx, askedIn(fields, query));
    rememberTarget(ctx, target);
    return await (await email()).startEmail(ctx, { provider: asEmail(provider), fields, target });
  }),
  fields: ["csrfToken", "callbackUrl", "email"],
};

const LINK = ["callbackUrl", "token", "email"];

const emailCallback = read(async (ctx, { provider, query }) => {
  const target = await chooseTarget(ctx, query.get("callbackUrl") ?? undefined);
  return await (await email()).openLink(ctx, { provider: asEmail(provider), query, target });
}, LINK);

const emailConfirmation: Route = {
  ...form(async (ctx, { provider, query, fields }) => {
    const target = await chooseTarget(ctx, askedIn(fields, query));
    return await (await email()).confirmLink(ctx, { provider: asEmail(provider), query, target });
  }),
  query: LINK,
};

const credentialsCallback = form(async (ctx, { provider, query, fields }) => {
  const target = await chooseTarget(ctx, askedIn(fields, query));
  return await (await credentials()).signInWithCredentials(ctx, { provider: asCredentials(provider), fields, target });
});

/** The endpoints by method, action and, where the path names a provider, its type. */
export const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ["GET csrf", { ...data((ctx) => showCsrfToken(ctx)), instant: always }],
  ["GET providers", { ...data((ctx) => showProviders(ctx)), instant: always }],
  [
    "GET session",
    { ...data((ctx) => showSession(ctx, { renew: ctx.request.method !== "HEAD" })), instant: readsSessionAlone },
  ],
  ["POST session", { ...form((ctx, { fields }) => updateSession(ctx, fields.data)), errors: "data" }],
  ["GET signin", signInPage],
  ["GET signin oauth", signInPage],
  ["GET signin oidc", signInPage],
  ["GET signin email", signInPage],
  ["GET signin credentials", signInPage],
  ["POST signin", backToSignInPage],
  ["POST signin oauth", oauthStart],
  ["POST signin oidc", oauthStart],
  ["POST signin email", emailStart],
  ["POST signin credentials", backToSignInPage],
  ["GET callback oauth", oauthCallback],
  ["GET callback oidc", oauthCallback],
  ["POST callback oauth", oauthFormPost],
  ["POST callback oidc", oauthFormPost],
  ["GET callback email", emailCallback],
  ["POST callback email", emailConfirmation],
  ["POST callback credentials", credentialsCallback],
  ["GET signout", { ...read((ctx, { query }) => showSignOut(ctx, query), ["callbackUrl"]), instant: asksNobody }],
  [
    "POST signout",
    form(async (ctx, { query, fields }) => {
      return await signOut(ctx, await chooseTarget(ctx, askedIn(fields, query)));
    }),
  ],
  ["GET error", read((ctx, { query }) => showError(ctx, query), ["error"])],
  ["GET verify-request", read((ctx, { query }) => showVerifyRequest(ctx, query), ["provider", "type"])],
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
  return route === oauthFormPost && !asOAuth(provider).formPost ? undefined : route;
}

/** What was asked for as the target, in the body or else the query. */
function askedIn(fields: Fields, query: URLSearchParams): unknown {
  return fields.callbackUrl ?? query.get("callbackUrl") ?? undefined;
}

// The table pairs each room with its type of provider; these three say so to the compiler.
function asOAuth(provider: ResolvedProvider | null): ResolvedOAuthProvider {
  if (provider?.type === "oauth" || provider?.type === "oidc") return provider;
  throw new TypeError("Cannot run an OAuth flow: the provider is of another type");
}

function asEmail(provider: ResolvedProvider | null): ResolvedEmailProvider {
  if (provider?.type === "email") return provider;
  throw new TypeError("Cannot send a link: the provider is of another type");
}

function asCredentials(provider: ResolvedProvider | null): ResolvedCredentialsProvider {
  if (provider?.type === "credentials") return provider;
  throw new TypeError("Cannot sign in with credentials: the provider is of another type");
}
