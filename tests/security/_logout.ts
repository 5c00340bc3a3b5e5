/** One service, one provider that can lie, and people who are signed in: for what is about logout. */
import type { AuthConfig, OidcProvider, ProviderInput } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import type { Site } from "../_support/browser.ts";
import { type Change, CLIENT, createIssuer, type Issuer } from "../_support/issuer.ts";
import { START, type TestRuntime, testRuntime } from "../_support/runtime.ts";
import { type Log, recordLog, testConfig } from "../_support/service.ts";
import { createEngine, type Engine } from "../../src/service/engine.ts";
import { respond } from "../../src/service/respond.ts";
import { answerOf, ask, type Asked, type Cookies, formToken, keep, locationOf, ORIGIN } from "./_service.ts";

/** The event of a logout token. */
export const EVENT = "http://schemas.openid.net/event/backchannel-logout";

/** Where the provider ends its session. */
export const END_SESSION = "https://idp.test/logout?theme=dark";

/** The `sid` of everybody who signs in, unless a test says otherwise. */
export const SID = "session-of-ada";

export interface WorldOptions extends Omit<AuthConfig, "providers" | "logger"> {
  readonly provider?: Partial<OidcProvider>;
  /** Providers besides. */
  readonly others?: readonly ProviderInput[];
  readonly metadata?: Change;
  /** Whether there is storage. @default {true} */
  readonly stored?: boolean;
}

export class World {
  readonly runtime: TestRuntime;
  readonly issuer: Issuer;
  readonly engine: Engine;
  readonly log: Log = recordLog();
  readonly site: Site;
  #jti = 0;

  constructor({ provider = {}, others = [], metadata = {}, stored = true, ...config }: WorldOptions = {}) {
    const now = () => Math.floor(this.runtime.now() / 1000);
    this.issuer = createIssuer({ now, metadata: { end_session_endpoint: END_SESSION, ...metadata } });
    this.issuer.claim({ sid: SID });
    this.runtime = testRuntime({ now: START, fetch: (request) => this.issuer.fetch(request) });
    const providers = [this.issuer.provider({ logout: true, ...provider }), ...others];
    this.engine = createEngine(
      testConfig({
        ...(stored && { adapter: memoryAdapter({ now: this.runtime.now }) }),
        ...config,
        providers,
        ...this.log,
      }),
      this.runtime,
    );
    this.site = async (request) => await respond(await this.engine.run(request));
  }

  /** Signs somebody in, and gives the cookies of their browser. */
  async signIn(claims: Change = {}, issuer: Issuer = this.issuer, id = "idp"): Promise<Cookies> {
    issuer.claim(claims);
    const { csrfToken, cookies } = await formToken(this.site);
    const started = await ask(this.site, `/auth/signin/${id}`, { cookies, fields: { csrfToken } });
    const before = keep(started, cookies);
    const done = await ask(this.site, await answerOf(issuer, locationOf(started)), { cookies: before });
    return keep(done, before);
  }

  /** Whether a browser is signed in. */
  async isSignedIn(cookies: Cookies): Promise<boolean> {
    return await (await ask(this.site, "/auth/session", { cookies })).json() !== null;
  }

  /** Signs out by the form of the page. */
  async signOut(cookies: Cookies, callbackUrl = "/bye", asked: Asked = {}): Promise<Response> {
    const { csrfToken, cookies: withToken } = await formToken(this.site);
    const all = { ...cookies, ...withToken };
    return await ask(this.site, "/auth/signout", { cookies: all, fields: { csrfToken, callbackUrl }, ...asked });
  }

  /** The claims of a logout token without a fault. */
  claims(change: Change = {}): Change {
    const iat = Math.floor(this.runtime.now() / 1000);
    const claims = {
      iss: this.issuer.url,
      aud: CLIENT.id,
      iat,
      exp: iat + 120,
      jti: `jti-${++this.#jti}`,
      sid: SID,
      events: { [EVENT]: {} },
    };
    return Object.fromEntries(Object.entries({ ...claims, ...change }).filter(([, value]) => value !== undefined));
  }

  /** A logout token, signed by the provider. */
  token(change: Change = {}, header: Change = { typ: "logout+jwt" }): string {
    return this.issuer.sign(this.claims(change), header);
  }

  /** Posts a logout token as the provider does. */
  async post(logout_token: string, asked: Asked = {}): Promise<Response> {
    return await ask(this.site, "/auth/backchannel-logout/idp", { fields: { logout_token }, ...asked });
  }
}

/** A request of a page of the site to the application. */
export function pageRequest(cookies: Cookies, path = "/"): Request {
  const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`).join("; ");
  return new Request(ORIGIN + path, { method: "POST", headers: { cookie, origin: ORIGIN } });
}
