import assert from "node:assert/strict";
import type { PublicProvider, Session } from "@x/auth";
import { CookieJar } from "./cookie_jar.ts";
import { type Form, readForms } from "./forms.ts";
import { assertResponseRules } from "./response_rules.ts";

/** Answers the requests for one origin. */
export type Site = (request: Request) => Promise<Response>;

export interface BrowserOptions {
  /** The origin of the site under test. @default {"http://localhost:3000"} */
  readonly origin?: string;
  /** Where the service is mounted. @default {"/auth"} */
  readonly basePath?: string;
  /** Whether the application around the service answers too, so that not every answer is the service's. */
  readonly application?: boolean;
  /** Whether failures of the server are what the test is about. */
  readonly mayFail?: boolean;
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SignInOptions {
  /** Where to go afterwards. */
  readonly callbackUrl?: string;
}

type Fields = Readonly<Record<string, string>>;

interface Sending extends RequestOptions {
  readonly method: string;
  readonly body?: string | undefined;
  /** The page that causes the request; `null` for an address that somebody typed. */
  readonly from: URL | null;
}

interface World {
  readonly cookies: CookieJar;
  readonly sites: Map<string, Site>;
}

/** What browsers accept when they open a page. */
const PAGES = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

const MOST_REDIRECTS = 20;

/** A visitor's browser without script: one tab, its page and the cookies it shares with other tabs. */
export class Browser {
  readonly origin: string;
  /** The page that is shown: its address, its status and its text. */
  url: URL;
  status = 0;
  html = "";
  /** Every address this tab has visited, redirects included. */
  readonly history: URL[] = [];
  readonly #world: World;
  readonly #handler: Site;
  readonly #options: BrowserOptions;

  constructor(handler: Site, options: BrowserOptions = {}, world?: World) {
    this.#handler = handler;
    this.#options = options;
    this.origin = options.origin ?? "http://localhost:3000";
    this.url = new URL("/", this.origin);
    this.#world = world ?? { cookies: new CookieJar(), sites: new Map([[this.origin, handler]]) };
  }

  get cookies(): CookieJar {
    return this.#world.cookies;
  }

  /** Lets the browser visit another origin: over the network, or as a function answers. */
  allow(origin: string, site: Site = (request) => fetch(request)): this {
    this.#world.sites.set(new URL(origin).origin, site);
    return this;
  }

