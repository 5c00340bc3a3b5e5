/**
 * Identity providers without a network: the code says what the authorization request asked for, and the token endpoint
 * looks whether what comes back fits.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { customFetch, type OAuthProvider, type OidcProvider } from "@x/auth";

const ISSUER = "https://idp.test";

/** Who signs in there. */
export const PERSON = { sub: "583231", name: "Grace Hopper", email: "grace@example.com", email_verified: true };

const { privateKey, publicKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
  "sign",
  "verify",
]);
const jwk = { ...await crypto.subtle.exportKey("jwk", publicKey), kid: "1", alg: "ES256", use: "sig" };

/** Whoever the authorization request named in `login_hint`. */
function personOf(hint: string | null | undefined): typeof PERSON {
  return hint ? { ...PERSON, sub: hint, name: hint, email: `${hint}@example.com` } : PERSON;
}

/** Milliseconds since 1970, as the service sees them. */
export type Clock = () => number;

/** A provider of the type `oauth`, which checks the code verifier. */
export function oauthDouble(now: Clock, overrides: Partial<OAuthProvider> = {}): OAuthProvider {
  return {
    id: "plain",
    name: "Plain",
    type: "oauth",
    authorization: `${ISSUER}/authorize`,
    token: `${ISSUER}/token`,
    userinfo: `${ISSUER}/userinfo`,
    clientId: "client",
    clientSecret: "secret",
    profile: ({ sub, name, email }) => ({ id: String(sub), name: String(name), email: String(email) }),
    [customFetch]: (input, init) => answer(new Request(input, init), now),
    ...overrides,
  };
}

/** A provider of the type `oidc`, which repeats the nonce. */
export function oidcDouble(now: Clock, overrides: Partial<OidcProvider> = {}): OidcProvider {
  return {
    id: "openid",
    name: "Open",
    type: "oidc",
    issuer: ISSUER,
    clientId: "client",
    clientSecret: "secret",
    [customFetch]: (input, init) => answer(new Request(input, init), now),
    ...overrides,
  };
}

/** What comes back from the provider after the person has agreed to this authorization URL. */
export function consent(authorizationUrl: string): { path: string; params: Record<string, string> } {
  const { searchParams } = new URL(authorizationUrl);
  const asked = {
    challenge: searchParams.get("code_challenge"),
    nonce: searchParams.get("nonce"),
    hint: searchParams.get("login_hint"),
  };
  const code = toBase64Url(JSON.stringify(asked));
  const state = searchParams.get("state");
  const { pathname } = new URL(searchParams.get("redirect_uri") ?? "");
  return { path: pathname, params: { code, ...(state !== null && { state }) } };
}

async function answer(request: Request, now: Clock): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === "/token") return await tokens(new URLSearchParams(await request.text()), now);
  const answers: Readonly<Record<string, unknown>> = {
    "/.well-known/openid-configuration": METADATA,
    "/jwks": { keys: [jwk] },
    "/userinfo": PERSON,
  };
  return Response.json(answers[pathname] ?? {}, { status: pathname in answers ? 200 : 404 });
}

const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  userinfo_endpoint: `${ISSUER}/userinfo`,
  jwks_uri: `${ISSUER}/jwks`,
  response_types_supported: ["code"],
  subject_types_supported: ["public"],
  code_challenge_methods_supported: ["S256"],
  id_token_signing_alg_values_supported: ["ES256"],
};

async function tokens(form: URLSearchParams, now: Clock): Promise<Response> {
  const { challenge, nonce, hint } = JSON.parse(Buffer.from(form.get("code") ?? "", "base64url").toString());
  const verifier = form.get("code_verifier");
  const hash = verifier && await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const fits = (hash ? Buffer.from(hash).toString("base64url") : null) === challenge;
  if (!fits) return Response.json({ error: "invalid_grant" }, { status: 400 });
  const issued = Math.floor(now() / 1000);
  const claims = {
    ...personOf(hint),
    iss: ISSUER,
    aud: "client",
    iat: issued,
    exp: issued + 300,
    ...(nonce && { nonce }),
  };
  const id_token = await sign(claims);
  // The refresh token shows that a longer value than usual fits.
  return Response.json({
    access_token: "an-access-token",
    refresh_token: "r".repeat(64),
    token_type: "bearer",
    id_token,
  });
}

async function sign(claims: object): Promise<string> {
  const text = `${toBase64Url(JSON.stringify({ alg: "ES256", kid: "1" }))}.${toBase64Url(JSON.stringify(claims))}`;
  const algorithm = { name: "ECDSA", hash: "SHA-256" };
  const signature = await crypto.subtle.sign(algorithm, privateKey, new TextEncoder().encode(text));
  return `${text}.${Buffer.from(signature).toString("base64url")}`;
}

function toBase64Url(text: string): string {
  return Buffer.from(text).toString("base64url");
}
