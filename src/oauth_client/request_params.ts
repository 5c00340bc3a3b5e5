/**
 * What a configuration, and the caller of one request, have the authorization request ask for.
 *
 * @module
 */
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { isObject } from "../kernel/objects.ts";

/** Returns a configured parameter of the authorization request, from the parameters or else from the URL. */
export function configuredParam({ authorization }: ResolvedOAuthProvider, name: string): string | undefined {
  const { url, params } = authorization;
  const given = params[name] ?? (url === undefined ? null : URL.parse(url)?.searchParams.get(name));
  return given === null || given === undefined ? undefined : String(given);
}

/** Claims that say how somebody was authenticated. */
const CLAIMS = ["acr", "acrs", "amr", "auth_time"] as const;

/** Whether a request asks the provider how a person authenticates: by `acr_values`, `max_age`, or a claim in `claims`. */
export function asksHow(provider: ResolvedOAuthProvider, added: URLSearchParams): boolean {
  // What a caller adds replaces what is configured.
  const param = (name: string) => added.get(name) ?? configuredParam(provider, name) ?? "";
  if (param("acr_values") !== "" || param("max_age") !== "") return true;
  const { id_token: asked } = readJson(param("claims"));
  return isObject(asked) && CLAIMS.some((name) => Object.hasOwn(asked, name));
}

function readJson(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
