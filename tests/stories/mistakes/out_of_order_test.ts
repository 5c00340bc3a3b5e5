/** What the service depends on is out of order: providers, clocks, callbacks, and how the handler is called. */
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { type AuthConfig, createAuth, customFetch } from "@x/auth";
import { encode } from "@x/auth/jwt";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { nodeListener, type NodeRequest, type NodeResponse } from "@x/auth/node";
import { credentials } from "@x/auth/providers/credentials";
import { type Handler, type Mistake, SECRET, SERVED, tellMistakes } from "./_table.ts";
import { HERE, visitor } from "./_visitor.ts";

const BACK = { status: 302 } as const;

const ada = credentials({ credentials: { name: {} }, authorize: () => ({ id: "1", name: "Ada" }) });

function made(config: Partial<AuthConfig> = {}) {
  return createAuth({ providers: [ada], ...config }).handler;
}

/** Posts a form with its CSRF token. */
async function post(handler: Handler, path: string, fields: Readonly<Record<string, string>> = {}): Promise<Response> {
  const ask = visitor(handler);
  const { csrfToken } = await (await ask("/auth/csrf")).json();
  return await ask(path, { csrfToken, ...fields });
}

const signIn = (handler: Handler) => post(handler, "/auth/callback/credentials", { name: "ada" });

/** Asks for the session with a token that was sealed here. */
async function session(handler: Handler): Promise<Response> {
  const token = await encode({ token: { sub: "1", name: "Ada" }, secret: SECRET, salt: "authjs.session-token" });
  return await handler(new Request(`${HERE}/auth/session`, { headers: { cookie: `authjs.session-token=${token}` } }));
}

// A callback of JavaScript may return what its type does not allow.
const returns = (value: unknown) => (() => value) as never;

tellMistakes([
  {
    name: "`callbacks.jwt` returns nothing at sign-in",
    make: () => made({ callbacks: { jwt: returns(undefined) } }),
    ask: signIn,
    see: BACK,
    code: "callback-result",
    log: /`callbacks\.jwt` returned undefined/,
    says: ["it must return the token (`return token`)", "null to end the session"],
  },
  {
    name: "`callbacks.jwt` returns nothing when the session is read",
    make: () => made({ callbacks: { jwt: returns(undefined) } }),
    ask: session,
    see: { status: 200, text: /^null$/ },
    code: "callback-result",
    log: /Cannot read the session: `callbacks\.jwt` returned undefined/,
    says: ["it must return the token (`return token`)"],
  },
  {
    name: "`callbacks.jwt` returns text",
    make: () => made({ callbacks: { jwt: returns("token") } }),
    ask: session,
    see: { status: 200, text: /^null$/ },
    code: "callback-result",
    log: /`callbacks\.jwt` returned text/,
    says: ["it must return the token (`return token`)"],
  },
  {
    name: "`callbacks.session` returns nothing",
    make: () => made({ callbacks: { session: returns(undefined) } }),
    ask: session,
    see: { status: 200, text: /^null$/ },
    code: "callback-result",
    log: /Cannot read the session: `callbacks\.session` returned undefined/,
    says: ["it must return the session (`return session`)"],
  },
  {
    name: "`callbacks.redirect` returns nothing",
    make: () => made({ callbacks: { redirect: returns(undefined) } }),
    ask: async (handler: Handler) => await handler(new Request(`${HERE}/auth/signin?callbackUrl=/members`)),
    see: SERVED,
    code: "callback-result",
    level: "warn",
    log: /`callbacks\.redirect` returned undefined, so the browser goes to the home page/,
    says: ["it must return a URL, such as `baseUrl`"],
  },
  {
    name: "`callbacks.signIn` returns nothing",
    make: () => made({ callbacks: { signIn: returns(undefined) } }),
    ask: signIn,
    see: BACK,
    code: "callback-result",
    log: /`callbacks\.signIn` returned undefined/,
    says: ["it must return true, or false to refuse, or a URL"],
  },
  {
    name: "the id of a user is too large for the cookies of a session",
    make: () => {
      const huge = credentials({ credentials: {}, authorize: () => ({ id: "x".repeat(30_000) }) });
      return made({ providers: [huge] });
    },
    ask: signIn,
    see: BACK,
    code: "session-too-large",
    log: /Cannot keep the session in cookies: it takes \d{5} characters of at most \d{5}/,
    says: ["`sub` takes most of them", "`callbacks.jwt`", '`session.strategy: "database"`'],
  },
  {
    name: "`callbacks.jwt` puts too much into the token",
    make: () => made({ callbacks: { jwt: ({ token }) => ({ ...token, history: "x".repeat(30_000) }) } }),
    ask: signIn,
    see: BACK,
    code: "session-too-large",
    log: /Cannot keep the session in cookies/,
    says: ["`history` takes most of them", "Return less from `callbacks.jwt`"],
  },
  {
    name: "a package that sends email is missing",
    make: () => {
      const lacks = () => Promise.resolve("install the package `nodemailer`: `npm install nodemailer`");
      const mail = { id: "post", name: "Email", type: "email" as const, lacks, sendVerificationRequest: () => {} };
      return made({ adapter: memoryAdapter(), session: { strategy: "jwt" }, providers: [ada, mail] });
    },
    see: SERVED,
    code: "provider-left-out",
    level: "warn",
    log: /A provider is left out/,
    says: ['provider "post"', "install the package `nodemailer`"],
  },
]);

