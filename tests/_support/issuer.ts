/**
 * An identity provider without a socket: a function to put where a runtime has its `fetch`. It signs with real keys
 * whatever a test says, remembers what it was asked, and lies on demand.
 *
 * @example Usage
 * ```ts
 * const issuer = createIssuer();
 * const runtime = testRuntime({ fetch: issuer.fetch });
 * const config = { providers: [issuer.provider()], secret, trustHost: true };
 * // … start a sign-in, then play the person at the provider:
 * const answer = await issuer.consent(location);
 * // … and deliver `answer` to `answer.redirectUri`.
 * ```
 *
 * @module
 */
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign as signBytes } from "node:crypto";
import type { OAuthProvider, OidcProvider } from "../../src/contract/provider.ts";
import { START } from "./runtime.ts";

/** The endpoints that can be made to lie. */
export type Endpoint = "discovery" | "jwks" | "token" | "userinfo";

/** A lie: answers in place of the endpoint. `honest` gives what it would have said. */
export type Lie = (request: Request, honest: () => Promise<Response>) => Response | Promise<Response>;

/** Changes to the claims or the header of the next id_tokens; `undefined` removes a member. */
export type Change = Readonly<Record<string, unknown>>;

/** What an endpoint was asked. */
export interface Recorded {
  readonly endpoint: Endpoint | "unknown";
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  /** The fields of a form. */
  readonly form: URLSearchParams;
}

/** What the provider sends the browser back with. */
export interface Consent {
  readonly redirectUri: string;
  readonly params: URLSearchParams;
}

/** What a test may choose. */
export interface IssuerOptions {
  /** The origin. @default {"https://idp.test"} */
  readonly url?: string;
  /** Seconds since 1970. @default the start of the test clock */
  readonly now?: () => number;
  /** Members of the metadata besides the endpoints. */
  readonly metadata?: Change;
}

/** A signing key with its public half. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly jwk: Readonly<Record<string, unknown>>;
}

/** The identity provider. */
export interface Issuer {
  readonly url: string;
  readonly fetch: (request: Request) => Promise<Response>;
  /** Everything that was asked, in order. */
  readonly requests: readonly Recorded[];
  /** The keys of the key document; a test may add and remove. */
  readonly keys: SigningKey[];
  /** How often an endpoint was asked. */
  count(endpoint: Endpoint): number;
  /** A provider for the configuration, `oidc` with discovery. */
  provider(overrides?: Partial<OidcProvider>): OidcProvider;
  /** A provider for the configuration, `oauth` with explicit endpoints and no issuer. */
  oauthProvider(overrides?: Partial<OAuthProvider>): OAuthProvider;
  /** Plays the person at the provider: reads the authorization URL, agrees, and gives the answer. */
  consent(location: string): Promise<Consent>;
  /** Changes the claims of later id_tokens. */
  claim(change: Change): void;
  /** Changes the header of later id_tokens. */
  header(change: Change): void;
  /** Replaces the text of later id_tokens. */
  rewrite(change: (idToken: string) => string): void;
  /** Changes the answer of userinfo. */
  person(change: Change): void;
  /** Changes members of the token answer. */
  grant(change: Change): void;
  /** Makes an endpoint lie, always or a number of times. */
  lie(endpoint: Endpoint, lie: Lie, times?: number): void;
  /** Replaces the key by a new one. */
  rotate(alg?: string): SigningKey;
  /** Signs anything. */
  sign(claims: Change, header?: Change, key?: SigningKey): string;
}

/** Id and secret that {@linkcode Issuer.provider} is configured with. */
export const CLIENT = { id: "client-1", secret: "secret-of-client-1" } as const;

