/**
 * What scripts ask for: the providers and the CSRF token.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { ensureCsrfToken } from "../http/csrf.ts";
import { actionUrl } from "../request/links.ts";
import type { PublicProvider } from "../kernel/model.ts";
import { json, JsonText, notFound, type Outcome } from "../request/outcome.ts";
import type { ResolvedConfig } from "../config/resolve.ts";

/** The list that was written last for each configuration. It depends on nothing but the origin. */
const written = new WeakMap<ResolvedConfig, { readonly origin: string; readonly list: JsonText }>();

/** Lists the providers by id, with nothing that is not public. */
export function listProviders(ctx: RequestContext): Outcome {
  const { config, url: { origin } } = ctx;
  const known = written.get(config);
  if (known?.origin === origin) return json(known.list);
  // Without a prototype, so that an id such as "__proto__" is one like any other.
  const providers: Record<string, PublicProvider> = Object.create(null);
  for (const { id, name, type } of config.providers.values()) {
    const signinUrl = actionUrl(ctx, `signin/${id}`);
    providers[id] = { id, name, type, signinUrl, callbackUrl: actionUrl(ctx, `callback/${id}`) };
  }
  const list = Object.freeze(new JsonText(JSON.stringify(providers)));
  written.set(config, { origin, list });
  return json(list);
}

/** Gives the CSRF token of this browser, or 404 where CSRF tokens are switched off. */
export async function issueCsrfToken({ config, cookies }: RequestContext): Promise<Outcome> {
  if (config.skipCSRFCheck) {
    cookies.clear("csrfToken");
    return notFound();
  }
  return json({ csrfToken: await ensureCsrfToken(cookies, config.secrets, config.runtime) });
}
