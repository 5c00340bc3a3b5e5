/** Whole sign-ins over TLS at a real OpenID Provider that demands a certificate of the client (RFC 8705). */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { X509Certificate } from "node:crypto";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { type ClientMetadata, createAuth, customFetch, type FetchLike, type OidcProvider } from "@x/auth";
import { Browser } from "../_support/browser.ts";
import { type Certificate, ipAddress, makeCertificate, toPem } from "../_support/certificate.ts";
import { recordLog, SECRET, testConfig } from "../_support/service.ts";
import { startStrictProvider } from "../_support/strict_provider.ts";

const LOOPBACK = [ipAddress(127, 0, 0, 1)];

const authority = await makeCertificate({ subject: { 3: "Authority" }, authority: true });
const server = await makeCertificate({ subject: { 3: "Server" }, issuer: authority, extensions: LOOPBACK });
const trusted = await makeCertificate({ subject: { 3: "App" }, issuer: authority });
const selfSigned = await makeCertificate({ subject: { 3: "App" } });
const stranger = await makeCertificate({
  subject: { 3: "App" },
  issuer: await makeCertificate({ subject: { 3: "Nobody" }, authority: true }),
});

const pem = ({ der }: Certificate): string => toPem("CERTIFICATE", der);
const base64 = ({ der }: Certificate): string => Buffer.from(der).toString("base64");