/** Answers with JSON. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
}

interface Code {
  readonly redirectUri: string;
  readonly challenge: string | null;
  readonly nonce: string | null;
}

/** Makes an identity provider. */
export function createIssuer(
  { url = "https://idp.test", now = () => START / 1000, metadata = {} }: IssuerOptions = {},
): Issuer {
  const requests: Recorded[] = [];
  const keys: SigningKey[] = [pooledKey("RS256", 0)];
  const codes = new Map<string, Code>();
  const lies = new Map<Endpoint, { lie: Lie; times: number }>();
  const changes = { claims: {} as Change, header: {} as Change, person: {} as Change, grant: {} as Change };
  let rewritten = (idToken: string): string => idToken;
  let serial = 0;
  let rotations = 0;

  const sign = (claims: Change, header: Change = {}, key = keys[0]): string => {
    if (!key) throw new Error("The issuer has no key");
    return signJws(claims, { alg: key.alg, kid: key.kid, ...header }, key);
  };

  const idToken = (nonce: string | null): string => {
    const at = now();
    const claims = {
      iss: url,
      sub: "ada-1",
      aud: CLIENT.id,
      iat: at,
      exp: at + 300,
      email: "Ada@Example.com",
      name: "Ada",
    };
    return rewritten(sign({ ...claims, ...(nonce && { nonce }), ...changes.claims }, changes.header));
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
      const proven = !code?.challenge || s256(form.get("code_verifier") ?? "") === code.challenge;
      if (!code || !proven || code.redirectUri !== form.get("redirect_uri")) {
        return json({ error: "invalid_grant" }, 400);
      }
      const tokens = {
        access_token: `access-${++serial}`,
        token_type: "Bearer",
        expires_in: 3600,
        id_token: idToken(code.nonce),
      };
      return json({ ...tokens, ...changes.grant });
    },
    userinfo: () => json({ sub: "ada-1", name: "Ada", email: "Ada@Example.com", ...changes.person }),
  };

  const endpointOf = (path: string): Endpoint | "unknown" => {
    if (path === "/.well-known/openid-configuration") return "discovery";
    return path === "/jwks" || path === "/token" || path === "/userinfo" ? path.slice(1) as Endpoint : "unknown";
  };

  async function answer(request: Request): Promise<Response> {
    const endpoint = endpointOf(new URL(request.url).pathname);
    const form = new URLSearchParams(request.method === "POST" ? await request.clone().text() : "");
    requests.push({ endpoint, method: request.method, url: request.url, headers: request.headers, form });
    if (endpoint === "unknown") return json({}, 404);
    const honest = () => Promise.resolve(answers[endpoint](request, form));
    const lying = lies.get(endpoint);
    if (!lying || lying.times <= 0) return await honest();
    lying.times--;
    return await lying.lie(request, honest);
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
    consent(location) {
      const asked = new URL(location).searchParams;
      const code = `code-${++serial}`;
      const redirectUri = asked.get("redirect_uri") ?? "";
      codes.set(code, { redirectUri, challenge: asked.get("code_challenge"), nonce: asked.get("nonce") });
      const state = asked.get("state");
      return Promise.resolve({ redirectUri, params: new URLSearchParams({ code, ...(state && { state }) }) });
    },
    claim: (change) => void (changes.claims = { ...changes.claims, ...change }),
    header: (change) => void (changes.header = { ...changes.header, ...change }),
    rewrite: (change) => void (rewritten = change),
    person: (change) => void (changes.person = { ...changes.person, ...change }),
    grant: (change) => void (changes.grant = { ...changes.grant, ...change }),
    lie: (endpoint, lie, times = Infinity) => void lies.set(endpoint, { lie, times }),
    rotate(alg = "RS256") {
      const key = pooledKey(alg, ++rotations);
      keys.splice(0, keys.length, key);
      return key;
    },
    sign,
  };
}

/** The old name of a signature by Ed25519, and its own (RFC 9864). */
const EDWARDS: ReadonlySet<string> = new Set(["EdDSA", "Ed25519"]);

const CURVES: Readonly<Record<string, string>> = { ES256: "P-256", ES384: "P-384", ES512: "P-521" };

let made = 0;
const pool = new Map<string, SigningKey>();

// RSA keys take long to make. That all issuers begin with the same key is one more thing the tests prove harmless.
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

/** Signs a compact JWS, of whatever. `alg` in the header may say what it likes: the key decides. */
export function signJws(claims: unknown, header: Change, { alg, privateKey }: SigningKey): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  const digest = EDWARDS.has(alg) ? null : `sha${alg.slice(2)}`;
  const options = alg.startsWith("ES")
    ? { key: privateKey, dsaEncoding: "ieee-p1363" as const }
    : alg.startsWith("PS")
    ? { key: privateKey, padding: 6, saltLength: Number(alg.slice(2)) / 8 }
    : privateKey;
  return `${signed}.${signBytes(digest, Buffer.from(signed), options).toString("base64url")}`;
}

/** Writes JSON, or text as it is, as base64url. */
export function encode(part: unknown): string {
  return Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");
}

function s256(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}
