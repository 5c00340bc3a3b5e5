/**
 * The pages a visitor can open, built-in or the developer's own.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { ensureCsrfToken } from "../http/csrf.ts";
import { actionUrl, homeUrl, pageUrl } from "../request/links.ts";
import { type ErrorPageKind, type Outcome, page, redirectTo, type SignInMethod } from "../request/outcome.ts";
import type { ResolvedProvider } from "../config/resolved_provider.ts";
import { perOrigin } from "./per_origin.ts";
import { chooseRedirectUrl, rememberRedirectUrl } from "../sign_in/redirect.ts";

/** Shows where to sign in. Of the query, only what the page is made for reaches it. */
export async function showSignIn(ctx: RequestContext, query: URLSearchParams): Promise<Outcome> {
  const target = await chooseRedirectUrl(ctx, query.get("callbackUrl") ?? undefined);
  rememberRedirectUrl(ctx, target);
  // Made also for a custom page: one that is rendered on a server could not hand the cookie on to the browser.
  const csrfToken = await formToken(ctx);
  const error = query.get("error");
  if (ctx.config.pages.signIn) {
    return redirectTo(pageUrl(ctx, "signIn", { callbackUrl: target, error, code: error && query.get("code") }));
  }
  return page({
    name: "signin",
    csrfToken,
    callbackUrl: target,
    error,
    email: query.get("email"),
    methods: methodsOf(ctx),
  });
}

const methodsOf = perOrigin((ctx: RequestContext): readonly SignInMethod[] => {
  return Object.freeze([...ctx.config.providers.values()].flatMap((provider) => methodOf(ctx, provider) ?? []));
});

// Without fields, credentials and passkeys are for clients that bring a form of their own.
function methodOf(ctx: RequestContext, provider: ResolvedProvider): SignInMethod | null {
  const { id, name, style } = provider;
  switch (provider.type) {
    case "oauth":
    case "oidc":
    case "email":
      return { type: provider.type, id, name, style, action: actionUrl(ctx, `signin/${id}`) };
    case "credentials": {
      const { credentials: fields } = provider;
      if (Object.keys(fields).length === 0) return null;
      return { type: "credentials", id, name, style, fields, action: actionUrl(ctx, `callback/${id}`) };
    }
    case "webauthn": {
      const { formFields: fields, enableConditionalUI: autofill, registersStrangers: registers } = provider;
      if (Object.keys(fields).length === 0) return null;
      const optionsUrl = actionUrl(ctx, `webauthn-options/${id}`);
      return {
        type: "webauthn",
        id,
        name,
        style,
        fields,
        optionsUrl,
        autofill,
        registers,
        action: actionUrl(ctx, `callback/${id}`),
      };
    }
    default:
      return provider satisfies never;
  }
}

/** Shows the question whether to sign out. */
export async function showSignOut(ctx: RequestContext, query: URLSearchParams): Promise<Outcome> {
  const csrfToken = await formToken(ctx);
  if (ctx.config.pages.signOut) return redirectTo(pageUrl(ctx, "signOut"));
  return page({
    name: "signout",
    csrfToken,
    action: actionUrl(ctx, "signout"),
    callbackUrl: await chooseRedirectUrl(ctx, query.get("callbackUrl") ?? undefined),
  });
}

const ERROR_STATUS: ReadonlyMap<string, number> = new Map([
  ["Configuration", 500],
  ["AccessDenied", 403],
  ["Verification", 403],
  ["WebAuthnVerificationError", 403],
]);

/** Shows what went wrong. */
export function showError(ctx: RequestContext, query: URLSearchParams): Outcome {
  const error = query.get("error");
  return ctx.config.pages.error ? redirectTo(pageUrl(ctx, "error", { error })) : errorPage(ctx, error);
}

/** The built-in error page. */
export function errorPage(ctx: Pick<RequestContext, "url" | "config">, error: string | null): Outcome {
  const status = error === null ? undefined : ERROR_STATUS.get(error);
  const kind = status === undefined ? "Default" : error as ErrorPageKind;
  const view = { name: "error", error: kind, signInUrl: pageUrl(ctx, "signIn"), siteUrl: homeUrl(ctx) } as const;
  return page(view, status ?? 200);
}

/** Tells somebody to look into the mailbox. */
export function showVerifyRequest(ctx: RequestContext, query: URLSearchParams): Outcome {
  if (ctx.config.pages.verifyRequest) {
    return redirectTo(pageUrl(ctx, "verifyRequest", { provider: query.get("provider"), type: query.get("type") }));
  }
  return page({ name: "verify-request", signInUrl: pageUrl(ctx, "signIn"), siteUrl: homeUrl(ctx) });
}

async function formToken({ config, cookies }: RequestContext): Promise<string | null> {
  return config.skipCSRFCheck ? null : await ensureCsrfToken(cookies, config.secrets, config.runtime);
}
