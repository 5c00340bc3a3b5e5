/** A service with several ways in, and people who use more than one of them. */
import { type Adapter, type AuthConfig, createAuth, type OidcProvider } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { Browser } from "./browser.ts";
import type { Issuer } from "./issuer.ts";
import { liveIssuer, providerOf } from "./live_issuer.ts";
import { type Mailbox, mailbox } from "./mailbox.ts";
import { type Log, recordLog, testConfig } from "./service.ts";

/** Who comes: claims of an id_token. */
export type Person = Readonly<Record<string, unknown>> & { readonly sub: string };

export interface MultiProviderOptions<A extends Adapter> extends AuthConfig {
  readonly adapter?: A;
  /** The identity providers by id, and what differs from the defaults. @default `google` and `lax` */
  readonly idps?: Readonly<Record<string, Partial<OidcProvider>>>;
  readonly mayFail?: boolean;
}

export interface MultiProvider<A extends Adapter> extends Mailbox {
  readonly adapter: A;
  readonly issuer: Issuer;
  readonly log: Log;
  /** The functions of the service. */
  readonly auth: ReturnType<typeof createAuth>;
  /** A browser nobody has used. */
  visitor(): Browser;
  /** Sends a browser to an identity provider; the answer is where it is. */
  leave(browser: Browser, idp: string): Promise<string>;
  /** Brings it back, as somebody; the answer is the callback's. */
  comeBack(browser: Browser, location: string, person: Person): Promise<Response>;
  /** Both. */
  come(browser: Browser, idp: string, person: Person): Promise<Response>;
  /** Asks for a link and opens it, in the same browser. */
  verifyMailbox(browser: Browser, email: string): Promise<Browser>;
}

/** Opens a service with identity providers, email, and whatever else the options bring. */
export function openMultiProvider<A extends Adapter = ReturnType<typeof memoryAdapter>>(
  { idps = { google: {}, lax: {} }, providers = [], mayFail = false, ...options }: MultiProviderOptions<A> = {},
): MultiProvider<A> {
  const adapter = options.adapter ?? memoryAdapter() as unknown as A;
  const box = mailbox();
  const log = recordLog();
  const issuer = liveIssuer();
  const all = Object.entries(idps).map(([id, overrides]) => providerOf(issuer, { id, ...overrides }));
  const config = { logger: log.logger, ...options, adapter, providers: [...all, box.provider, ...providers] };
  const auth: ReturnType<typeof createAuth> = createAuth(testConfig(config));
  const { handler } = auth;

  async function leave(browser: Browser, idp: string): Promise<string> {
    const start = await browser.post(`/auth/signin/${idp}`, { csrfToken: await browser.csrf() });
    return start.headers.get("location") ?? "";
  }

  async function comeBack(browser: Browser, location: string, person: Person): Promise<Response> {
    issuer.claim({ name: undefined, email: undefined, email_verified: undefined, ...person });
    const { redirectUri, params } = await issuer.consent(location);
    return await browser.get(`${new URL(redirectUri).pathname}?${params}`);
  }

  return {
    ...box,
    adapter,
    issuer,
    log,
    auth,
    visitor: () => new Browser(handler, { mayFail }),
    leave,
    comeBack,
    come: async (browser, idp, person) => await comeBack(browser, await leave(browser, idp), person),
    async verifyMailbox(browser, email) {
      await browser.signIn("email", { email });
      return await browser.open(box.link().href);
    },
  };
}

/** Where an answer leads: its path, and its `error`. */
export function leadsTo(response: Response): string {
  const { pathname, searchParams } = new URL(response.headers.get("location") ?? "");
  const error = searchParams.get("error");
  return error ? `${pathname} ${error}` : pathname;
}

/** Where somebody is sent who may be another user. */
export const NOT_LINKED = "/auth/signin OAuthAccountNotLinked";
