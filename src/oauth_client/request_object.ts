/**
 * Signed authorization requests: the parameters as claims of a JWT, which only this client can have made.
 *
 * @module
 * @see {@link https://www.rfc-editor.org/rfc/rfc9101 | RFC 9101}
 */
import * as oauth from "oauth4webapi";
import { BadRequest, InvalidConfig } from "../kernel/errors.ts";
import { isObject } from "../kernel/objects.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { Server } from "./server.ts";
import { signingAlgorithm } from "./signing_alg.ts";

/** Seconds for which a request object is valid: the browser takes it to the provider at once. */
const LIFETIME = 5 * 60;

/**
 * Claims that say what the JWT itself is. With a `sub` of somebody's choice, a request object would pass for an assertion
 * that authenticates this client (section 10.8), and it passes through the browser.
 */
const CLAIMS: readonly string[] = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"];

/** Claims that are JSON and not text, with what they must be. */
const JSON_CLAIMS: Readonly<Record<string, (value: unknown) => boolean>> = {
  max_age: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  claims: isObject,
  authorization_details: Array.isArray,
};

/** Who signs, for whom, and with what. */
export interface Signing {
  readonly provider: Pick<ResolvedOAuthProvider, "id" | "client">;
  readonly server: Pick<Server, "metadata" | "hasIssuer">;
  readonly client: oauth.Client;
  readonly key: CryptoKey | oauth.PrivateKey;
  /** The id of the request object. Nobody else's is the same. */
  readonly jti: string;
  /** Seconds since 1970. */
  readonly now: number;
}

/**
 * Signs an authorization request.
 *
 * @returns The request object, for the parameter `request`.
 * @throws {InvalidConfig} if there is no issuer, or the key is for another algorithm than the registered one.
 * @throws {BadRequest} if a parameter cannot be part of a request object.
 */
export async function signRequest(
  { provider, server, client, key, jti, now }: Signing,
  given: URLSearchParams,
): Promise<string> {
  // An empty one counts as none (RFC 6749, section 3.1).
  const params = new URLSearchParams([...given].filter(([, value]) => value !== ""));
  assertClaims(params);
  const { id } = provider;
  if (!server.hasIssuer) {
    throw new InvalidConfig(`Cannot sign requests to provider "${id}": set its \`issuer\`, which they are for`);
  }
  return await oauth.issueRequestObject(server.metadata, client, params, key, {
    [oauth.modifyAssertion](header, claims) {
      header.alg = algorithmFor(provider, server, String(header.alg));
      // The library keeps one value of each name.
      for (const [name, values] of Map.groupBy(params, ([name]) => name)) {
        if (values.length > 1) claims[name] = values.map(([, value]) => value);
      }
      Object.assign(claims, { jti, iat: now, nbf: now, exp: now + LIFETIME });
    },
  });
}

function assertClaims(params: URLSearchParams): void {
  const reserved = CLAIMS.find((name) => params.has(name));
  if (reserved) throw new BadRequest(`The parameter ${reserved} cannot be part of a signed request`);
  for (const [name, fits] of Object.entries(JSON_CLAIMS)) {
    for (const value of params.getAll(name)) {
      if (!fits(parse(value))) throw new BadRequest(`The parameter ${name} is not the JSON that it must be`);
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function algorithmFor(
  { id, client }: Signing["provider"],
  { metadata }: Signing["server"],
  ofKey: string,
): string {
  const { request_object_signing_alg: registered } = client;
  const offered: unknown = metadata.request_object_signing_alg_values_supported;
  const name = signingAlgorithm({ ofKey, registered, offered });
  if (name !== null) return name;
  throw new InvalidConfig(
    `Cannot sign requests to provider "${id}": its key signs ${ofKey}, and \`client.request_object_signing_alg\` is ` +
      `${registered}; import the key for that algorithm`,
  );
}
