/**
 * The issuer double with what goes through the browser: pushed requests (RFC 9126), signed requests (RFC 9101) and signed
 * responses (JARM). It can lie in each of them.
 */
import { Buffer } from "node:buffer";
import { createPublicKey, type KeyObject, verify as verifyBytes } from "node:crypto";
import { type Change, type Consent, createIssuer, type Issuer, type IssuerOptions, json, signJws } from "./issuer.ts";
import { START } from "./runtime.ts";

/** A request that was pushed. */
export interface Pushed {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly form: URLSearchParams;
}

/** How the issuer answers a pushed request. `honest` gives the answer of the endpoint. */
export type PushAnswer = (pushed: Pushed, honest: () => Response) => Response;

/** What a signed response is changed in. */
export interface Lie {
  /** Changes claims; `undefined` removes one. */
  readonly claims?: Change;
  readonly header?: Change;
  /** Replaces the text. */
  readonly rewrite?: (jwt: string) => string;
}

/** The double. */
export interface FrontIssuer extends Issuer {
  /** All requests that were pushed. */
  readonly pushed: readonly Pushed[];
  /** Answers pushed requests from now on. */
  answerPush(answer: PushAnswer): void;
  /** The parameters that the provider acts on: those of the URL, of what was pushed, or of the request object. */
  read(location: string): URLSearchParams;
  /** Agrees, and gives the response as a JWT. */
  consentSigned(location: string, lie?: Lie): Promise<Consent>;
  /** Refuses, and gives the error as a JWT. */
  refuseSigned(location: string, error: Change, lie?: Lie): Consent;
}

/** Where requests are pushed to. */
export const PAR = "https://idp.test/par";

/** Makes the double. */
export function createFrontIssuer({ metadata = {}, ...options }: IssuerOptions = {}): FrontIssuer {
  const issuer = createIssuer({
    ...options,
    metadata: { pushed_authorization_request_endpoint: PAR, ...metadata },
  });
  const { now = () => START / 1000 } = options;
  const pushed: Pushed[] = [];
  const stored = new Map<string, URLSearchParams>();
  let serial = 0;
  let answer: PushAnswer = (_pushed, honest) => honest();

  async function fetch(request: Request): Promise<Response> {
    if (request.url !== PAR) return await issuer.fetch(request);
    const { method, url, headers } = request;
    const form = new URLSearchParams(await request.text());
    const received = { method, url, headers, form };
    pushed.push(received);
    return answer(received, () => {
      const uri = `urn:ietf:params:oauth:request_uri:${++serial}`;
      stored.set(uri, form);
      return json({ request_uri: uri, expires_in: 60 }, 201);
    });
  }

  function read(location: string): URLSearchParams {
    const { searchParams } = new URL(location);
    const uri = searchParams.get("request_uri");
    const params = uri === null ? searchParams : stored.get(uri);
    if (!params) throw new Error("invalid_request_uri");
    if (uri !== null) stored.delete(uri);
    const request = params.get("request");
    if (request === null) return params;
    const claims = Object.entries(claimsOf(request)).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((
        one,
      ) => [name, typeof one === "object" ? JSON.stringify(one) : `${one}`])
    );
    return new URLSearchParams(claims);
  }

  function respond(
    asked: URLSearchParams,
    members: Change,
    { claims, header = {}, rewrite = (jwt) => jwt }: Lie,
  ): Consent {
    const state = asked.get("state");
    const honest = {
      iss: issuer.url,
      aud: asked.get("client_id"),
      exp: now() + 300,
      ...members,
      ...(state && { state }),
    };
    const response = rewrite(issuer.sign({ ...honest, ...claims }, header));
    return { redirectUri: asked.get("redirect_uri") ?? "", params: new URLSearchParams({ response }) };
  }

  return {
    ...issuer,
    fetch,
    pushed,
    answerPush: (given) => void (answer = given),
    read,
    consent: (location) => issuer.consent(`${issuer.url}/authorize?${read(location)}`),
    async consentSigned(location, lie = {}) {
      const asked = read(location);
      const { params } = await issuer.consent(`${issuer.url}/authorize?${asked}`);
      return respond(asked, { code: params.get("code") }, lie);
    },
    refuseSigned: (location, error, lie = {}) => respond(read(location), error, lie),
  };
}

/** The claims of a JWT, unverified. */
export function claimsOf(jwt: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString());
}

/** The header of a JWT. */
export function headerOf(jwt: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(jwt.split(".")[0] ?? "", "base64url").toString());
}

/** A key pair of a client. */
export interface ClientKey {
  readonly key: CryptoKey;
  readonly publicKey: KeyObject;
  /** The public key as the provider has it registered. */
  readonly jwk: Readonly<Record<string, unknown>>;
}

const ALGORITHMS: Readonly<Record<string, { readonly algorithm: object; readonly hash: string | null }>> = {
  ES256: { algorithm: { name: "ECDSA", namedCurve: "P-256" }, hash: "sha256" },
  ES384: { algorithm: { name: "ECDSA", namedCurve: "P-384" }, hash: "sha384" },
  RS256: { algorithm: rsa("RSASSA-PKCS1-v1_5"), hash: "sha256" },
  PS256: { algorithm: rsa("RSA-PSS"), hash: "sha256" },
  Ed25519: { algorithm: { name: "Ed25519" }, hash: null },
};

function rsa(name: string): object {
  return { name, hash: "SHA-256", modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
}

/** Makes a key pair for an algorithm. */
export async function clientKey(alg = "ES256"): Promise<ClientKey> {
  const { algorithm } = ALGORITHMS[alg] ?? {};
  if (!algorithm) throw new Error(`no such algorithm: ${alg}`);
  const pair = await crypto.subtle.generateKey(algorithm as EcKeyGenParams, true, ["sign", "verify"]);
  const { key_ops: _, ext: __, ...jwk } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  const members = { ...jwk, use: "sig", alg };
  return { key: pair.privateKey, publicKey: createPublicKey({ key: members, format: "jwk" }), jwk: members };
}

/** Whether a JWS is signed by a key. */
export function isSignedBy(jwt: string, alg: string, { publicKey }: ClientKey): boolean {
  const [header, payload, signature = ""] = jwt.split(".");
  const key = alg.startsWith("ES")
    ? { key: publicKey, dsaEncoding: "ieee-p1363" as const }
    : alg.startsWith("PS")
    ? { key: publicKey, padding: 6, saltLength: 32 }
    : publicKey;
  const bytes = Buffer.from(`${header}.${payload}`);
  return verifyBytes(ALGORITHMS[alg]?.hash ?? null, bytes, key, Buffer.from(signature, "base64url"));
}

export { signJws };
