/**
 * What happens at each endpoint but the reading of a session, which most requests ask for and which does without all of
 * this. Loaded as a whole by the first request for anything else.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import type { Fields } from "../http/body.ts";
import { pageUrl } from "../request/links.ts";
import { type Outcome, redirectTo } from "../request/outcome.ts";
import type {
  ResolvedCredentialsProvider,
  ResolvedEmailProvider,
  ResolvedOAuthProvider,
  ResolvedProvider,
  ResolvedWebAuthnProvider,
} from "../config/resolved_provider.ts";
import { credentials, email, oauth, webauthn } from "./lazy.ts";
import { signOut } from "../session/sign_out.ts";
import { updateSession } from "../session/update.ts";
import { showCsrfToken, showProviders } from "../views/data.ts";
import { showError, showSignIn, showSignOut, showVerifyRequest } from "../views/pages.ts";
import { chooseRedirectUrl, rememberRedirectUrl } from "../sign_in/redirect.ts";

export { readForm } from "./form.ts";
export { errorPage } from "../views/pages.ts";

/** What a flow is given besides the context. */
export interface FlowInput {
  readonly provider: ResolvedProvider | null;
  readonly query: URLSearchParams;
  readonly fields: Fields;
}

/** What happens at an endpoint. */
export type Flow = (ctx: RequestContext, input: FlowInput) => Outcome | Promise<Outcome>;

/** The flows, by the name that the table of endpoints has for them. */
export const FLOWS = {
  csrfToken: (ctx) => showCsrfToken(ctx),
  providers: (ctx) => showProviders(ctx),
  sessionUpdate: (ctx, { fields }) => updateSession(ctx, fields.data),
  signInPage: (ctx, { query }) => showSignIn(ctx, query),
  signOutPage: (ctx, { query }) => showSignOut(ctx, query),
  errorPage: (ctx, { query }) => showError(ctx, query),
  verifyRequestPage: (ctx, { query }) => showVerifyRequest(ctx, query),

  async backToSignInPage(ctx, input) {
    rememberRedirectUrl(ctx, await chooseRedirectUrl(ctx, askedIn(input)));
    return redirectTo(pageUrl(ctx, "signIn"));
  },
  async signOut(ctx, input) {
    return await signOut(ctx, await chooseRedirectUrl(ctx, askedIn(input)));
  },

  async oauthStart(ctx, input) {
    const target = await chooseRedirectUrl(ctx, askedIn(input));
    rememberRedirectUrl(ctx, target);
    return await (await oauth()).startOAuth(ctx, { provider: asOAuth(input.provider), target, params: input.query });
  },
  async oauthCallback(ctx, { provider, query }) {
    return await (await oauth()).finishOAuth(ctx, { provider: asOAuth(provider), params: query });
  },
  async oauthFormPost(ctx, { provider, fields }) {
    return (await oauth()).relayFormPost(ctx, { provider: asOAuth(provider), fields });
  },

  async emailStart(ctx, input) {
    const redirectUrl = await chooseRedirectUrl(ctx, askedIn(input));
    rememberRedirectUrl(ctx, redirectUrl);
    return await (await email()).startEmail(ctx, {
      provider: asEmail(input.provider),
      fields: input.fields,
      redirectUrl,
    });
  },
  async emailCallback(ctx, { provider, query }) {
    const redirectUrl = await chooseRedirectUrl(ctx, query.get("callbackUrl") ?? undefined);
    return await (await email()).openLink(ctx, { provider: asEmail(provider), query, redirectUrl });
  },
  async emailConfirmation(ctx, input) {
    const redirectUrl = await chooseRedirectUrl(ctx, askedIn(input));
    return await (await email()).confirmLink(ctx, {
      provider: asEmail(input.provider),
      query: input.query,
      redirectUrl,
    });
  },

  async credentialsCallback(ctx, input) {
    const redirectUrl = await chooseRedirectUrl(ctx, askedIn(input));
    const { signInWithCredentials } = await credentials();
    return await signInWithCredentials(ctx, {
      provider: asCredentials(input.provider),
      fields: input.fields,
      redirectUrl,
    });
  },

  async webauthnOptions(ctx, { provider, query }) {
    return await (await webauthn()).startCeremony(ctx, { provider: asWebAuthn(provider), query });
  },
  async webauthnCallback(ctx, input) {
    const redirectUrl = await chooseRedirectUrl(ctx, askedIn(input));
    const { finishCeremony } = await webauthn();
    return await finishCeremony(ctx, { provider: asWebAuthn(input.provider), fields: input.fields, redirectUrl });
  },
} satisfies Record<string, Flow>;

/** What was asked for as the target, in the body or else the query. */
function askedIn({ fields, query }: FlowInput): unknown {
  return fields.callbackUrl ?? query.get("callbackUrl") ?? undefined;
}

// The table pairs each flow with its type of provider; these say so to the compiler.
function asOAuth(provider: ResolvedProvider | null): ResolvedOAuthProvider {
  if (provider?.type === "oauth" || provider?.type === "oidc") return provider;
  throw new TypeError("Cannot run an OAuth flow: the provider is of another type");
}

function asEmail(provider: ResolvedProvider | null): ResolvedEmailProvider {
  if (provider?.type === "email") return provider;
  throw new TypeError("Cannot sign in by e-mail: the provider is of another type");
}

function asCredentials(provider: ResolvedProvider | null): ResolvedCredentialsProvider {
  if (provider?.type === "credentials") return provider;
  throw new TypeError("Cannot sign in with credentials: the provider is of another type");
}

function asWebAuthn(provider: ResolvedProvider | null): ResolvedWebAuthnProvider {
  if (provider?.type === "webauthn") return provider;
  throw new TypeError("Cannot hold a WebAuthn ceremony: the provider is of another type");
}
