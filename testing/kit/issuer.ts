/**
 * An OpenID Provider without a socket: a function for the `fetch` of a runtime. It signs with real keys whatever a test
 * says, records its requests, and answers wrongly on demand.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import {
  createHash,
  createHmac,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signBytes,
} from "node:crypto";
import type { OAuthProvider, OidcProvider } from "../../src/contract/provider.ts";
import { START } from "./runtime.ts";

/** The endpoints whose answers a test can override. */
export type Endpoint = "discovery" | "jwks" | "token" | "userinfo";

/** Answers in place of an endpoint. `honest` gives the answer of the endpoint. */
export type Override = (request: Request, honest: () => Promise<Response>) => Response | Promise<Response>;

/** Changes to the claims or the header of the next id_tokens; `undefined` removes a member. */
export type Change = Readonly<Record<string, unknown>>;

/** A request to an endpoint. */
export interface RecordedRequest {
  /** Which one. */
  readonly endpoint: Endpoint | "unknown";
  /** Its method. */
  readonly method: string;
  /** Its URL. */
  readonly url: string;
  /** Its headers. */
  readonly headers: Headers;
  /** The fields of a form. */
  readonly form: URLSearchParams;
}

/** The authorization response. */
export interface Consent {
  /** Where the browser brings it. */
  readonly redirectUri: string;
  readonly params: URLSearchParams;
  /** Whether the browser posts it as a form. */
  readonly posts?: boolean;
}

/** What a person is asked for, and how they answer. */
export interface Decision {
  /** Who agrees: their claims, instead of those of the issuer. */
  readonly person?: Change | undefined;
  /** The error that comes back if they refuse. */
  readonly error?: string | undefined;
}

/** Options of {@linkcode createIssuer}. */
export interface IssuerOptions {
  /** The origin. @default {"https://idp.test"} */
  readonly url?: string;
  /** Seconds since 1970. @default the start of the test clock */
  readonly now?: () => number;
  /** Members of the metadata besides the endpoints. */
  readonly metadata?: Change;
  /** Finds the endpoint of a request. @default by its path */
  readonly endpointOf?: (request: Request) => Endpoint | "unknown";
  /** Whether the answer of the token endpoint has an id_token. @default {true} */
  readonly hasIdToken?: boolean;
}

/** A signing key with its public half. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly jwk: Readonly<Record<string, unknown>>;
}

/** The OpenID Provider. */
export interface Issuer {
  readonly url: string;
  readonly fetch: (request: Request) => Promise<Response>;
  /** All requests, in order. */
  readonly requests: readonly RecordedRequest[];
  /** The keys of the JWK Set. Tests may add and remove some. */
  readonly keys: SigningKey[];
  /** How many requests an endpoint got. */
  count(endpoint: Endpoint): number;
  /** A provider for the configuration, `oidc` with discovery. */
  provider(overrides?: Partial<OidcProvider>): OidcProvider;
  /** A provider for the configuration, `oauth` with explicit endpoints and no issuer. */
  oauthProvider(overrides?: Partial<OAuthProvider>): OAuthProvider;
  /** Agrees at the provider, as the person would, or refuses, and gives the authorization response. */
  consent(location: string, decision?: Decision): Promise<Consent>;
  /** Changes the claims of later id_tokens. */
  claim(change: Change): void;
  /** Changes the header of later id_tokens. */
  header(change: Change): void;
  /** Replaces the text of later id_tokens. */
  rewrite(change: (idToken: string) => string): void;
  /** Changes the userinfo response, which otherwise says the same as the claims of the id_token. */
  person(change: Change): void;
  /** Changes members of the token response. */
  grant(change: Change): void;
  /** Overrides the answer of an endpoint, always or a number of times. */
  override(endpoint: Endpoint, answer: Override, times?: number): void;
  /** Replaces the key with a new one. */
  rotate(alg?: string): SigningKey;
  /** Signs anything. */
  sign(claims: Change, header?: Change, key?: SigningKey): string;
}

/** The client id and secret of {@linkcode Issuer.provider}. */
export const CLIENT = { id: "client-1", secret: "secret-of-client-1" } as const;

