/**
 * The endpoints of providers, and the parameters that they are given.
 *
 * @module
 */
import { isPlainObject } from "../kernel/objects.ts";
import type { ParamValue, ResolvedEndpoint } from "./resolved_provider.ts";

interface EndpointObject<Handler> {
  readonly url?: string | URL | undefined;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly request?: Handler | undefined;
}

/** Reads an endpoint: a URL, one with parameters, or a function. */
export function endpointOf<Handler, Quirks = unknown>(
  given: string | EndpointObject<Handler> | Handler | undefined,
): ResolvedEndpoint<Handler> & Quirks {
  const { url, params, request, ...quirks } = typeof given === "object" ? given as EndpointObject<Handler> : {
    ...(typeof given === "string" && { url: given }),
    ...(typeof given === "function" && { request: given as Handler }),
  };
  return {
    ...quirks,
    url: url === undefined ? undefined : String(url),
    params: readParams(params ?? {}),
    handler: request,
  } as ResolvedEndpoint<Handler> & Quirks;
}

function readParams(params: Readonly<Record<string, unknown>>): Readonly<Record<string, ParamValue>> {
  const read = Object.entries(params)
    .filter(([, value]) => isSet(value))
    .map(([name, value]) => [name, readParam(name, value)]);
  return Object.freeze(Object.fromEntries(read));
}

function readParam(name: string, given: unknown): ParamValue {
  const values = paramValues(name, given);
  const [only] = values;
  return values.length === 1 && only !== undefined ? only : Object.freeze(values);
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function asText(value: unknown): string {
  return isPlainObject(value) ? JSON.stringify(value) : String(value);
}

// Parameters that hold several values, with spaces between them. They must not be repeated (RFC 6749, section 3.1).
const SPACED: ReadonlySet<string> = new Set([
  "scope",
  "prompt",
  "acr_values",
  "ui_locales",
  "claims_locales",
  "response_type",
]);

// One JSON array, however many objects there are (RFC 9396, section 2).
const JSON_LIST = "authorization_details";

/** Gives the values to send of a parameter: one text where it holds a list itself. */
export function paramValues(name: string, given: unknown): readonly string[] {
  const values = [given].flat().filter(isSet);
  if (name === JSON_LIST && values.some((value) => typeof value !== "string")) return [JSON.stringify(values)];
  const texts = values.map(asText);
  return Array.isArray(given) && SPACED.has(name) ? [texts.join(" ")] : texts;
}

/**
 * Gives the URL of an issuer's metadata.
 *
 * @see {@link https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfigurationRequest | Discovery, section 4.1}
 */
export function metadataUrl(issuer: string): string {
  return `${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`;
}
