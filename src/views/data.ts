/**
 * What scripts ask for: the providers, the CSRF token.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { ensureCsrfToken } from "../http/csrf.ts";
import { actionUrl } from "../request/links.ts";
import type { PublicProvider } from "../kernel/model.ts";
import { constant, json, notFound, type Outcome } from "../request/outcome.ts";
import { perOrigin } from "./per_origin.ts";

/** Lists the providers by id, with nothing that is not for everybody. */
export function showProviders(ctx: RequestContext): Outcome {
  return constant(listOf(ctx));
}

const listOf = perOrigin((ctx: RequestContext) => {
  const list: Record<string, PublicProvider> = Object.create(null);
  for (const { id, name, type } of ctx.config.providers.values()) {
    const signinUrl = actionUrl(ctx, `signin/${id}`);
    // Whoever asks for raw data is given this very list.
    list[id] = Object.freeze({ id, name, type, signinUrl, callbackUrl: actionUrl(ctx, `callback/${id}`) });
  }
  return Object.freeze(list);
});

/** Gives the CSRF token of this browser; there is none where it is switched off. */
export async function showCsrfToken({ config, cookies }: RequestContext): Promise<Outcome> {
  if (config.skipCSRFCheck) {
    cookies.clear("csrfToken");
    return notFound();
  }
  return json({ csrfToken: await ensureCsrfToken(cookies, config.secrets, config.runtime) });
}