/** Answers with JSON. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
}

interface Code {
  readonly redirectUri: string;
  readonly challenge: string | null;
  /** Whether the challenge is the verifier itself. */
  readonly isPlain: boolean;
  readonly nonce: string | null;
  readonly clientId: string;
  readonly person: Change | undefined;
}

/** Who an issuer speaks of unless a test says otherwise. */
const ADA = { sub: "ada-1", email: "Ada@Example.com", name: "Ada" } as const;

/** Makes an OpenID Provider. */
export function createIssuer(
  { url = "https://idp.test", now = () => START / 1000, metadata = {}, endpointOf = byPath, hasIdToken = true }:
    IssuerOptions = {},
): Issuer {
  const requests: RecordedRequest[] = [];
  const keys: SigningKey[] = [pooledKey("RS256", 0)];
  const codes = new Map<string, Code>();
  /** Of whom the userinfo endpoint speaks, by access token. */
  const people = new Map<string, Change>();
  const overrides = new Map<Endpoint, { answer: Override; times: number }>();
  const changes = { claims: {} as Change, header: {} as Change, person: {} as Change, grant: {} as Change };
  let rewritten = (idToken: string): string => idToken;
  let serial = 0;
  let rotations = 0;

  const sign = (claims: Change, header: Change = {}, key = keys[0]): string => {
    if (!key) throw new Error("The issuer has no key");
    return signJws(claims, { alg: key.alg, kid: key.kid, ...header }, key);
  };

  const idToken = ({ nonce, clientId, person = ADA }: Code): string => {
    const at = now();
    const honest = { iss: url, aud: clientId, iat: at, exp: at + 300, ...(nonce && { nonce }) };
    return rewritten(sign({ ...honest, ...person, ...changes.claims }, changes.header));
  };

  const answers: Record<Endpoint, (request: Request, form: URLSearchParams) => Response> = {
    discovery: () =>
      json({
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        userinfo_endpoint: `${url}/userinfo`,
        jwks_uri: `${url}/jwks`,
        ...metadata,
      }),
    jwks: () => json({ keys: keys.map(({ jwk }) => jwk) }),
    token: (_request, form) => {
      const code = codes.get(form.get("code") ?? "");
      codes.delete(form.get("code") ?? "");
      const verifier = form.get("code_verifier") ?? "";
      const verified = !code?.challenge || (code.isPlain ? verifier : s256(verifier)) === code.challenge;
      if (!code || !verified || code.redirectUri !== form.get("redirect_uri")) {
        return json({ error: "invalid_grant" }, 400);
      }
      const accessToken = `access-${++serial}`;
      if (code.person) people.set(accessToken, code.person);
      const tokens = {
        access_token: accessToken,
        token_type: "Bearer",
        expires_in: 3600,
        ...(hasIdToken && { id_token: idToken(code) }),
      };
      return json({ ...tokens, ...changes.grant });
    },
    userinfo: (request) => {
      const person = people.get(request.headers.get("authorization")?.replace(/^\S+ /, "") ?? "");
      if (person) return json({ ...person, ...changes.person });
      const said = ["sub", "name", "email", "email_verified"].filter((name) => name in changes.claims);
      const same = Object.fromEntries(said.map((name) => [name, changes.claims[name]]));
      return json({ ...ADA, ...same, ...changes.person });
    },
  };

  async function answer(request: Request): Promise<Response> {
    const endpoint = endpointOf(request);
    const form = new URLSearchParams(request.method === "POST" ? await request.clone().text() : "");
    requests.push({ endpoint, method: request.method, url: request.url, headers: request.headers, form });
    if (endpoint === "unknown") return json({}, 404);
    const honest = () => Promise.resolve(answers[endpoint](request, form));
    const override = overrides.get(endpoint);
    if (!override || override.times <= 0) return await honest();
    override.times--;
    return await override.answer(request, honest);
  }

  return {
    url,
    fetch: answer,
    requests,
    keys,
    count: (endpoint) => requests.filter((request) => request.endpoint === endpoint).length,
    provider: (overrides = {}) => ({
      id: "idp",
      name: "IdP",
      type: "oidc",
      issuer: url,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      ...overrides,
    }),
    oauthProvider: (overrides = {}) => ({
      id: "idp",
      name: "IdP",
      type: "oauth",
      authorization: `${url}/authorize`,
      token: `${url}/token`,
      userinfo: `${url}/userinfo`,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      ...overrides,
    }),
    consent(location, { person, error } = {}) {
      const asked = new URL(location).searchParams;
      const code = `code-${++serial}`;
      const redirectUri = asked.get("redirect_uri") ?? "";
      const clientId = asked.get("client_id") ?? CLIENT.id;
      const [challenge, nonce, state] = ["code_challenge", "nonce", "state"].map((name) => asked.get(name));
      const isPlain = asked.get("code_challenge_method") === "plain";
      const flow = { redirectUri, challenge: challenge ?? null, isPlain, nonce: nonce ?? null, clientId, person };
      if (!error) codes.set(code, flow);
      const params = new URLSearchParams({ ...(error ? { error } : { code }), ...(state && { state }) });
      return Promise.resolve({ redirectUri, params, posts: asked.get("response_mode") === "form_post" });
    },
    claim: (change) => void (changes.claims = { ...changes.claims, ...change }),
    header: (change) => void (changes.header = { ...changes.header, ...change }),
    rewrite: (change) => void (rewritten = change),
    person: (change) => void (changes.person = { ...changes.person, ...change }),
    grant: (change) => void (changes.grant = { ...changes.grant, ...change }),
    override: (endpoint, answer, times = Infinity) => void overrides.set(endpoint, { answer, times }),
    rotate(alg = "RS256") {
      const key = pooledKey(alg, ++rotations);
      keys.splice(0, keys.length, key);
      return key;
    },
    sign,
  };
}