/** What a runtime calls the certificate that it presents, its key, and the authority that it trusts. */
interface Presented {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

/** Makes a `fetch` that presents a certificate, in the way of the runtime. */
async function presenting(
  certificate: Certificate | null,
): Promise<{ readonly fetch: FetchLike; close(): Promise<void> }> {
  const ca = pem(authority);
  const own = certificate && { cert: pem(certificate), key: toPem("PRIVATE KEY", certificate.pkcs8) };
  if ("Deno" in globalThis) {
    const client = Deno.createHttpClient({ caCerts: [ca], ...own });
    return {
      fetch: (input, init) => fetch(input, { ...init, client } as RequestInit),
      close: () => Promise.resolve(client.close()),
    };
  }
  if ("Bun" in globalThis) {
    const tls: Partial<Presented> = { ca, ...own };
    return { fetch: (input, init) => fetch(input, { ...init, tls } as RequestInit), close: () => Promise.resolve() };
  }
  const undici = await import("undici");
  const dispatcher = new undici.Agent({ connect: { ca, ...own } });
  // The one of this package: that of Node takes agents of its own version only.
  const send = undici.fetch as unknown as (input: unknown, init: object) => Promise<Response>;
  return { fetch: (input, init) => send(String(input), { ...init, dispatcher }), close: () => dispatcher.close() };
}

/** Starts the program that speaks TLS before a server. */
async function startFront(
  target: number,
  mode: string,
): Promise<{ open: number; demanding: number; stop(): Promise<void> }> {
  const script = fileURLToPath(new URL("../_support/tls_front.mjs", import.meta.url));
  const settings = { cert: pem(server), key: toPem("PRIVATE KEY", server.pkcs8), ca: pem(authority), target };
  const front = spawn("node", [script, JSON.stringify(settings), mode], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = await once(front.stdout, "data");
  const ended = once(front, "exit");
  return {
    ...JSON.parse(String(line)),
    async stop() {
      front.stdin.end();
      await ended;
    },
  };
}

interface Outcome {
  readonly name: string | null | undefined;
  readonly errors: string;
  /** The endpoints that the service asked, by port. */
  readonly asked: { readonly open: readonly string[]; readonly demanding: readonly string[] };
}

interface Attempt {
  readonly registered: Readonly<Record<string, unknown>>;
  readonly client: ClientMetadata;
  readonly certificate: Certificate | null;
  readonly mode?: "trusted" | "self-signed";
}

async function signIn({ registered, client, certificate, mode = "trusted" }: Attempt): Promise<Outcome> {
  const [{ fetch, close }, asBrowser] = await Promise.all([presenting(certificate), presenting(null)]);
  let front: Awaited<ReturnType<typeof startFront>> | undefined;
  const { issuer, close: closeProvider } = await startStrictProvider(() => ({
    clients: [{
      client_id: "app",
      redirect_uris: ["http://localhost:3000/auth/callback/strict"],
      id_token_signed_response_alg: "ES256",
      ...registered,
    }],
    clientAuthMethods: ["tls_client_auth", "self_signed_tls_client_auth", "client_secret_basic"],
    discovery: {
      mtls_endpoint_aliases: {
        token_endpoint: `https://127.0.0.1:${front?.demanding}/token`,
        userinfo_endpoint: `https://127.0.0.1:${front?.demanding}/me`,
      },
    },
    features: {
      mTLS: {
        enabled: true,
        certificateBoundAccessTokens: true,
        tlsClientAuth: true,
        selfSignedTlsClientAuth: true,
        getCertificate: (ctx: Context) => certificateOf(ctx)?.toString(),
        certificateAuthorized: (ctx: Context) => ctx.get("x-client-certificate-trusted") === "true",
        certificateSubjectMatches: (ctx: Context, property: string, expected: string) =>
          property === "tls_client_auth_subject_dn" && certificateOf(ctx)?.subject === expected,
      },
    },
  }), async (port) => {
    front = await startFront(port, mode);
    return `https://127.0.0.1:${front.open}`;
  });
  const asked: { open: string[]; demanding: string[] } = { open: [], demanding: [] };
  const { logger, errors } = recordLog();
  try {
    const recording: FetchLike = (input, init) => {
      const { port, pathname } = new URL(String(input));
      asked[Number(port) === front?.demanding ? "demanding" : "open"].push(pathname);
      return fetch(input, init);
    };
    const provider: OidcProvider = {
      id: "strict",
      name: "Strict",
      type: "oidc",
      issuer,
      clientId: "app",
      clientSecret: typeof registered.client_secret === "string" ? registered.client_secret : undefined,
      client: { id_token_signed_response_alg: "ES256", ...client },
      [customFetch]: recording,
    };
    const { handler } = createAuth(testConfig({ providers: [provider], logger }));
    const browser = new Browser(handler, { mayFail: true }).allow(issuer, async (request) => {
      const { method, url, headers } = request;
      const body = method === "POST" ? await request.text() : undefined;
      return await asBrowser.fetch(url, { method, headers, redirect: "manual", ...(body && { body }) });
    });
    await browser.signIn("strict");
    return { name: (await browser.session())?.user?.name, errors: errors.map(String).join(), asked };
  } finally {
    await Promise.all([close(), asBrowser.close()]);
    await closeProvider();
    await front?.stop();
  }
}

interface Context {
  get(header: string): string;
}

function certificateOf(ctx: Context): X509Certificate | undefined {
  const der = ctx.get("x-client-certificate");
  return der ? new X509Certificate(Buffer.from(der, "base64")) : undefined;
}

const BY_SUBJECT = { token_endpoint_auth_method: "tls_client_auth", tls_client_auth_subject_dn: "CN=App" };

test("a client that a certificate of an authority authenticates signs people in", async () => {
  const client = { ...BY_SUBJECT };
  const { name, errors, asked } = await signIn({
    registered: BY_SUBJECT,
    client,
    certificate: trusted,
  });
  assert.deepEqual([name, errors], ["Ada Lovelace", ""]);
  assert.deepEqual(asked.demanding, ["/token", "/me"]);
  assert.deepEqual(asked.open.toSorted(), ["/.well-known/openid-configuration", "/jwks"]);
});

test("a client that a certificate of its own authenticates signs people in", async () => {
  const method = { token_endpoint_auth_method: "self_signed_tls_client_auth" };
  const { x, y } = await publicJwk(selfSigned);
  const jwks = { keys: [{ kty: "EC", crv: "P-256", x, y, use: "sig", x5c: [base64(selfSigned)] }] };
  const given = {
    registered: { ...method, jwks },
    client: method,
    mode: "self-signed",
  } as const;
  const { name, errors } = await signIn({ ...given, certificate: selfSigned });
  assert.deepEqual([name, errors], ["Ada Lovelace", ""]);
  const other = await signIn({ ...given, certificate: trusted });
  assert.equal(other.name, undefined);
  assert.match(other.errors, /refused this client.*`customFetch` presents the certificate that is registered/);
});

test("access tokens that are bound to the certificate work at userinfo, where it is presented again", async () => {
  const bound = { tls_client_certificate_bound_access_tokens: true };
  const { name, errors, asked } = await signIn({
    registered: { ...bound, client_secret: SECRET },
    client: bound,
    certificate: trusted,
  });
  assert.deepEqual([name, errors], ["Ada Lovelace", ""]);
  assert.deepEqual(asked.demanding, ["/token", "/me"]);
  // Without the option the service asks the usual endpoints, where the provider sees no certificate to bind a token to.
  const usual = await signIn({ registered: { ...bound, client_secret: SECRET }, client: {}, certificate: trusted });
  assert.equal(usual.name, undefined);
  assert.deepEqual(usual.asked.demanding, []);
});

test("without a certificate, or with one that the provider does not trust, nobody signs in", async () => {
  for (const certificate of [null, stranger]) {
    const { name, errors, asked } = await signIn({
      registered: BY_SUBJECT,
      client: BY_SUBJECT,
      certificate,
    });
    assert.equal(name, undefined);
    assert.match(errors, /127\.0\.0\.1:\d+: it cannot be reached/);
    assert.deepEqual(asked.demanding, ["/token"]);
  }
});

async function publicJwk({ der }: Certificate): Promise<JsonWebKey> {
  return await Promise.resolve(new X509Certificate(der).publicKey.export({ format: "jwk" }) as JsonWebKey);
}
