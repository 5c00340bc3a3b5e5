/**
 * Every endpoint of the service, as a table.
 *
 * @module
 */
import type { AnyProvider, Flow, FLOWS } from "./flows.ts";
import type { FormRules } from "./form.ts";
import type {
  ResolvedCredentialsProvider,
  ResolvedEmailProvider,
  ResolvedOAuthProvider,
  ResolvedProvider,
  ResolvedWebAuthnProvider,
} from "../config/resolved_provider.ts";
import { passwordProviderOf } from "../config/password_provider.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { ConfigError } from "../kernel/errors.ts";
import { once } from "../kernel/load.ts";
import type { AuthAction, RoutePath } from "../kernel/route_path.ts";
import { json } from "../request/outcome.ts";
import { callsNoUserCode, readSession } from "../session/read.ts";

/** An endpoint. */
export interface Route<Provider extends AnyProvider = AnyProvider> extends FormRules {
  /** The query parameters that we read. A request that repeats one is refused. */
  readonly query: readonly string[];
  /** Whether the flow gets the other parameters too, because they are meant for the provider or the application. */
  readonly readsAll?: boolean;
  /** What an error becomes: a redirect to a page, or a JSON body. */
  readonly errors: "page" | "data";
  /** Whether it waits for nothing but our own work, so that it needs no deadline. By default it has one. */
  readonly isLocal?: (config: ResolvedConfig) => boolean;
  /** Whether it is there only if the configuration lists a feature. */
  readonly ofFeature?: boolean;
  /** Whether it is there only if the configuration lists `password()`. */
  readonly ofPasswords?: boolean;
  readonly run: Flow<Provider>;
}

/** Endpoints by method and action. */
type Routes<Provider extends AnyProvider> = { readonly [Name in `${"GET" | "POST"} ${AuthAction}`]?: Route<Provider> };

const flows = once(() => import("./flows.ts"));

function flow<Provider extends AnyProvider>(choose: (all: typeof FLOWS) => Flow<Provider>): Flow<Provider> {
  return async (ctx, input) => await choose((await flows()).FLOWS)(ctx, input);
}

const PROTOCOL = ["code", "state", "iss", "error", "error_description", "error_uri", "response", "id_token", "token"];
const LINK = ["callbackUrl", "token", "email"];

function read<Provider extends AnyProvider>(run: Flow<Provider>, query: readonly string[] = []): Route<Provider> {
  return { csrf: false, query, fields: [], errors: "page", run };
}

function data<Provider extends AnyProvider>(run: Flow<Provider>, query: readonly string[] = []): Route<Provider> {
  return { ...read(run, query), errors: "data" };
}

function form<Provider extends AnyProvider>(run: Flow<Provider>): Route<Provider> {
  return { ...read(run, ["callbackUrl"]), csrf: true, fields: ["csrfToken", "callbackUrl"] };
}

const signInPage: Route = read(flow((all) => all.any.signInPage), ["callbackUrl", "error", "code", "email"]);
const backToSignInPage: Route = form(flow((all) => all.any.backToSignInPage));

const WITHOUT_PROVIDER: Routes<null> = {
  "GET csrf": { ...data(flow((all) => all.any.csrfToken)), isLocal: () => true },
  "GET providers": { ...data(flow((all) => all.any.providers)), isLocal: () => true },
  "GET session": {
    ...data(async (ctx) => json(await readSession(ctx, { renew: ctx.incoming.method !== "HEAD" }))),
    // Most requests read a sealed session, and a timer for each would take a third of the time.
    isLocal: callsNoUserCode,
  },
  "POST session": { ...form(flow((all) => all.any.sessionUpdate)), errors: "data" },
  "GET signin": signInPage,
  "POST signin": backToSignInPage,
  "GET signout": read(flow((all) => all.any.signOutPage), ["callbackUrl"]),
  "POST signout": form(flow((all) => all.any.signOut)),
  "GET error": read(flow((all) => all.any.errorPage), ["error"]),
  "GET challenge": {
    ...read(flow((all) => all.any.openChallenge), ["callbackUrl", "method", "methods"]),
    ofFeature: true,
  },
  "POST challenge": {
    ...form(flow((all) => all.any.answerChallenge)),
    query: ["callbackUrl", "methods"],
    fields: ["csrfToken", "callbackUrl", "method", "code", "data", "trust"],
    ofFeature: true,
  },
  "GET factors": {
    ...read(flow((all) => all.any.openFactors), ["callbackUrl", "act", "id", "token"]),
    ofFeature: true,
  },
  "POST factors": {
    ...form(flow((all) => all.any.answerFactors)),
    fields: ["csrfToken", "callbackUrl", "act", "id", "code", "name", "token", "keepSessions"],
    ofFeature: true,
  },
  "GET account": {
    ...read(flow((all) => all.any.openAccount), ["callbackUrl", "act", "id", "token", "done", "mark"]),
    ofFeature: true,
  },
  "POST account": {
    ...form(flow((all) => all.any.answerAccount)),
    fields: ["csrfToken", "callbackUrl", "act", "id", "name", "to", "lost", "typed", "token", "section"],
    ofFeature: true,
  },
  "GET signup": { ...read(flow((all) => all.any.openSignUp), LINK), ofPasswords: true },
  "POST signup": {
    ...form(flow((all) => all.any.answerSignUp)),
    fields: ["csrfToken", "callbackUrl", "email", "name", "password", "token"],
    ofPasswords: true,
  },
  "GET reset": { ...read(flow((all) => all.any.openReset), LINK), ofPasswords: true },
  "POST reset": {
    ...form(flow((all) => all.any.answerReset)),
    fields: ["csrfToken", "callbackUrl", "email", "password", "token"],
    ofPasswords: true,
  },
  "GET password": { ...read(flow((all) => all.any.openPassword), ["callbackUrl", "done"]), ofPasswords: true },
  "POST password": {
    ...form(flow((all) => all.any.answerPassword)),
    fields: ["csrfToken", "callbackUrl", "password", "act"],
    ofPasswords: true,
  },
  "GET verify-request": read(flow((all) => all.any.verifyRequestPage), ["provider", "type"]),
};

