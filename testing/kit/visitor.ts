/**
 * Somebody who visits an application, with a browser of their own.
 *
 * @module
 */
import type { AuthConfig } from "../../src/contract/config.ts";
import type { AccountAct } from "../../src/request/account_views.ts";
import type { ProviderType } from "../../src/kernel/model.ts";
import type { Runtime } from "../../src/kernel/runtime.ts";
import { type AccountAnswer, changeAccount, readAccount } from "./account.ts";
import { Authenticator } from "./authenticator.ts";
import { Browser, type Fields, type Site } from "./browser.ts";
import { CookieJar } from "./cookie_jar.ts";
import { cookieHeader, type CypressCookie, cypressCookies, type StorageState, storageState } from "./cookies_for.ts";
import type { Mailbox } from "./mailbox.ts";
import { type NewMember, type NewPassword, resetPassword, signUp } from "./password.ts";
import type { Claims, OpenProvider } from "./provider.ts";
import { enrol, type Enrolled, type EnrolOptions, prove, type VisitorProof } from "./second_factor.ts";
import { serviceFor, type TestUser } from "./sign_in_as.ts";

/** What the service of an application is, once it is known. */
export interface Known {
  /** Its configuration, rewired. */
  readonly config: AuthConfig;
  /** The kinds of its providers, by id. */
  readonly kinds: ReadonlyMap<string, ProviderType>;
  /** Its path. */
  readonly basePath: string;
}

/** What surrounds a visitor. */
export interface Surroundings {
  readonly handler: Site;
  readonly origin: string;
  readonly now: () => number;
  readonly runtime: Runtime;
  readonly mailbox: Mailbox;
  readonly fake: (id: string) => OpenProvider;
  /** Makes the application use its configuration, if it has not yet. */
  readonly wake: () => Promise<Known>;
}

/** Options of a sign-in by the real flow. */
export interface VisitOptions {
  /** Where the browser goes afterwards. @default the home page */
  readonly callbackUrl?: string | undefined;
}

/** Options of {@linkcode Visitor.signInAs}. */
export interface SignInAsOptions {
  /** How many factors they have proven. 2 needs an adapter with records, and nobody has to enrol. @default {1} */
  readonly level?: 1 | 2 | undefined;
  /** The provider that they use. @default the first that is not for passkeys */
  readonly provider?: string | undefined;
}

/** Somebody who visits an application. */
export class Visitor extends Browser {
  /** Their device for passkeys. */
  readonly authenticator: Authenticator;
  readonly #around: Surroundings;

  /** Opens a browser. `visitor()` of a world does it. */
  constructor(around: Surroundings) {
    super(around.handler, { origin: around.origin, jar: new CookieJar(around.now) });
    this.#around = around;
    this.authenticator = new Authenticator({ origin: this.origin });
  }

  /**
   * Signs in by the real flow, and goes where it leads.
   *
   * @param provider Its id.
   * @param given At a provider of OAuth or OpenID Connect what it says of the person, in its own words; whoever has no
   * `sub` or `id` gets one that follows from the address or the name, and an address is verified unless `email_verified`
   * says otherwise. By email `email`, at a form its fields, and with a passkey `email` if it has to be made.
   * @returns The visitor, who may have been refused: look at `session()` and `url`.
   */
  async signIn(provider: string, given: Claims = {}, { callbackUrl }: VisitOptions = {}): Promise<this> {
    const known = await this.#know();
    return await this.#signInAt(this, known, { provider, given, callbackUrl });
  }

