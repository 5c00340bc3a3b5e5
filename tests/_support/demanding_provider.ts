/**
 * A real OpenID Provider on this machine that demands what a test says: encryption, keys of tokens, certificates.
 *
 * @module
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { OidcProvider } from "@x/auth";

/** What it demands. */
export interface DemandingProviderOptions {
  /** The site that it serves. @default {"http://localhost:3000"} */
  readonly site?: string;
  /** Members of the registration of its client. */
  readonly client?: Readonly<Record<string, unknown>>;
  /** Members of its configuration, besides those that all tests need. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  /** Its features, besides the pages to log in with. */
  readonly features?: Readonly<Record<string, unknown>>;
  /** Starts what stands before it. Gives the URL that it is reached at, and the one that demands a certificate. */
  readonly front?: (port: number) => Promise<{ readonly issuer: string; readonly demanding: string }>;
}

/** An OpenID Provider that runs. */
export interface DemandingProvider {
  readonly issuer: string;
  /** The port that it listens on. */
  readonly port: number;
  /** The entry for `providers`. */
  provider(options?: Partial<OidcProvider>): OidcProvider;
  close(): Promise<void>;
}

const SECRET = "the secret of the client, longer than thirty-two characters";

/** Starts it. Its accounts are any name, with any password. */
export async function startDemandingProvider(options: DemandingProviderOptions = {}): Promise<DemandingProvider> {
  const { site = "http://localhost:3000", client = {}, configuration = {}, features = {} } = options;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const front = await options.front?.(port);
  const issuer = front?.issuer ?? `http://127.0.0.1:${port}`;
  const aliases = front && { token_endpoint: `${front.demanding}/token`, userinfo_endpoint: `${front.demanding}/me` };
  const registration = {
    client_id: "app",
    client_secret: SECRET,
    redirect_uris: [`${site}/auth/callback/strict`],
    ...client,
  };
  const provider = await quietly(async () => {
    const { Provider } = await import("oidc-provider");
    return new Provider(issuer, {
      clients: [registration],
      jwks: { keys: [await signingKey()] },
      cookies: { keys: [crypto.randomUUID()] },
      claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"] },
      conformIdTokenClaims: true,
      findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => claimsOf(accountId) }),
      pkce: { required: () => true },
      ttl: { AccessToken: 600, Grant: 3600, IdToken: 600, Interaction: 600, Session: 3600 },
      ...(aliases && { discovery: { mtls_endpoint_aliases: aliases } }),
      ...configuration,
      features: { devInteractions: { enabled: true }, ...features },
    }) as { proxy: boolean; callback(): (request: IncomingMessage, response: ServerResponse) => void };
  });
  // What stands before it says by which protocol and host it is reached.
  provider.proxy = front !== undefined;
  server.on("request", provider.callback());
  return {
    issuer,
    port,
    provider: (overrides = {}) => ({
      id: "strict",
      name: "Strict",
      type: "oidc",
      issuer,
      clientId: "app",
      ...(registration.client_secret && { clientSecret: SECRET }),
      ...overrides,
    }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function claimsOf(sub: string): object {
  return { sub, name: `${sub} of userinfo`, email: `${sub}@example.com`, email_verified: true };
}

async function signingKey(): Promise<object> {
  const { privateKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
  const { key_ops: _, ext: __, ...jwk } = await crypto.subtle.exportKey("jwk", privateKey);
  return { ...jwk, kid: "sig", use: "sig", alg: "ES256" };
}

// The library warns of everything that is not for production.
async function quietly<T>(run: () => Promise<T>): Promise<T> {
  const { warn, info } = globalThis.console;
  Object.assign(globalThis.console, { warn: () => {}, info: () => {} });
  try {
    return await run();
  } finally {
    Object.assign(globalThis.console, { warn, info });
  }
}
