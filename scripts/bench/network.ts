/**
 * Replaces the network: the same fast answers of the providers for every side.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { generateKeyPairSync, sign } from "node:crypto";
import { ADA, CLIENT, ISSUER } from "./sides/side.ts";

/** Answers a request to a provider with JSON; `null` leaves it to others. */
export type SpecialAnswer = (url: string, request: () => Request) => Promise<string | null>;

/** Runs a function while `fetch` reaches only the fake providers. */
export async function withoutNetwork<T>(run: () => Promise<T>, special?: SpecialAnswer): Promise<T> {
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const text = await special?.(input instanceof Request ? input.url : String(input), () => new Request(input, init));
    return typeof text === "string" ? json(text) : await answer(input, init);
  };
  if (!special) globalThis.fetch = answer;
  try {
    return await run();
  } finally {
    globalThis.fetch = fetch;
  }
}

async function answer(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const url = input instanceof Request ? input.url : String(input);
  if (url === `${ISSUER}/token`) {
    const form = new URLSearchParams(await new Request(input, init).text());
    return json(tokenAnswer(form.get("code") ?? ""));
  }
  const text = FIXED.get(url);
  if (text === undefined) throw new TypeError(`Cannot reach ${url}: the benchmark has no network`);
  return json(text);
}

/** Answers as GitHub for the user that the code names, such as `user-7`: then the access token is the code. */
export async function gitHubUser(url: string, request: () => Request): Promise<string | null> {
  if (url === TOKEN) {
    const code = new URLSearchParams(await request().text()).get("code") ?? "";
    return JSON.stringify({ ...BEARER, access_token: code });
  }
  if (url !== USER) return null;
  const [, id] = /^bearer user-(\d+)$/i.exec(request().headers.get("authorization") ?? "") ?? [];
  return JSON.stringify({ id: Number(id), login: "ada", name: ADA.name, email: `user-${id}@example.com` });
}

const TOKEN = "https://github.com/login/oauth/access_token";
const USER = "https://api.github.com/user";

function json(text: string): Response {
  return new Response(text, { headers: { "content-type": "application/json; charset=utf-8" } });
}

const BEARER = { access_token: "an-access-token", token_type: "bearer", scope: "read:user,user:email" };
const KEY = generateKeyPairSync("rsa", { modulusLength: 2048 });

const FIXED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    [TOKEN]: BEARER,
    [USER]: { id: 1, login: "ada", name: ADA.name, email: ADA.email, avatar_url: null },
    "https://api.github.com/user/emails": [{ email: ADA.email, primary: true, verified: true }],
    [`${ISSUER}/.well-known/openid-configuration`]: {
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/authorize`,
      token_endpoint: `${ISSUER}/token`,
      userinfo_endpoint: `${ISSUER}/userinfo`,
      jwks_uri: `${ISSUER}/jwks`,
      code_challenge_methods_supported: ["S256"],
      id_token_signing_alg_values_supported: ["RS256"],
    },
    [`${ISSUER}/jwks`]: { keys: [{ ...KEY.publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }] },
  }).map(([url, body]) => [url, JSON.stringify(body)]),
);

const signed = new Map<string, string>();

/** Signs the answer of the token request in advance, because signing costs more than everything that is measured. */
export function tokenAnswer(nonce: string): string {
  let text = signed.get(nonce);
  if (text === undefined) {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: ISSUER, sub: ADA.id, aud: CLIENT.clientId, iat: now, exp: now + 3600, nonce };
    const idToken = signJwt({ ...claims, name: ADA.name, email: ADA.email });
    signed.set(nonce, text = JSON.stringify({ ...BEARER, scope: "openid", expires_in: 3600, id_token: idToken }));
  }
  return text;
}

function signJwt(claims: unknown): string {
  const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  const signedPart = `${encode({ alg: "RS256", kid: "1" })}.${encode(claims)}`;
  return `${signedPart}.${sign("sha256", Buffer.from(signedPart), KEY.privateKey).toString("base64url")}`;
}
