/**
 * The URL that ends the session at a provider.
 *
 * @module
 * @see {@link https://openid.net/specs/openid-connect-rpinitiated-1_0.html#RPLogout | RP-Initiated Logout, section 2}
 */
import { endpointOf, metadataUrl } from "../config/endpoint.ts";
import type { ParamValue, ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { LogoutHandler } from "../contract/provider.ts";
import { asRedirectUrl, isSecureUrl, type RedirectUrl } from "../http/redirect_url.ts";
import { OAuthProviderError } from "../kernel/errors.ts";
import { handlerProvider, setParams } from "../oauth_client/client.ts";
import { authorizationServer } from "../oauth_client/discovery.ts";
import { callHandler } from "../oauth_client/failure.ts";
import { lackOf } from "../oauth_client/metadata.ts";
import type { RequestContext } from "../request/context.ts";
import { actionUrl } from "../request/links.ts";

/** What belongs to one logout. */
export interface LogoutValues {
  readonly state: string;
  readonly idToken: string | null;
}

/** The longest URL, in characters. Servers refuse longer ones, and ask a person who comes without a hint. */
const LONGEST_URL = 8 * 1024;

/** The name that the specification has for the parameter with the URL to come back to. */
const STANDARD = "post_logout_redirect_uri";

/**
 * Makes the URL.
 *
 * @throws {OAuthProviderError} if there is none, or it is not an https URL.
 */
export async function endSessionUrl(
  ctx: RequestContext,
  provider: ResolvedOAuthProvider,
  values: LogoutValues,
): Promise<RedirectUrl> {
  const { logout } = provider;
  const given = typeof logout === "boolean" ? undefined : logout;
  const { handler, params: configured, url: own } = endpointOf<LogoutHandler>(given);
  const ownReturnParam = typeof given === "object" ? given.returnParam : undefined;
  const standard = standardParams(ctx, provider, values);
  if (handler) {
    const call = { provider: handlerProvider(ctx, provider), params: new URLSearchParams(standard) };
    return asRedirect(provider, await callHandler(ctx.config, provider, "logout", () => handler(call), handlerError));
  }
  const known: KnownEndpoint = own ? { url: own } : await knownEndpoint(ctx, provider);
  const returnParam = ownReturnParam ?? known.returnParam;
  const { client_id, [STANDARD]: back } = standard;
  // What is not the standard gets no id_token, and gives no state back.
  const isStandard = returnParam === undefined || returnParam === STANDARD;
  const params: Params = isStandard ? standard : { client_id, [returnParam]: back };
  const whole = withParams(known.url, configured, params);
  if (whole.length <= LONGEST_URL) return asRedirect(provider, whole);
  const { id_token_hint: _, ...others } = params;
  return asRedirect(provider, withParams(known.url, configured, others));
}

type Params = Readonly<Record<string, string>>;

function standardParams(
  ctx: RequestContext,
  { id, clientId }: ResolvedOAuthProvider,
  { state, idToken }: LogoutValues,
): Params & { readonly client_id: string; readonly post_logout_redirect_uri: string } {
  return {
    ...(idToken && { id_token_hint: idToken }),
    client_id: clientId,
    post_logout_redirect_uri: actionUrl(ctx, `signout/${id}`),
    state,
  };
}

// Last come those that the return depends on: nothing overrides them.
function withParams(base: string, configured: Readonly<Record<string, ParamValue>>, params: Params): string {
  const url = new URL(base);
  const search = new URLSearchParams(url.searchParams);
  setParams(search, configured);
  setParams(search, params);
  url.search = search.toString();
  return url.href;
}

interface KnownEndpoint {
  readonly url: string;
  readonly returnParam?: string | undefined;
}

// What the provider says itself, then what the catalogue knows.
async function knownEndpoint({ config }: RequestContext, provider: ResolvedOAuthProvider): Promise<KnownEndpoint> {
  const { issuer, logoutFallback } = provider;
  // A provider whose other endpoints are configured needs its metadata for this one only.
  const wellKnown = provider.wellKnown ?? (issuer && metadataUrl(issuer));
  const server = wellKnown ? await authorizationServer(config, { ...provider, wellKnown }) : null;
  const { end_session_endpoint: announced } = server?.metadata ?? {};
  if (announced) return { url: announced };
  const fallback = logoutFallback && URL.parse(logoutFallback.url, issuer);
  if (fallback) return { url: fallback.href, returnParam: logoutFallback.returnParam };
  const why = server ? lackOf(server, "end_session_endpoint") : "it has no issuer that could be asked for the URL";
  throw new OAuthProviderError(`${why}; set the \`url\` of its \`logout\``);
}

function asRedirect({ allowInsecureRequests }: ResolvedOAuthProvider, url: unknown): RedirectUrl {
  const redirectUrl = URL.canParse(String(url)) ? asRedirectUrl(String(url), String(url)) : null;
  if (redirectUrl && isSecureUrl(redirectUrl, allowInsecureRequests)) return redirectUrl;
  throw new OAuthProviderError(`the URL of its \`logout\` is not an https URL`);
}

function handlerError(_: string, cause: unknown): Error {
  return new OAuthProviderError("its `logout` failed", { cause });
}
