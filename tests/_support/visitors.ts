/**
 * People who come to one service by every way there is, many at once and fast: browsers without a page, an identity
 * provider without a state, emails that are found by their address.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Adapter, AuthConfig, OAuthProvider } from "@x/auth";
import { customFetch } from "@x/auth";
import { credentials } from "@x/auth/providers/credentials";
import { passkey } from "@x/auth/providers/passkey";
import { Authenticator, type CeremonyOptions, type Passkey } from "./authenticator.ts";
import { readSetCookie } from "./cookie_jar.ts";
import { readForms } from "./forms.ts";
import { createEngine, type Engine, handlerOf } from "../../src/service/engine.ts";
import type { TestRuntime } from "./runtime.ts";
import { recordLog, testConfig } from "./service.ts";

const ORIGIN = "http://localhost:3000";
const IDP = "https://idp.test";
const SESSION = "authjs.session-token";

/** What a provider tells of somebody. */
export interface Told {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: unknown;
}

/** What `authorize` answers. */
export interface Typed {
  readonly id: string;
  readonly email?: string;
}

export interface VisitedServiceOptions extends AuthConfig {
  readonly adapter: Adapter;
  /** The clock. @default the machine's */
  readonly runtime?: TestRuntime;
}

/** A service and everything around it. */
export interface VisitedService {
  /** Somebody with a browser that nobody has used. */
  visitor(): Visitor;
  /** What `authorize` answers, by what is typed. */
  readonly passwords: Map<string, Typed>;
  /** The newest link that was sent to an address. */
  readonly links: Map<string, URL>;
  readonly errors: Error[];
  /** The codes of the warnings. */
  readonly warnings: readonly string[];
  /** For what is not asked of the handler. */
  readonly engine: Engine;
  /** Sends a request of any kind. */
  send(request: Request): Promise<Response>;
  /** The token of the form that all browsers send. */
  readonly csrfToken: string;
}

/**
 * Opens a service. Its identity providers are `plain` and `linking`, of which the latter has
 * `allowDangerousEmailAccountLinking`; they tell whatever a test wants.
 */
export async function openVisitedService({ runtime, ...config }: VisitedServiceOptions): Promise<VisitedService> {
  const passwords = new Map<string, Typed>();
  const links = new Map<string, URL>();
  const { logger, errors, warnings } = recordLog();
  const whole = testConfig({
    logger,
    providers: [
      passkey(),
      teller("plain"),
      teller("linking", { allowDangerousEmailAccountLinking: true }),
      {
        id: "email",
        name: "Email",
        type: "email",
        sendVerificationRequest: ({ identifier, url }) => void links.set(identifier, new URL(url)),
      },
      credentials({
        id: "password",
        credentials: { name: {} },
        authorize: ({ name }) => passwords.get(String(name)) ?? null,
      }),
    ],
    ...config,
    callbacks: {
      session: ({ session, token, user }) => ({
        ...session,
        id: token?.sub ?? user?.id,
        stamp: token?.security_stamp ?? null,
      }),
      ...config.callbacks,
    },
  });
  const engine = createEngine(whole, runtime);
  const handler = handlerOf(engine);
  const first = new Visitor(handler);
  const { csrfToken } = await (await first.get("/auth/csrf")).json();
  const form = { csrfToken: String(csrfToken), cookie: first.cookies.get("authjs.csrf-token") ?? "" };
  return {
    engine,
    passwords,
    links,
    errors,
    warnings,
    visitor: () => new Visitor(handler, form),
    send: handler,
    csrfToken: form.csrfToken,
  };
}

/** An identity provider that keeps nothing: the code is what it tells. */
export function teller(id: string, overrides: Partial<OAuthProvider> = {}): OAuthProvider {
  return {
    id,
    name: id,
    type: "oauth",
    authorization: `${IDP}/authorize`,
    token: `${IDP}/token`,
    userinfo: `${IDP}/userinfo`,
    clientId: "client",
    clientSecret: "secret",
    profile: ({ sub, email }) => ({ id: String(sub), email: email ?? null }),
    // Where no tokens are kept, who comes again changes nothing but sessions.
    account: () => ({}),
    [customFetch]: async (input, init) => {
      const request = new Request(input, init);
      const isToken = request.url.endsWith("/token");
      const code = isToken ? new URLSearchParams(await request.text()).get("code") : null;
      const [, told = ""] = (request.headers.get("authorization") ?? "").split(" ");
      return Response.json(isToken ? { access_token: code, token_type: "bearer" } : JSON.parse(atob(told)));
    },
    ...overrides,
  };
}

/** The form that all browsers send: whose token it is makes no difference here. */
interface SharedForm {
  readonly csrfToken: string;
  readonly cookie: string;
}

