/** A service with passkeys, browsers with authenticators, and a clock in the hands of the test. */
import type { Adapter, AuthConfig, CompleteAdapter, WebAuthnOptions } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { passkey } from "@x/auth/providers/passkey";
import {
  Authenticator,
  type AuthenticatorOptions,
  type CeremonyOptions,
  type Forgery,
  type Passkey,
} from "./authenticator.ts";
import { Browser, type Site } from "./browser.ts";
import { serve } from "./faults.ts";
import { type TestRuntime, testRuntime } from "./runtime.ts";
import { type Log, recordLog, testConfig } from "./service.ts";

export const ADDRESS = "ada@example.com";

export interface PasskeyOptions extends AuthConfig {
  readonly passkey?: WebAuthnOptions;
  readonly authenticator?: AuthenticatorOptions;
  readonly origin?: string;
}

/** What was offered: the status, the body, and the options in it. */
export interface Offered {
  readonly status: number;
  readonly body: { readonly action?: string; readonly options?: CeremonyOptions; readonly error?: string };
  readonly options: CeremonyOptions;
  readonly response: Response;
}

/** Somebody with a browser and an authenticator. */
export interface Person {
  readonly browser: Browser;
  readonly device: Authenticator;
  /** Asks for a ceremony. */
  offered(query?: Readonly<Record<string, string>>): Promise<Offered>;
  /** Posts what the authenticator answered. */
  answer(action: string, data: string, fields?: Readonly<Record<string, string>>): Promise<Response>;
  /** Makes a passkey from the beginning to the end. */
  register(email?: string, forgery?: Forgery): Promise<Response>;
  /** Signs in from the beginning to the end. */
  authenticate(forgery?: Forgery, passkey?: Passkey): Promise<Response>;
  email(): Promise<string | null>;
}

export interface PasskeyService {
  readonly adapter: CompleteAdapter;
  readonly runtime: TestRuntime;
  readonly log: Log;
  readonly site: Site;
  person(device?: Authenticator): Person;
}

/** Opens a service whose provider is `passkey`. */
export function openPasskeys(options: PasskeyOptions = {}): PasskeyService {
  const { passkey: overrides, authenticator, origin = "http://localhost:3000", ...others } = options;
  const runtime = testRuntime();
  const log = recordLog();
  const adapter = (others.adapter ?? memoryAdapter({ now: runtime.now })) as Adapter;
  const { providers = [passkey(overrides)], ...rest } = others;
  const site = serve(testConfig({ logger: log.logger, ...rest, adapter, providers }), runtime);
  return {
    adapter: adapter as CompleteAdapter,
    runtime,
    log,
    site,
    person: (device = new Authenticator({ origin, ...authenticator })) => personAt(site, device, origin),
  };
}

function personAt(site: Site, device: Authenticator, origin: string): Person {
  const browser = new Browser(site, { origin, mayFail: true });
  const person: Person = {
    browser,
    device,
    async offered(query = {}) {
      const response = await browser.get(`/auth/webauthn-options/passkey?${new URLSearchParams(query)}`);
      const body = await response.clone().json();
      return { status: response.status, body, options: body.options ?? { challenge: "" }, response };
    },
    async answer(action, data, fields = {}) {
      const csrfToken = await browser.csrf();
      return await browser.post("/auth/callback/passkey", { csrfToken, action, data, ...fields });
    },
    async register(email = ADDRESS, forgery = {}) {
      const { options } = await person.offered({ action: "register", email });
      return await person.answer("register", await device.create(options, forgery));
    },
    async authenticate(forgery = {}, key) {
      const { options } = await person.offered({ action: "authenticate" });
      return await person.answer("authenticate", await device.get(options, forgery, key));
    },
    email: async () => (await browser.session())?.user?.email ?? null,
  };
  return person;
}

/** Where an answer leads: the path and the query. */
export function leadsTo(response: Response): string {
  const location = response.headers.get("location");
  if (!location) return `${response.status}`;
  const { pathname, search } = new URL(location);
  return pathname + search;
}