/** Gives a request as `node:http` does, and keeps what is answered. */
function nodePair() {
  const said = { status: 0, text: "" };
  const incoming = { method: "GET", url: "/auth/signin", headers: { host: "localhost:3000" }, rawHeaders: [] };
  const outgoing = {
    setHeader: () => {},
    end: (text: string) => {
      said.text = text;
      said.status = outgoing.statusCode;
    },
    statusCode: 200,
  };
  return { incoming, outgoing, said };
}

/** An application that answers with what it reads of the session. */
function wrapped(read: (auth: (request: Request) => Promise<unknown>) => Promise<unknown>): Handler {
  const { auth } = createAuth({ providers: [ada] });
  return async () => Response.json(await read(auth));
}

tellMistakes([
  {
    name: "`handler` is given to Express or `node:http`",
    make: () => made(),
    ask: async (handler: Handler) => {
      const { incoming, outgoing, said } = nodePair();
      await (handler as (...given: unknown[]) => unknown)(incoming, outgoing);
      return new Response(said.text, { status: said.status });
    },
    see: { status: 500, text: /server configuration/ },
    code: "handler-not-web",
    log: /`handler` was given the request of `node:http` or Express/,
    says: ["pass `nodeListener(handler)` of `@x/auth/node` in its place"],
  },
  {
    name: "`handler` is given the context of a framework",
    make: () => made(),
    ask: (handler: Handler) => handler({ req: { raw: new Request(HERE) } } as unknown as Request) as Promise<Response>,
    see: { status: 500, text: /server configuration/ },
    code: "handler-not-web",
    log: /`handler` was given an object of a framework, and takes a `Request`/,
    says: ["`context.req.raw`", "`nodeListener(handler)`"],
  },
  {
    name: "`handler` is called without a request",
    make: () => made(),
    ask: (handler: Handler) => handler(undefined as unknown as Request) as Promise<Response>,
    see: { status: 500 },
    code: "handler-not-web",
    log: /`handler` was given undefined/,
    says: ["takes a `Request`"],
  },
  {
    name: "`auth()` is given the request of Express",
    make: () => wrapped((auth) => auth(nodePair().incoming as unknown as Request)),
    ask: HERE,
    see: { status: 200, text: /^null$/ },
    code: "handler-not-web",
    log: /`auth\(\)`, `signIn\(\)` or another function of the service was given the request of `node:http` or Express/,
    says: ["pass `webRequest(request)` of `@x/auth/node`"],
  },
  {
    name: "`auth()` is called without a request",
    make: () => wrapped((auth) => auth(undefined as unknown as Request)),
    ask: HERE,
    see: { status: 200, text: /^null$/ },
    code: "handler-not-web",
    log: /was given undefined, and takes a `Request`/,
    says: ["Pass the `Request` that the framework has", "`@x/auth/next`"],
  },
  {
    name: "the body of a form is read before the handler gets it",
    make: () => made(),
    ask: async (handler: Handler) => {
      const request = new Request(`${HERE}/auth/signin/credentials`, { method: "POST", body: new URLSearchParams({}) });
      await request.text();
      return await handler(request);
    },
    see: { status: 400 },
    code: "body-consumed",
    level: "warn",
    log: /the body of a form was read before the handler got it/,
    says: ["mount the handler before the body parser", "`request.clone()`"],
  },
  {
    name: "a body parser reads the form before `nodeListener` and keeps nothing of it",
    make: () => made(),
    ask: async (handler: Handler) => {
      const headers = { "host": "localhost:3000", "content-type": "application/x-www-form-urlencoded" };
      const nothing = () => {};
      const listener = nodeListener(handler as never);
      return await new Promise<Response>((resolve) => {
        const outgoing = { statusCode: 200, writableFinished: true, destroyed: false, body: "" };
        listener(
          {
            method: "POST",
            url: "/auth/callback/credentials",
            headers,
            rawHeaders: Object.entries(headers).flat(),
            socket: {},
            readableEnded: true,
            pause: nothing,
            resume: nothing,
            on: nothing,
            off: nothing,
          } as NodeRequest,
          Object.assign(outgoing, {
            getHeader: nothing,
            setHeader: nothing,
            write: () => true,
            end: () => resolve(new Response("", { status: outgoing.statusCode })),
            destroy: nothing,
            once: nothing,
          }) as unknown as NodeResponse,
        );
      });
    },
    see: { status: 400 },
    code: "body-consumed",
    level: "warn",
    log: /the body of a form was read before the handler got it/,
    says: ["mount the handler before the body parser"],
  },
]);