/** A browser without a page, and the authenticator beside it. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  /** Synced, so that its counter never changes. */
  readonly device = new Authenticator({ origin: ORIGIN, counts: false, synced: true });
  /** What it calls itself. @default nothing */
  userAgent: string | undefined;
  readonly #handler: (request: Request) => Promise<Response>;
  readonly #form: SharedForm | undefined;

  constructor(handler: (request: Request) => Promise<Response>, form?: SharedForm) {
    this.#handler = handler;
    this.#form = form;
    if (form) this.cookies.set("authjs.csrf-token", form.cookie);
  }

  /** The session that it holds, as it lies in the cookie. */
  get token(): string | undefined {
    return this.cookies.get(SESSION);
  }

  set token(token: string | undefined) {
    if (token === undefined) this.cookies.delete(SESSION);
    else this.cookies.set(SESSION, token);
  }

  async get(path: string): Promise<Response> {
    return await this.#send(path);
  }

  async post(path: string, fields: Readonly<Record<string, string>> = {}): Promise<Response> {
    const csrfToken = this.#form?.csrfToken ?? "";
    return await this.#send(path, String(new URLSearchParams({ csrfToken, ...fields })));
  }

  async #send(path: string, body?: string): Promise<Response> {
    const headers = new Headers({ "sec-fetch-site": "same-origin" });
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    if (cookie) headers.set("cookie", cookie);
    if (this.userAgent !== undefined) headers.set("user-agent", this.userAgent);
    if (body !== undefined) {
      headers.set("origin", ORIGIN);
      headers.set("content-type", "application/x-www-form-urlencoded");
    }
    const method = body === undefined ? "GET" : "POST";
    const response = await this.#handler(new Request(ORIGIN + path, { method, headers, ...(body && { body }) }));
    assert.ok(response.status < 500, `${method} ${path} is answered ${response.status}`);
    for (const header of response.headers.getSetCookie()) {
      const { name, value, attributes } = readSetCookie(header);
      if (attributes.get("max-age") === "0" || value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  /** The id of the user that it is inside of. */
  async inside(): Promise<string | null> {
    return (await this.session())?.id ?? null;
  }

  /** The session as the application sees it. */
  async session(): Promise<{ readonly id: string; readonly stamp: string | null } | null> {
    return await (await this.get("/auth/session")).json();
  }

  /** Sets out to an identity provider; the answer is where it is. */
  async leave(provider: string): Promise<string> {
    const response = await this.post(`/auth/signin/${provider}`);
    return response.headers.get("location") ?? "";
  }

  /** Comes back from there, as somebody. */
  async comeBack(away: string, told: Told): Promise<Response> {
    const { searchParams } = new URL(away);
    const { pathname } = new URL(searchParams.get("redirect_uri") ?? "");
    const answer = { code: btoa(JSON.stringify(told)), state: searchParams.get("state") ?? "" };
    return await this.get(`${pathname}?${new URLSearchParams(answer)}`);
  }

  async come(provider: string, told: Told): Promise<Response> {
    return await this.comeBack(await this.leave(provider), told);
  }

  /** Asks for a link. */
  async ask(email: string): Promise<Response> {
    return await this.post("/auth/signin/email", { email });
  }

  /** Opens a link, and presses the button where there is one. */
  async open({ pathname, search }: URL): Promise<Response> {
    const response = await this.get(pathname + search);
    if (response.status !== 200) return response;
    const form = readForms(await response.text()).find(({ method }) => method === "POST");
    if (!form) return response;
    const to = new URL(form.action || pathname + search, ORIGIN);
    return await this.post(to.pathname + to.search, form.fields);
  }

  /** Makes a passkey: of a new user, or one more of the user it is inside of. */
  async register(email: string): Promise<Passkey | null> {
    const options = await this.#offered({ action: "register", email });
    if (!options) return null;
    const data = await this.device.create(options);
    await this.post("/auth/callback/passkey", { action: "register", data });
    return this.device.passkeys.at(-1) ?? null;
  }

  async authenticate(key: Passkey): Promise<Response | null> {
    const options = await this.#offered({ action: "authenticate" });
    if (!options) return null;
    const data = await this.device.get(options, {}, key);
    return await this.post("/auth/callback/passkey", { action: "authenticate", data });
  }

  async #offered(query: Readonly<Record<string, string>>): Promise<CeremonyOptions | null> {
    const response = await this.get(`/auth/webauthn-options/passkey?${new URLSearchParams(query)}`);
    return (await response.json()).options ?? null;
  }

  async type(name: string): Promise<Response> {
    return await this.post("/auth/callback/password", { name });
  }

  async signOut(): Promise<Response> {
    return await this.post("/auth/signout");
  }
}
