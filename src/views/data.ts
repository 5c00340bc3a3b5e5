/**
 * What scripts ask for: the providers and the CSRF token.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { ensureCsrfToken } from "../http/csrf.ts";
import { actionUrl } from "../request/links.ts";
import type { PublicProvider } from "../kernel/model.ts";
import { json, notFound, type Outcome } from "../request/outcome.ts";

/** Lists the providers by id, with nothing that is not public. */
export function listProviders(ctx: RequestContext): Outcome {
  const providers = [...ctx.config.providers.values()].map(({ id, name, type }): [string, PublicProvider] => {
    const signinUrl = actionUrl(ctx, `signin/${id}`);
    return [id, { id, name, type, signinUrl, callbackUrl: actionUrl(ctx, `callback/${id}`) }];
  });
  // Also an id such as "__proto__" becomes an own member.
  return json(Object.fromEntries(providers));
}

/** Gives the CSRF token of this browser, or 404 where CSRF tokens are switched off. */
export async function issueCsrfToken({ config, cookies }: RequestContext): Promise<Outcome> {
  if (config.skipCSRFCheck) {
    cookies.clear("csrfToken");
    return notFound();
  }
  return json({ csrfToken: await ensureCsrfToken(cookies, config.secrets, config.runtime) });
}