function byPath(request: Request): Endpoint | "unknown" {
  const path = new URL(request.url).pathname;
  if (path === "/.well-known/openid-configuration") return "discovery";
  return path === "/jwks" || path === "/token" || path === "/userinfo" ? path.slice(1) as Endpoint : "unknown";
}

/** The old name of a signature by Ed25519, and its own (RFC 9864). */
const EDWARDS: ReadonlySet<string> = new Set(["EdDSA", "Ed25519"]);

const CURVES: Readonly<Record<string, string>> = { ES256: "P-256", ES384: "P-384", ES512: "P-521" };

let made = 0;
const pool = new Map<string, SigningKey>();

// RSA keys take long to make, so all issuers share theirs: an id_token of one must still not pass for another's.
function pooledKey(alg: string, at: number): SigningKey {
  const key = pool.get(`${alg} ${at}`) ?? makeKey(alg);
  pool.set(`${alg} ${at}`, key);
  return key;
}

/** Makes a key. @param bits The size of an RSA key. */
export function makeKey(alg: string, bits = 2048): SigningKey {
  const namedCurve = CURVES[alg];
  const { privateKey } = namedCurve
    ? generateKeyPairSync("ec", { namedCurve })
    : EDWARDS.has(alg)
    ? generateKeyPairSync("ed25519")
    : generateKeyPairSync("rsa", { modulusLength: bits });
  const kid = `key-${++made}`;
  return {
    kid,
    alg,
    privateKey,
    jwk: { ...createPublicKey(privateKey).export({ format: "jwk" }), kid, alg, use: "sig" },
  };
}

/** Makes a key of the secret of a client, for the algorithms that begin with HS. */
export function secretKey(alg: string, secret: string): SigningKey {
  return { kid: "secret", alg, privateKey: createSecretKey(Buffer.from(secret)), jwk: {} };
}

/** Signs a compact JWS of anything, with the algorithm of the key, whatever `alg` the header has. */
export function signJws(claims: unknown, header: Change, { alg, privateKey }: SigningKey): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  if (alg.startsWith("HS")) {
    return `${signed}.${createHmac(`sha${alg.slice(2)}`, privateKey).update(signed).digest("base64url")}`;
  }
  const digest = EDWARDS.has(alg) ? null : `sha${alg.slice(2)}`;
  const options = alg.startsWith("ES")
    ? { key: privateKey, dsaEncoding: "ieee-p1363" as const }
    : alg.startsWith("PS")
    ? { key: privateKey, padding: 6, saltLength: Number(alg.slice(2)) / 8 }
    : privateKey;
  return `${signed}.${signBytes(digest, Buffer.from(signed), options).toString("base64url")}`;
}

/** Encodes a value as JSON, or text as it is, in base64url. */
export function encode(part: unknown): string {
  return Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");
}

function s256(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}
