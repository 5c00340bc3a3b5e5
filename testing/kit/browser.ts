/**
 * A browser without script: one tab, its page, and the cookies it shares with other tabs. It needs no window.
 *
 * @module
 */
import type { Session } from "../../src/kernel/model.ts";
import { CookieJar } from "./cookie_jar.ts";
import { type Form, readForms } from "./forms.ts";

/** Answers the requests for one origin. */
export type Site = (request: Request) => Promise<Response>;

/** Options of {@linkcode Browser}. */
export interface BrowserOptions {
  /** The origin of the site under test. @default {"http://localhost:3000"} */
  readonly origin?: string | undefined;
  /** Where the service is mounted. @default {"/auth"} */
  readonly basePath?: string | undefined;
  /** Where its cookies are. @default an empty jar */
  readonly jar?: CookieJar | undefined;
}

/** Options of one request. */
export interface RequestOptions {
  /** Headers beside those of the browser. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The fields of a form. */
export type Fields = Readonly<Record<string, string>>;

/** A request as the browser sends it. */
interface Sending extends RequestOptions {
  readonly method: string;
  readonly body?: string | undefined;
  /** The page that causes the request; `null` for an address that somebody typed. */
  readonly from: URL | null;
}

/** What browsers accept when they open a page. */
const PAGES = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

const FORM = { "content-type": "application/x-www-form-urlencoded" } as const;

const MOST_REDIRECTS = 20;

/** A visitor's browser without script. */
export class Browser {
  /** The origin of the site. */
  readonly origin: string;
  /** Its cookies. All tabs have the same. */
  readonly jar: CookieJar;
  /** The address of the page that is shown. */
  url: URL;
  /** The status that the page came with. */
  status = 0;
  /** The page that is shown. */
  html = "";
  /** Every address that this tab has visited, redirects included. */
  readonly history: URL[] = [];
  readonly #sites: Map<string, Site>;
  /** Where the service is. */
  protected basePath: string;

  /** Opens a browser. @param site Answers the requests for its origin. @param beside A tab of the same browser. */
  constructor(site: Site, options: BrowserOptions = {}, beside?: Browser) {
    const { origin = "http://localhost:3000", basePath = "/auth", jar = new CookieJar() } = options;
    this.origin = new URL(origin).origin;
    this.url = new URL("/", this.origin);
    this.basePath = basePath;
    this.jar = beside?.jar ?? jar;
    this.#sites = beside ? beside.#sites : new Map([[this.origin, site]]);
  }

  /** Lets the browser visit another origin: over the network, or as a function answers. */
  allow(origin: string, site: Site = (request) => fetch(request)): this {
    this.#sites.set(new URL(origin).origin, site);
    return this;
  }

  /** Asks for something as a script of the site would, and follows nothing. */
  get(path: string, options: RequestOptions = {}): Promise<Response> {
    return this.send("GET", path, undefined, options);
  }

  /** Asks for the headers of something, as a script of the site would. */
  head(path: string, options: RequestOptions = {}): Promise<Response> {
    return this.send("HEAD", path, undefined, options);
  }

  /** Posts a form as a script of the site would, and follows nothing. */
  post(path: string, fields: Fields = {}, options: RequestOptions = {}): Promise<Response> {
    const headers = { ...FORM, ...options.headers };
    return this.send("POST", path, String(new URLSearchParams(fields)), { ...options, headers });
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
  async open(address: string | URL, options: RequestOptions = {}): Promise<this> {
    return await this.#visit(new URL(address, this.origin), { ...options, method: "GET", from: null });
  }

  /** Comes from a page of another site, by a link or, with `fields`, by a form that it posts. */
  async arrive(address: string | URL, from: string | URL, fields?: URLSearchParams): Promise<this> {
    const posted = fields && { headers: FORM, body: String(fields) };
    return await this.#visit(new URL(address), { method: posted ? "POST" : "GET", ...posted, from: new URL(from) });
  }

  /** Goes where an answer to {@linkcode get} or {@linkcode post} leads. */
  async follow(response: Response): Promise<this> {
    const location = response.headers.get("location");
    if (location === null) throw new Error(`Cannot follow: the answer, of status ${response.status}, leads nowhere`);
    return await this.#visit(new URL(location, this.origin), { method: "GET", from: this.url });
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
    return await this.#visit(url, { method: "POST", headers: FORM, body: String(values), from: this.url });
  }

  /** Gets the CSRF token, which forms of the service need. */
  async csrf(): Promise<string> {
    const response = await this.get(this.path("csrf"));
    return response.ok ? (await response.json()).csrfToken : "";
  }

  /** Reads the session, as a script of the site would. */
  async session(): Promise<Session | null> {
    return await (await this.get(this.path("session"))).json();
  }

  /** Signs out by the sign-out page. */
  async signOut(): Promise<this> {
    await this.open(this.path("signout"));
    return await this.submit({}, "/signout");
  }

  /** Gives the path of an action of the service. */
  protected path(action: string): string {
    return `${this.basePath.replace(/\/$/, "")}/${action}`;
  }

  /** Looks at each answer of the site. A subclass may refuse it. */
  protected judge(_response: Response, _url: URL): void {}

  #form(action: string): Form {
    const forms = readForms(this.html).filter((form) => form.action.endsWith(action));
    const [form] = forms;
    if (form && forms.length === 1) return form;
    throw new Error(`Cannot send a form: ${this.url} has ${forms.length} forms "${action}": ${this.html}`);
  }

  async #visit(url: URL, given: Sending): Promise<this> {
    const sending = { ...given, headers: { accept: PAGES, ...given.headers } };
    let response = await this.#send(url, sending);
    this.history.push(url);
    for (let redirects = 0; isRedirect(response); redirects++) {
      if (redirects >= MOST_REDIRECTS) throw new Error(`Cannot open ${url}: it redirects for ever`);
      await response.body?.cancel();
      url = new URL(response.headers.get("location") ?? "", url);
      // A form becomes a plain visit, unless it is to be sent again; the page that caused it stays the same.
      const next = { ...sending, headers: { accept: PAGES }, body: undefined, method: "GET" };
      response = await this.#send(url, response.status > 303 ? sending : next);
      this.history.push(url);
    }
    this.url = url;
    this.status = response.status;
    this.html = await response.text();
    return this;
  }

  async #send(url: URL, { method, headers, body, from }: Sending): Promise<Response> {
    const site = this.#sites.get(url.origin);
    if (!site) throw new Error(`Cannot open ${url}: this browser knows ${[...this.#sites.keys()].join(", ")}`);
    const relation = relate(from, url);
    const safe = method === "GET" || method === "HEAD";
    const cookie = this.jar.headerFor(url, { sameSite: relation !== "cross-site", safe });
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
    for (const header of response.headers.getSetCookie()) this.jar.store(header, url);
    if (url.origin === this.origin) this.judge(response, url);
    return response;
  }
}

function isRedirect({ status, headers }: Response): boolean {
  return [301, 302, 303, 307, 308].includes(status) && headers.has("location");
}

function relate(from: URL | null, to: URL): string {
  if (from === null) return "none";
  if (from.origin === to.origin) return "same-origin";
  return from.hostname === to.hostname ? "same-site" : "cross-site";
}