  /** Opens a tab beside this one. */
  newTab(): Browser {
    return new Browser(this.#handler, this.#options, this.#world);
  }

  /** Asks for something as a script of the site would, and follows nothing. */
  get(path: string, options: RequestOptions = {}): Promise<Response> {
    return this.#send(new URL(path, this.origin), { ...options, method: "GET", from: new URL(this.origin) });
  }

  head(path: string, options: RequestOptions = {}): Promise<Response> {
    return this.#send(new URL(path, this.origin), { ...options, method: "HEAD", from: new URL(this.origin) });
  }

  /** Posts a form as a script of the site would, and follows nothing. */
  post(path: string, fields: Fields, options: RequestOptions = {}): Promise<Response> {
    return this.send("POST", path, String(new URLSearchParams(fields)), {
      ...options,
      headers: { "content-type": "application/x-www-form-urlencoded", ...options.headers },
    });
  }

  /** Posts JSON as a script of the site would. */
  postJson(path: string, value: unknown, options: RequestOptions = {}): Promise<Response> {
    const headers = { "content-type": "application/json", ...options.headers };
    return this.send("POST", path, JSON.stringify(value), { ...options, headers });
  }

  /** Sends any request as a script of the site would. */
  send(method: string, path: string, body?: string, options: RequestOptions = {}): Promise<Response> {
    return this.#send(new URL(path, this.origin), { ...options, method, body, from: new URL(this.origin) });
  }

  /** Types an address, and goes wherever it leads. */
  async open(address: string, options: RequestOptions = {}): Promise<this> {
    return await this.#visit(new URL(address, this.origin), { ...options, method: "GET", from: null });
  }

  /** Goes where an answer to {@linkcode get} or {@linkcode post} leads. */
  async follow(response: Response): Promise<this> {
    const location = response.headers.get("location");
    assert.ok(location, "the answer leads somewhere");
    return await this.#visit(new URL(location), { method: "GET", from: this.url });
  }

  /** Follows a link of the page. */
  async click(href: string): Promise<this> {
    return await this.#visit(new URL(href, this.url), { method: "GET", from: this.url });
  }

  /** Fills the page's only form, or the one whose action ends so, and sends it. */
  async submit(fields: Fields = {}, action = ""): Promise<this> {
    const form = this.#form(action);
    const values = new URLSearchParams({ ...form.fields, ...fields });
    const url = new URL(form.action || this.url, this.url);
    if (form.method === "GET") {
      url.search = String(values);
      return await this.#visit(url, { method: "GET", from: this.url });
    }
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return await this.#visit(url, { method: "POST", headers, body: String(values), from: this.url });
  }

  async csrf(): Promise<string> {
    const { csrfToken } = await (await this.get(this.#path("csrf"))).json();
    return csrfToken;
  }

  async session(): Promise<Session | null> {
    return await (await this.get(this.#path("session"))).json();
  }

  async providers(): Promise<Readonly<Record<string, PublicProvider>>> {
    return await (await this.get(this.#path("providers"))).json();
  }

  /** Signs in by the sign-in page. What is left to do at a provider is left to do. */
  async signIn(provider: string, fields: Fields = {}, { callbackUrl }: SignInOptions = {}): Promise<this> {
    const query = callbackUrl === undefined ? "" : `?${new URLSearchParams({ callbackUrl })}`;
    await this.open(this.#path("signin") + query);
    return await this.submit(fields, `/${provider}`);
  }

  /** Signs out by the sign-out page. */
  async signOut(): Promise<this> {
    await this.open(this.#path("signout"));
    return await this.submit({}, "/signout");
  }

  #path(action: string): string {
    return `${this.#options.basePath ?? "/auth"}/${action}`;
  }

  #form(action: string): Form {
    const forms = readForms(this.html).filter((form) => form.action.endsWith(action));
    const [form] = forms;
    assert.ok(form && forms.length === 1, `${this.url} has ${forms.length} forms "${action}": ${this.html}`);
    return form;
  }

  async #visit(url: URL, given: Sending): Promise<this> {
    const sending = { ...given, headers: { accept: PAGES, ...given.headers } };
    let response = await this.#send(url, sending);
    this.history.push(url);
    for (let redirects = 0; isRedirect(response); redirects++) {
      assert.ok(redirects < MOST_REDIRECTS, `${url} redirects for ever`);
      await response.body?.cancel();
      url = new URL(response.headers.get("location") ?? "", url);
      // A form becomes a plain visit; the page that caused it stays the same.
      response = await this.#send(url, { ...sending, headers: { accept: PAGES }, body: undefined, method: "GET" });
      this.history.push(url);
    }
    this.url = url;
    this.status = response.status;
    this.html = await response.text();
    return this;
  }

  async #send(url: URL, { method, headers, body, from }: Sending): Promise<Response> {
    const site = this.#world.sites.get(url.origin);
    assert.ok(site, `the browser was sent to ${url.origin}`);
    const relation = relate(from, url);
    const safe = method === "GET" || method === "HEAD";
    const cookie = this.cookies.headerFor(url, { sameSite: relation !== "cross-site", safe });
    const request = new Request(url, {
      method,
      redirect: "manual",
      headers: {
        "sec-fetch-site": relation,
        ...(cookie && { cookie }),
        ...(!safe && from && { origin: from.origin }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    const response = await site(request);
    for (const header of response.headers.getSetCookie()) this.cookies.store(header, url);
    if (url.origin === this.origin) this.#judge(response, url);
    return response;
  }

  #judge(response: Response, url: URL): void {
    const { application = false, mayFail = false } = this.#options;
    const byService = !application || url.pathname.startsWith(this.#path(""));
    assertResponseRules(response, { url, byService, mayFail });
  }
}

function isRedirect({ status, headers }: Response): boolean {
  return status >= 301 && status <= 303 && headers.has("location");
}

function relate(from: URL | null, to: URL): string {
  if (from === null) return "none";
  if (from.origin === to.origin) return "same-origin";
  return from.hostname === to.hostname ? "same-site" : "cross-site";
}