/** Answers of an issuer, by path; the rest is 404. */
type Answers = (path: string, issuer: string) => { readonly status?: number; readonly body: string } | undefined;

const servers: Server[] = [];
after(() => servers.forEach((server) => server.close()));

/** Starts an issuer on this machine. */
async function issuerOf(answers: Answers): Promise<string> {
  const server = createServer((request, response) => {
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { status = 200, body } = answers(request.url ?? "/", issuer) ?? { status: 404, body: "nothing" };
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function oidc(issuer: string, more: object = {}): Partial<AuthConfig> {
  const provider = { id: "acme", name: "Acme", type: "oidc" as const, issuer, clientId: "app", clientSecret: "s" };
  return { providers: [{ ...provider, ...more }] };
}

const start = (handler: Handler) => post(handler, "/auth/signin/acme");
const isMetadata = (path: string) => path.endsWith("/openid-configuration");

let shut = "";
before(async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  shut = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

function metadataOf(issuer: string): string {
  return JSON.stringify({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  });
}

/** Signs in at an issuer whose clock is some seconds off. */
function skewed(times: (now: number) => Readonly<Record<string, number>>): Pick<Mistake, "make" | "ask"> {
  let nonce = "";
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return {
    make: async () => {
      const issuer = await issuerOf((path, issuer) => {
        if (isMetadata(path)) return { body: metadataOf(issuer) };
        const now = Math.round(Date.now() / 1000);
        const claims = { iss: issuer, aud: "app", sub: "1", nonce, iat: now, exp: now + 600, ...times(now) };
        const token = `${part({ alg: "RS256" })}.${part(claims)}.c2ln`;
        return { body: JSON.stringify({ access_token: "a", token_type: "bearer", id_token: token }) };
      });
      return made(oidc(issuer, { checks: ["state", "nonce"] }));
    },
    ask: async (handler: Handler) => {
      const ask = visitor(handler);
      const { csrfToken } = await (await ask("/auth/csrf")).json();
      const { searchParams } = new URL((await ask("/auth/signin/acme", { csrfToken })).headers.get("location") ?? "");
      nonce = searchParams.get("nonce") ?? "";
      return await ask(
        `/auth/callback/acme?${new URLSearchParams({ code: "c", state: searchParams.get("state") ?? "" })}`,
      );
    },
  };
}

tellMistakes([
  {
    name: "the issuer is unreachable",
    make: () => made(oidc(shut)),
    ask: start,
    see: BACK,
    code: "issuer-unreachable",
    log: /Cannot read the metadata of provider "acme" at http:\/\/127\.0\.0\.1:\d+\/\.well-known\/openid-configuration/,
    says: ["it cannot be reached", "Check its `issuer`, and the network"],
  },
  {
    name: "the issuer redirects to another site",
    make: () => {
      const away = () =>
        Promise.resolve(new Response(null, { status: 302, headers: { location: "https://a.example" } }));
      return made(oidc("https://id.example", { [customFetch]: away }));
    },
    ask: start,
    see: BACK,
    code: "issuer-unreachable",
    log: /Cannot read the metadata of provider "acme" at https:\/\/id\.example/,
    says: ["it redirects", "Check its `issuer`"],
  },
  {
    name: "the issuer has no metadata",
    make: async () => made(oidc(await issuerOf(() => undefined))),
    ask: start,
    see: BACK,
    code: "issuer-metadata",
    log: /Cannot discover provider "acme"/,
    says: ["check its `issuer`", "the answer has the status 404", "there is no metadata at http://127.0.0.1"],
  },
  {
    name: "the metadata of the issuer is a page",
    make: async () => made(oidc(await issuerOf(() => ({ body: "<html>Welcome</html>" })))),
    ask: start,
    see: BACK,
    code: "issuer-metadata",
    log: /Cannot discover provider "acme"/,
    says: ["check its `issuer`", "the answer is not a JSON object"],
  },
  {
    name: "the metadata names another issuer",
    make: async () => {
      const issuer = await issuerOf((path) =>
        isMetadata(path) ? { body: metadataOf("https://id.example") } : undefined
      );
      return made(oidc(issuer));
    },
    ask: start,
    see: BACK,
    code: "issuer-mismatch",
    log: /Cannot use provider "acme" with the issuer "http:\/\/127\.0\.0\.1:\d+"/,
    says: ["its `issuer` must be that of its metadata", '"https://id.example"'],
  },
  {
    name: "the issuer has http on a private network",
    make: () => made(oidc("http://10.0.0.5:8080/realms/acme")),
    see: SERVED,
    code: "provider-left-out",
    level: "warn",
    log: /its `issuer` must be an https URL/,
    says: ['provider "acme"', "http://10.0.0.5:8080", "`allowInsecureRequests: true`"],
  },
  {
    name: "the issuer has http on a private network, which is allowed",
    make: () => {
      const fetch = () => Promise.resolve(new Response(metadataOf("http://10.0.0.5:8080")));
      return made(oidc("http://10.0.0.5:8080", { allowInsecureRequests: true, [customFetch]: fetch }));
    },
    ask: start,
    see: { status: 302 },
    code: "insecure-requests",
    level: "warn",
    log: /provider "acme" has `allowInsecureRequests`/,
    says: ["on a network of your own only"],
  },
  {
    name: "`allowInsecureRequests` is text",
    make: () => made(oidc("http://10.0.0.5:8080", { allowInsecureRequests: "false" })),
    see: SERVED,
    code: "provider-left-out",
    level: "warn",
    log: /provider "acme": its `allowInsecureRequests`/,
    says: ["must be true or false"],
    besides: [/its `issuer` must be an https URL/],
  },
  {
    name: "`revokeTokens` is a number",
    make: () => made(oidc("https://id.example", { revokeTokens: 1 })),
    see: SERVED,
    code: "provider-left-out",
    level: "warn",
    log: /Cannot use provider "acme": its `revokeTokens` must be true, false or a URL/,
    says: ["not a number"],
  },
  {
    name: "`revokeTokens` is an http URL",
    make: () => made(oidc("https://id.example", { revokeTokens: "http://id.example/revoke" })),
    see: SERVED,
    code: "provider-left-out",
    level: "warn",
    log: /Cannot use provider "acme": its `revokeTokens` must be an https URL/,
    says: ["http://id.example/revoke"],
  },
  {
    name: "`allowInsecureRequests` is set beside `securityProfile`",
    make: () => made(oidc("https://id.example", { allowInsecureRequests: true, securityProfile: "fapi2" })),
    see: SERVED,
    code: "provider-left-out",
    level: "warn",
    log: /`securityProfile` forbids `allowInsecureRequests`/,
    says: ['provider "acme"'],
    besides: [/A provider is left out/],
  },
  {
    name: "the clock of this machine is behind",
    ...skewed((now) => ({ iat: now + 602, exp: now + 1200 })),
    see: BACK,
    code: "clock-skew",
    log:
      /the id_token of `acme` was issued 60[0-4] s in the future by this machine's clock \(\d{4}-\S+Z against \d{4}-\S+Z\)/,
    says: ["check the clock"],
  },
  {
    name: "the clock of this machine is ahead",
    ...skewed((now) => ({ iat: now - 4200, exp: now - 600 })),
    see: BACK,
    code: "clock-skew",
    log: /the id_token of `acme` expired \d+ s ago by this machine's clock/,
    says: ["check the clock"],
  },
  {
    name: "the clock of this machine is ahead of a token that lives for long",
    ...skewed((now) => ({ iat: now - 4200, exp: now + 86_400 })),
    see: BACK,
    code: "clock-skew",
    log: /the id_token of `acme` was issued 4\d{3} s ago by this machine's clock/,
    says: ["check the clock"],
  },
]);

test("http on a private network is allowed to the one provider that asks for it", async () => {
  const warned: string[] = [];
  const logger = { warn: (code: string, message?: string) => void warned.push(`${code}: ${message}`), error: () => {} };
  const metadata = () => Promise.resolve(new Response(metadataOf("http://10.0.0.5:8080")));
  const of = (id: string, more: object) =>
    ({ ...(oidc("http://10.0.0.5:8080", more).providers ?? [])[0], id }) as never;
  const handler = made({
    logger,
    secret: SECRET,
    providers: [
      of("one", { allowInsecureRequests: true, [customFetch]: metadata }),
      of("two", { [customFetch]: metadata }),
    ],
  });
  const location = (await post(handler, "/auth/signin/one")).headers.get("location");
  assert.match(location ?? "", /^http:\/\/10\.0\.0\.5:8080\/authorize\?/);
  assert.deepEqual(
    await handler(new Request(`${HERE}/auth/providers`)).then((response) => response.json()).then(Object.keys),
    [
      "one",
    ],
  );
  assert.equal(warned.filter((line) => line.startsWith("insecure-requests")).length, 1);
});
