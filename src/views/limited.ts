/**
 * What a visitor gets who has tried too often.
 *
 * @module
 */
import type { Fields } from "../http/body.ts";
import type { ResolvedProvider } from "../config/resolved_provider.ts";
import type { TooManyAttempts } from "../kernel/errors.ts";
import type { RequestContext } from "../request/context.ts";
import { limitFields } from "../request/limited.ts";
import { pageUrl, wantsPage } from "../request/links.ts";
import { type Outcome, redirectTo } from "../request/outcome.ts";
import { failureOf } from "./failure.ts";
import { openSignInPage } from "./pages.ts";

/** What was tried. */
export interface Tried {
  readonly provider: ResolvedProvider;
  readonly fields: Fields;
  /** Where the browser was to go, as the request has it. */
  readonly callbackUrl: unknown;
}

/**
 * Answers with status 429: browsers get the sign-in page with the form and what was typed, scripts get JSON. With a sign-in
 * page of the application, browsers are sent there.
 */
export async function answerLimited(ctx: RequestContext, error: TooManyAttempts, tried: Tried): Promise<Outcome> {
  const { retryAfter, ways, type, challenge } = error;
  const headers = limitFields(error);
  const { request, config: { pages } } = ctx;
  const signInUrl = pageUrl(ctx, "signIn", { error: type });
  if (!wantsPage(request)) {
    // Clients of Auth.js read the error from a URL.
    const url = request.headers.has("x-auth-return-redirect") && { url: signInUrl };
    return {
      kind: "json",
      body: { error: type, retryAfter, ways, ...url, ...(challenge && { challenge }) },
      status: 429,
      headers,
    };
  }
  if (pages.signIn) return redirectTo(signInUrl);
  const { provider, fields, callbackUrl } = tried;
  const query = new URLSearchParams({ error: type, ...(typeof callbackUrl === "string" && { callbackUrl }) });
  const failure = failureOf(provider, { error: type, fields });
  const shown = await openSignInPage(ctx, query, null, { failure, retryAfter, challenge });
  return shown.kind === "page" ? { ...shown, status: 429, headers } : shown;
}