// The provider's page posts it, so it comes from another site by design: the sealed flow protects what follows.
const formPost: Route<ResolvedOAuthProvider> = { ...read(flow((all) => all.oauth.formPost)), fields: PROTOCOL };

// The provider sends the browser back, or sends its own logout: by a state or a signed token it says that it is the one.
const logout: Route<ResolvedOAuthProvider> = {
  ...data(flow((all) => all.oauth.logout), ["state", "iss", "sid"]),
  fields: ["logout_token"],
};

const OAUTH: Routes<ResolvedOAuthProvider> = {
  "GET signin": signInPage,
  "POST signin": { ...form(flow((all) => all.oauth.start)), readsAll: true },
  "GET callback": { ...read(flow((all) => all.oauth.callback), PROTOCOL), readsAll: true },
  "POST callback": formPost,
  "GET signout": logout,
  "POST backchannel-logout": logout,
  "GET frontchannel-logout": logout,
};

const EMAIL: Routes<ResolvedEmailProvider> = {
  "GET signin": signInPage,
  "POST signin": { ...form(flow((all) => all.email.start)), fields: ["csrfToken", "callbackUrl", "email"] },
  // A code may come with the solution of a challenge.
  "GET callback": { ...read(flow((all) => all.email.callback), LINK), readsAll: true },
  "POST callback": { ...form(flow((all) => all.email.confirmation)), query: LINK },
};

const CREDENTIALS: Routes<ResolvedCredentialsProvider> = {
  "GET signin": signInPage,
  "POST signin": backToSignInPage,
  "POST callback": form(flow((all) => all.credentials.callback)),
};

const WEBAUTHN: Routes<ResolvedWebAuthnProvider> = {
  "GET signin": signInPage,
  "POST signin": { ...form(flow((all) => all.webauthn.start)), fields: ["csrfToken", "callbackUrl", "email"] },
  "POST callback": {
    ...form(flow((all) => all.webauthn.callback)),
    fields: ["csrfToken", "callbackUrl", "action", "data"],
  },
  "GET webauthn-options": {
    ...data(flow((all) => all.webauthn.options), ["action", "callbackUrl", "email"]),
    readsAll: true,
  },
};

const BY_PROVIDER = { oauth: OAUTH, oidc: OAUTH, email: EMAIL, credentials: CREDENTIALS, webauthn: WEBAUTHN } as const;

/** The route of a request, and the provider that its path names. */
export interface FoundRoute {
  readonly kind: "route";
  readonly route: Route;
  readonly provider: AnyProvider;
  /** What is wrong with the provider that the path names, so that the route cannot run. */
  readonly problem?: ConfigError;
}

type RouteMatch =
  | FoundRoute
  | { readonly kind: "not-found" }
  | { readonly kind: "wrong-method"; readonly allow: string };

/** Finds the route of a request. HEAD is answered like GET, except at `callback`, where a GET changes something. */
export function findRoute(
  method: string,
  { action, provider: id }: RoutePath,
  config: Pick<ResolvedConfig, "providers" | "brokenProviders" | "actsAt">,
): RouteMatch {
  const { providers, brokenProviders, actsAt } = config;
  const broken = id === null ? undefined : brokenProviders.get(id);
  const provider = id === null ? null : providers.get(id) ?? broken;
  if (provider === undefined) return { kind: "not-found" };
  const readable = action !== "callback";
  const routeOf = (name: string) => {
    const found = routeAt(name, action, provider);
    if (found?.ofFeature && !actsAt.has("routes")) return undefined;
    return found?.ofPasswords && !passwordProviderOf(config) ? undefined : found;
  };
  const route = routeOf(method === "HEAD" && readable ? "GET" : method);
  if (route && broken) return { kind: "route", route, provider: null, problem: broken.problems[0] };
  if (route) return { kind: "route", route, provider: provider as ResolvedProvider | null };
  const allowed = ["GET", "POST"].filter(routeOf);
  if (allowed.length === 0) return { kind: "not-found" };
  if (readable && allowed.includes("GET")) allowed.push("HEAD");
  return { kind: "wrong-method", allow: allowed.join(", ") };
}

function routeAt(
  method: string,
  action: AuthAction,
  provider: Pick<ResolvedProvider, "type"> | null,
): Route | undefined {
  // Each list is chosen by the type of the provider that its flows are given; the compiler cannot follow that.
  const routes = (provider ? BY_PROVIDER[provider.type] : WITHOUT_PROVIDER) as Routes<AnyProvider>;
  const route = routes[`${method as "GET" | "POST"} ${action}`];
  // Only a provider that was asked for it (`response_mode=form_post`) may post its answer.
  const posts = provider !== null && "formPost" in provider && provider.formPost;
  return route === formPost && !posts ? undefined : route;
}