  /**
   * Is signed in, as the service would do it: the visitor goes through a sign-in at a fake provider that ends in this user.
   * User, account, session and cookies are written by the real code, and callbacks and events are called. With an adapter,
   * a user of this `id` or address is the one who signs in; one with an `id` that is not stored is stored first.
   *
   * @throws {Error} if the service refuses, such as by `callbacks.signIn`.
   */
  async signInAs(user: TestUser, { level = 1, provider }: SignInAsOptions = {}): Promise<this> {
    const known = await this.#know();
    const id = provider ?? [...known.kinds].find(([, kind]) => kind !== "webauthn")?.[0];
    if (id === undefined) throw new Error("Cannot sign in as anybody: the configuration has no provider to do it with");
    const { site, given } = await serviceFor(known, { id, user, level, runtime: this.#around.runtime });
    const tab = new Browser(site, { origin: this.origin, basePath: known.basePath, jar: this.jar });
    await this.#signInAt(tab, known, { provider: id, given });
    const { pathname, searchParams } = tab.url;
    const refused = searchParams.has("error") || /\/(?:error|signin|challenge|factors|verify-request)$/.test(pathname);
    if (!refused) return this;
    const help = /\/(?:challenge|factors)$/.test(pathname) ? ". A second factor is asked for: pass `{ level: 2 }`" : "";
    throw new Error(`Cannot sign in as ${user.email ?? user.name ?? user.id}: it ended at ${tab.url}${help}`);
  }

  /**
   * Registers with a password, opens the link of the email in the same browser, and goes where it leads. Needs `password()`.
   *
   * @returns The visitor, who may have been refused, or had an account before: look at `session()` and `url`.
   */
  async signUp(member: NewMember, { callbackUrl }: VisitOptions = {}): Promise<this> {
    await this.#know();
    const { mailbox } = this.#around;
    await signUp({ tab: this, path: (action) => this.path(action) }, member, { mailbox, callbackUrl });
    return this;
  }

  /**
   * Asks for an email, opens its link, chooses a password, and goes where that leads. Needs `password()`.
   *
   * @returns The visitor, who may have been refused, or asked for a second proof: look at `session()` and `url`.
   */
  async resetPassword(chosen: NewPassword, { callbackUrl }: VisitOptions = {}): Promise<this> {
    await this.#know();
    const { mailbox } = this.#around;
    await resetPassword({ tab: this, path: (action) => this.path(action) }, chosen, { mailbox, callbackUrl });
    return this;
  }

  /**
   * Adds an authenticator app, and keeps the recovery codes: for a visitor who has just signed in, or whose sign-in waits
   * because a second factor is required. Needs `secondFactor()`.
   *
   * @throws {Error} if the service refuses.
   */
  async enrol(options: EnrolOptions = {}): Promise<Enrolled> {
    await this.#know();
    return await enrol({ tab: this, path: (action) => this.path(action) }, { ...options, now: this.#around.now });
  }

  /**
   * Gives a second proof, where a sign-in waits for one or a page asks for more, and goes where it leads.
   *
   * @returns The visitor, whose proof may have been wrong: look at `session()` and `url`.
   */
  async prove(proof: VisitorProof): Promise<this> {
    await this.#know();
    await prove({ tab: this, path: (action) => this.path(action) }, this.authenticator, proof);
    return this;
  }

  /** Reads the account, as the account page gives it to scripts. Needs `accountPage()`. */
  async account(): Promise<AccountAnswer> {
    await this.#know();
    return await readAccount({ tab: this, path: (action) => this.path(action) });
  }

  /**
   * Does what a form of the account page does, such as `changeAccount("rename", { name: "Ada" })`. Needs `accountPage()`.
   *
   * @param fields What the form sends: `name`, `to`, `typed`, or the `id` that `account()` gives.
   */
  async changeAccount(act: AccountAct, fields: Fields = {}): Promise<AccountAnswer> {
    await this.#know();
    return await changeAccount({ tab: this, path: (action) => this.path(action) }, act, fields);
  }

  /** Signs out by the sign-out page. */
  override async signOut(): Promise<this> {
    await this.#know();
    return await super.signOut();
  }

  /** Reads the session; `null` if nobody is signed in. */
  override async session(): ReturnType<Browser["session"]> {
    await this.#know();
    return await super.session();
  }

  /** Gets the CSRF token, which forms of the service need. */
  override async csrf(): Promise<string> {
    await this.#know();
    return await super.csrf();
  }

  /** Gives the cookies as `storageState` of Playwright. */
  cookies(options: { readonly for: "playwright" }): StorageState;
  /** Gives the cookies as arguments of `cy.setCookie()`. */
  cookies(options: { readonly for: "cypress" }): readonly CypressCookie[];
  /** Gives the header `Cookie` of a request to the home page. */
  cookies(options: { readonly for: "header" }): string;
  cookies(
    { for: reader }: { readonly for: "playwright" | "cypress" | "header" },
  ): StorageState | readonly CypressCookie[] | string {
    switch (reader) {
      case "playwright":
        return storageState(this.jar);
      case "cypress":
        return cypressCookies(this.jar);
      case "header":
        return cookieHeader(this.jar, this.origin);
      default:
        return reader satisfies never;
    }
  }

  async #know(): Promise<Known> {
    const known = await this.#around.wake();
    this.basePath = known.basePath;
    return known;
  }

  async #signInAt<B extends Browser>(
    tab: B,
    { kinds, basePath }: Known,
    { provider, given, callbackUrl }: { provider: string; given: Claims; callbackUrl?: string | undefined },
  ): Promise<B> {
    const kind = kinds.get(provider);
    const target = { ...(callbackUrl !== undefined && { callbackUrl }) };
    const fields = { csrfToken: await tab.csrf(), ...target };
    switch (kind) {
      case "oauth":
      case "oidc": {
        const location = (await tab.post(`${basePath}/signin/${provider}`, fields)).headers.get("location");
        if (location === null || new URL(location).origin === tab.origin) return await tab.open(location ?? "/");
        const { url, from, posted } = await this.#around.fake(provider).consent(location, given);
        return await tab.arrive(url, from, posted);
      }
      case "email": {
        const sent = this.#around.mailbox.all.length;
        const asked = await tab.post(`${basePath}/signin/${provider}`, { ...fields, ...textsOf(given) });
        if (this.#around.mailbox.all.length === sent) return await tab.follow(asked);
        return await tab.open(this.#around.mailbox.link());
      }
      case "credentials":
        return await tab.follow(
          await tab.post(`${basePath}/callback/${provider}`, { ...fields, ...textsOf(given) }),
        );
      case "webauthn":
        return await tab.follow(await this.#usePasskey(tab, `${basePath}/webauthn-options/${provider}`, fields, given));
      case undefined:
        throw new Error(`Cannot sign in with "${provider}": the providers are ${[...kinds.keys()].join(", ")}`);
      default:
        return kind satisfies never;
    }
  }

  async #usePasskey(tab: Browser, path: string, fields: Fields, { email }: Claims): Promise<Response> {
    const action = this.authenticator.passkeys.length > 0 ? "authenticate" : "register";
    const query = new URLSearchParams({ action, ...(typeof email === "string" && { email }) });
    const offered = await tab.get(`${path}?${query}`);
    const { options } = await offered.json();
    if (!options) throw new Error(`Cannot use a passkey: the service has answered ${offered.status}`);
    const data = action === "register"
      ? await this.authenticator.create(options)
      : await this.authenticator.get(options);
    return await tab.post(path.replace("/webauthn-options/", "/callback/"), { ...fields, action, data });
  }
}

function textsOf(given: Claims): Fields {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
}
