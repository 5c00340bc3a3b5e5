/**
 * Demo ID: a real OpenID Provider on this machine, with accounts that anybody can use.
 *
 * It replaces the provider where you would register your site, so that the demo needs no account anywhere.
 *
 * @module
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An account at Demo ID. A site receives these values as claims. */
export interface DemoAccount {
  /** Name of the account, which is also its login. */
  readonly login: string;
  /** Full name. */
  readonly name: string;
  /** Email address, which counts as verified. */
  readonly email: string;
  /** URL of a picture. @default none: a browser would ask for it wherever somebody's account is shown */
  readonly picture?: string;
}

/** The accounts. */
export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  { login: "ada", name: "Ada Lovelace", email: "ada@example.com" },
  { login: "grace", name: "Grace Hopper", email: "grace@example.com" },
];

/** How a site authenticates at the token endpoint. */
export type AuthMethod = "client_secret_basic" | "client_secret_post" | "none";

/** A site that is registered with Demo ID. */
export interface DemoClient {
  /** Id of the site. */
  readonly clientId: string;
  /** Secret of the site; a public client has none. */
  readonly clientSecret?: string;
  /** URLs that users may be sent back to. */
  readonly redirectUris: readonly string[];
  /** How it authenticates. @default {"client_secret_basic"} */
  readonly authMethod?: AuthMethod;
}

/** What the login page shows. */
export interface LoginView {
  /** The accounts to choose from. */
  readonly accounts: readonly DemoAccount[];
  /** The URL to post the choice to, as `login`. An empty choice cancels. */
  readonly action: string;
}

/** Options for {@linkcode startDemoId}. */
export interface DemoIdOptions {
  /** The port; 0 for any free one. */
  readonly port: number;
  /** The sites that use it. */
  readonly clients: readonly DemoClient[];
  /** The accounts. @default {DEMO_ACCOUNTS} */
  readonly accounts?: readonly DemoAccount[];
  /** Renders the login page. @default plain pages for developers, which accept any login */
  readonly loginPage?: (view: LoginView) => string;
}

/** Demo ID while it runs. */
export interface DemoId {
  /** Its URL, which is the `issuer` to configure. */
  readonly issuer: string;
  /** Stops it and closes all its connections. */
  close(): Promise<void>;
}

/** Starts Demo ID on the loopback address. Fails with the code `EADDRINUSE` if the port is taken. */
export async function startDemoId(options: DemoIdOptions): Promise<DemoId> {
  const { port, accounts = DEMO_ACCOUNTS, loginPage } = options;
  const server = createServer();
  await listen(server, port);
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = await createProvider(issuer, { ...options, accounts });
  const answer = provider.callback();
  server.on("request", (request, response) => {
    if (!loginPage || !request.url?.startsWith("/interaction/")) return answer(request, response);
    chooseAccount({ provider, request, response, accounts, loginPage }).catch(() => {
      // An old tab, or a page that was opened without a sign-in.
      if (!response.headersSent) send(response, 400, "This sign-in has ended. Go back to the site and start again.");
    });
  });
  return { issuer, close: () => close(server) };
}

interface Interaction {
  readonly uid: string;
  readonly params: { readonly client_id: string; readonly scope: string };
}

interface Grant {
  addOIDCScope(scope: string): void;
  save(): Promise<string>;
}

/** The part of the provider library that is used; it has no types. */
interface OpenIdProvider {
  readonly Grant: new (owner: { accountId: string; clientId: string }) => Grant;
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
}

async function createProvider(
  issuer: string,
  { clients, accounts, loginPage }: DemoIdOptions & { readonly accounts: readonly DemoAccount[] },
): Promise<OpenIdProvider> {
  const signingKey = await newSigningKey();
  return await withoutWarnings(async () => {
    const { Provider } = await import("oidc-provider");
    return new Provider(issuer, {
      clients: clients.map(registration),
      jwks: { keys: [signingKey] },
      cookies: { keys: [crypto.randomUUID()] },
      claims: { openid: ["sub"], profile: ["name", "picture"], email: ["email", "email_verified"] },
      // As most providers do: these claims are at the userinfo endpoint, and the id_token says only who it is.
      conformIdTokenClaims: true,
      findAccount: (_: unknown, login: string) => ({ accountId: login, claims: () => claimsOf(accounts, login) }),
      pkce: { required: () => true },
      features: { devInteractions: { enabled: loginPage === undefined } },
      ttl: { AccessToken: 600, Grant: 3600, IdToken: 600, Interaction: 600, Session: 3600 },
      renderError: (ctx: { type: string; body: string }, { error, error_description = "" }: Record<string, string>) => {
        ctx.type = "text";
        ctx.body = `${error}: ${error_description}`;
      },
    }) as OpenIdProvider;
  });
}

function registration(
  { clientId, clientSecret, redirectUris, authMethod = "client_secret_basic" }: DemoClient,
): object {
  return {
    client_id: clientId,
    ...(clientSecret && { client_secret: clientSecret }),
    redirect_uris: redirectUris,
    token_endpoint_auth_method: authMethod,
  };
}

function claimsOf(accounts: readonly DemoAccount[], login: string): object {
  const known = accounts.find((account) => account.login === login);
  const { name, email, picture } = known ?? { name: login, email: `${login}@example.com`, picture: undefined };
  return { sub: login, name, email, email_verified: true, picture };
}

async function newSigningKey(): Promise<object> {
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", modulusLength: 2048 };
  const keys = await crypto.subtle.generateKey(
    { ...algorithm, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ["sign", "verify"],
  );
  const { key_ops: _, ext: __, ...key } = await crypto.subtle.exportKey("jwk", keys.privateKey);
  return { ...key, kid: "demo", use: "sig", alg: "RS256" };
}

// The library warns of everything that is not for production.
async function withoutWarnings<T>(run: () => Promise<T>): Promise<T> {
  const { warn, info } = globalThis.console;
  Object.assign(globalThis.console, { warn: () => {}, info: () => {} });
  try {
    return await run();
  } finally {
    Object.assign(globalThis.console, { warn, info });
  }
}

interface LoginRequest {
  readonly provider: OpenIdProvider;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly accounts: readonly DemoAccount[];
  readonly loginPage: (view: LoginView) => string;
}

async function chooseAccount({ provider, request, response, accounts, loginPage }: LoginRequest): Promise<void> {
  const { uid, params } = await provider.interactionDetails(request, response);
  if (request.method !== "POST") {
    return send(response, 200, loginPage({ accounts, action: `/interaction/${uid}` }), "text/html");
  }
  const login = new URLSearchParams(await bodyOf(request)).get("login");
  if (!login) return await provider.interactionFinished(request, response, { error: "access_denied" });
  // Choosing an account is also the consent to share it with the site.
  const grant = new provider.Grant({ accountId: login, clientId: params.client_id });
  grant.addOIDCScope(params.scope);
  const consent = { grantId: await grant.save() };
  await provider.interactionFinished(request, response, { login: { accountId: login }, consent });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const part of request) {
    body += part;
    if (body.length > 4096) throw new RangeError("Cannot read the form: it is too large");
  }
  return body;
}

function send(response: ServerResponse, status: number, body: string, type = "text/plain"): void {
  response.writeHead(status, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" });
  response.end(body);
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
