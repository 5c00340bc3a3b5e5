/**
 * One configuration, served by this package and by Auth.js, and a visitor who sees no difference.
 *
 * @module
 */
import { Auth as otherAuth, type AuthConfig as OtherConfig, customFetch } from "@auth/core";
import OtherPasskey from "@auth/core/providers/passkey";
import { type AuthConfig, createAuth } from "@x/auth";
import { Authenticator, type CeremonyOptions } from "./authenticator.ts";
import { CookieJar } from "./cookie_jar.ts";
import type { Site } from "./browser.ts";
import { type Form, readForms } from "./forms.ts";
import { CLIENT, type Issuer } from "./issuer.ts";
import { fetchOf, liveIssuer } from "./live_issuer.ts";
import { type Mailbox, mailbox } from "./mailbox.ts";
import { SECRET } from "./service.ts";

/** A service of one of the two kinds. */
export interface Side {
  readonly name: string;
  open(config: AuthConfig): Site;
}

const ORIGIN = "http://localhost:3000";

/** This package. */
export const HERE: Side = {
  name: "@x/auth",
  open: (config) => createAuth({ secret: SECRET, trustHost: true, ...config }).handler,
};

/** Auth.js, which changes the configuration it is given, so that each request brings its own. */
export const THERE: Side = {
  name: "Auth.js",
  open: (config) => (request) => {
    const own = { secret: SECRET, trustHost: true, basePath: "/auth", ...config };
    return otherAuth(request, own as unknown as OtherConfig);
  },
};

/** Claims of an id_token. */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

/** A world: its identity provider, its mailbox, and the errors that were logged. */
export interface World extends Mailbox {
  readonly side: Side;
  readonly site: Site;
  readonly issuer: Issuer;
  readonly errors: Error[];
  visitor(): Visitor;
}

/** Opens a service with two identity providers, email and passkeys. */
export function openSide(side: Side, { providers = [], ...config }: AuthConfig): World {
  const issuer = liveIssuer();
  const box = mailbox();
  const errors: Error[] = [];
  const logger = { error: (error: Error) => void errors.push(error), warn: () => {}, debug: () => {} };
  const all = [...["google", "lax"].map((id) => idp(issuer, id)), { ...box.provider, maxAge: 600 }, ...providers];
  const experimental = { enableWebAuthn: true };
  const site = side.open({ logger, experimental, ...config, providers: all as AuthConfig["providers"] });
  return { ...box, side, site, issuer, errors, visitor: () => new Visitor({ site, issuer }) };
}

type ProviderInput = NonNullable<AuthConfig["providers"]>[number];

/** The passkey provider of Auth.js with the version of SimpleWebAuthn that it was written for. */
export function otherPasskey(simpleWebAuthn: object): ProviderInput {
  return OtherPasskey({ simpleWebAuthn } as never) as unknown as ProviderInput;
}

function idp(issuer: Issuer, id: string) {
  return {
    id,
    name: id,
    type: "oidc" as const,
    issuer: issuer.url,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    [customFetch]: fetchOf(issuer),
  };
}

/** A visitor with a browser that runs scripts, and an authenticator. */
export class Visitor {
  readonly cookies: CookieJar;
  readonly #world: Pick<World, "site" | "issuer">;
  readonly #device: Authenticator;

  // Auth.js gives the user handle as text.
  constructor(
    world: Pick<World, "site" | "issuer">,
    device = new Authenticator({ origin: ORIGIN, textHandle: true }),
    cookies = new CookieJar(),
  ) {
    this.#world = world;
    this.#device = device;
    this.cookies = cookies;
  }

  /** Sends a request, and follows nothing. */
  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(path, ORIGIN);
    const headers = new Headers(init.headers);
    const cookie = this.cookies.headerFor(url, { sameSite: true, safe: true });
    if (cookie) headers.set("cookie", cookie);
    const response = await this.#world.site(new Request(url, { redirect: "manual", ...init, headers }));
    for (const header of response.headers.getSetCookie()) this.cookies.store(header, url);
    return response;
  }

  /** Sends a form as the browser client does; the answer is where it leads. */
  async post(path: string, fields: Readonly<Record<string, string>> = {}): Promise<string> {
    const { csrfToken } = await (await this.send("/auth/csrf")).json();
    const headers = { "content-type": "application/x-www-form-urlencoded", "x-auth-return-redirect": "1" };
    const body = String(new URLSearchParams({ csrfToken, ...fields }));
    const { url } = await (await this.send(path, { method: "POST", headers, body })).json();
    return url;
  }

  /** Signs in with an identity provider, as somebody. */
  async come(idp: string, claims: Claims): Promise<string> {
    const location = await this.post(`/auth/signin/${idp}`);
    this.#world.issuer.claim({ name: undefined, email: undefined, email_verified: undefined, ...claims });
    const { redirectUri, params } = await this.#world.issuer.consent(location);
    return await this.follow(`${new URL(redirectUri).pathname}?${params}`);
  }

  /** Asks for a link and opens it. */
  async openLink({ link }: Mailbox, email: string): Promise<string> {
    await this.post("/auth/signin/email", { email });
    return await this.follow(link().href);
  }

  /** Opens an address, presses the button if there is one, and tells where it leads. */
  async follow(address: string): Promise<string> {
    let response = await this.send(address);
    const [form] = response.status === 200 ? readForms(await response.text()) : [];
    if (form) response = await this.#press(form);
    await response.body?.cancel();
    return leadsTo(response.headers.get("location") ?? `${ORIGIN}/nowhere?error=${response.status}`);
  }

  async signIn(provider: string, fields: Readonly<Record<string, string>>): Promise<string> {
    return leadsTo(await this.post(`/auth/callback/${provider}`, fields));
  }

  async signOut(): Promise<string> {
    return leadsTo(await this.post("/auth/signout"));
  }

  /** Makes a passkey. */
  async register(email: string): Promise<string> {
    const data = await this.#device.create(await this.#options("register", email));
    return await this.signIn("passkey", { action: "register", data });
  }

  /** Signs in with a passkey that was made before. */
  async authenticate(): Promise<string> {
    const data = await this.#device.get(await this.#options("authenticate"));
    return await this.signIn("passkey", { action: "authenticate", data });
  }

  /** The session, as the browser sees it. */
  async session(): Promise<Readonly<Record<string, unknown>> & { readonly user?: unknown } | null> {
    return await (await this.send("/auth/session")).json();
  }

  /** The token of the stored session. */
  token(): string {
    return this.cookies.get("authjs.session-token")?.value ?? "";
  }

  /** The same person at another browser, with the same authenticator. */
  elsewhere(): Visitor {
    return new Visitor(this.#world, this.#device);
  }

  /** The same browser when another server answers at the origin. */
  at(world: World): Visitor {
    return new Visitor(world, this.#device, this.cookies);
  }

  async #press({ action, fields }: Form): Promise<Response> {
    const headers = { "content-type": "application/x-www-form-urlencoded", origin: ORIGIN };
    return await this.send(action, { method: "POST", headers, body: String(new URLSearchParams(fields)) });
  }

  async #options(action: string, email = ""): Promise<CeremonyOptions> {
    const query = new URLSearchParams({ action, ...(email && { email }) });
    return (await (await this.send(`/auth/webauthn-options/passkey?${query}`)).json()).options;
  }
}

/** Where an address leads: its path, and its `error`. */
export function leadsTo(address: string): string {
  const { pathname, searchParams } = new URL(address, ORIGIN);
  const error = searchParams.get("error");
  return error ? `${pathname} ${error}` : pathname;
}
