/**
 * A real OpenID Provider that demands what a test asks it to demand. It has one user, Ada, who is logged in at once and
 * agrees to everything.
 *
 * @module
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CookieJar } from "./cookie_jar.ts";

/** What the provider is made of: the configuration of the package `oidc-provider`. */
export interface StrictOptions {
  readonly features: object;
  readonly clients: readonly object[];
  readonly [member: string]: unknown;
}

/** A provider that runs. */
export interface StrictProvider {
  readonly issuer: string;
  /**
   * Opens a URL of the provider in Ada's browser, and goes on as far as the provider's own pages lead.
   *
   * @returns Where the provider sends the browser in the end, or the page that it ends on with the fields of its form.
   */
  visit(url: string): Promise<Visited>;
  close(): Promise<void>;
}

/** Where a visit ended. */
export interface Visited {
  /** The URL outside of the provider that the browser is sent to, by a redirect or by a form that posts itself. */
  readonly url: URL | null;
  /** The fields of that form. */
  readonly fields: Readonly<Record<string, string>> | null;
  /** The last page. */
  readonly html: string;
}

interface Grant {
  addOIDCScope(scope: string): void;
  save(): Promise<string>;
}

/** The part of the package that is used; it has no types. */
interface OpenIdProvider {
  proxy: boolean;
  readonly Grant: new (owner: { accountId: string; clientId: string }) => Grant;
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<{
    readonly params: { readonly client_id: string; readonly scope: string };
  }>;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
}

const ADA = { sub: "ada", name: "Ada Lovelace", email: "ada@example.com", email_verified: true };

/**
 * Starts a provider on a free port.
 *
 * @param front Starts what stands before the provider, and gives the URL that it is reached at.
 */
export async function startStrictProvider(
  options: (issuer: string) => StrictOptions,
  front?: (port: number) => Promise<string>,
): Promise<StrictProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const issuer = await front?.(port) ?? `http://127.0.0.1:${port}`;
  const provider = await makeProvider(issuer, options(issuer));
  // What stands before it says by which protocol and host it is reached.
  provider.proxy = front !== undefined;
  const answer = provider.callback();
  server.on("request", (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return answer(request, response);
    agree(provider, request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  return { issuer, visit: (url) => visit(issuer, url), close: () => close(server) };
}

async function makeProvider(issuer: string, { features, ...others }: StrictOptions): Promise<OpenIdProvider> {
  const { warn, info } = globalThis.console;
  // The package warns of everything that is not for production.
  Object.assign(globalThis.console, { warn: () => {}, info: () => {} });
  try {
    const { Provider } = await import("oidc-provider");
    return new Provider(issuer, {
      jwks: { keys: await newKeys() },
      cookies: { keys: [crypto.randomUUID()] },
      claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"] },
      findAccount: () => ({ accountId: ADA.sub, claims: () => ADA }),
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false }, ...features },
      ttl: { AccessToken: 600, Grant: 3600, IdToken: 600, Interaction: 600, Session: 3600 },
      renderError(ctx: { type: string; body: string }, error: Record<string, string>) {
        ctx.type = "text";
        ctx.body = JSON.stringify(error);
      },
      ...others,
    }) as OpenIdProvider;
  } finally {
    Object.assign(globalThis.console, { warn, info });
  }
}

async function agree(provider: OpenIdProvider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const grant = new provider.Grant({ accountId: ADA.sub, clientId: params.client_id });
  grant.addOIDCScope(params.scope);
  const consent = { grantId: await grant.save() };
  await provider.interactionFinished(request, response, { login: { accountId: ADA.sub }, consent });
}

const MOST_HOPS = 10;

async function visit(issuer: string, address: string): Promise<Visited> {
  const jar = new CookieJar();
  let url = new URL(address);
  for (let hop = 0; hop < MOST_HOPS; hop++) {
    const cookie = jar.headerFor(url, { sameSite: true, safe: true });
    const response = await fetch(url, { headers: cookie ? { cookie } : {}, redirect: "manual" });
    for (const header of response.headers.getSetCookie()) jar.store(header, url);
    const html = await response.text();
    const location = response.headers.get("location");
    const form = location ? null : formIn(html);
    if (!location) return { url: form && new URL(form.action), fields: form && form.fields, html };
    url = new URL(location, url);
    if (url.origin !== issuer) return { url, fields: null, html };
  }
  throw new Error(`The provider does not stop redirecting: ${url}`);
}

function formIn(html: string): { readonly action: string; readonly fields: Record<string, string> } | null {
  const [, action] = /<form[^>]* action="([^"]+)"/.exec(html) ?? [];
  if (action === undefined) return null;
  const inputs = html.matchAll(/<input[^>]* name="([^"]+)"[^>]* value="([^"]*)"/g);
  return { action, fields: Object.fromEntries([...inputs].map(([, name = "", value = ""]) => [name, value])) };
}

/** One key for each family of algorithms: RS256 and PS256, ES256, EdDSA, and one to encrypt for. */
async function newKeys(): Promise<object[]> {
  const rsa = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256" };
  const made = await Promise.all([
    crypto.subtle.generateKey({ name: "RSASSA-PKCS1-v1_5", ...rsa }, true, ["sign", "verify"]),
    crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]),
  ]);
  return await Promise.all(made.map(async ({ privateKey }, index) => {
    // Without `alg` one RSA key serves RS256 and PS256.
    const { key_ops: _, ext: __, alg: ___, ...key } = await crypto.subtle.exportKey("jwk", privateKey);
    return { ...key, kid: `key-${index}`, use: "sig" };
  }));
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
