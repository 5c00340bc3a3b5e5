/** A browser over HTTP whose person signs in, reads, changes, links and signs out, and notices what goes wrong. */
import type { Session } from "@x/auth";
import { CookieJar } from "./cookie_jar.ts";
import { readForms } from "./forms.ts";
import type { MigrationSite } from "./migration_site.ts";

/** How somebody signs in. */
export type Method = "oauth" | "email" | "credentials";

/** What a person does, one after the other and again from the beginning. */
const ACTS = ["signIn", "read", "update", "read", "link", "read", "read", "signOut"] as const;

type Fields = Readonly<Record<string, string>>;

interface Page {
  readonly url: URL;
  readonly status: number;
  readonly text: string;
}

/** A person with a browser. */
export class MigrationBrowser {
  readonly #cookies = new CookieJar();
  readonly #site: MigrationSite;
  readonly #method: Method;
  readonly #name: string;
  readonly #links: boolean;
  #done = 0;
  #linked = false;

  /** @param links Whether the person adds an account at a second provider. */
  constructor(site: MigrationSite, { name, method, links }: { name: string; method: Method; links: boolean }) {
    this.#site = site;
    this.#name = name;
    this.#method = method;
    this.#links = links;
  }

  /** Does what is next. @throws {Error} if the person sees anything that they should not see. */
  async act(): Promise<void> {
    const act = ACTS[this.#done++ % ACTS.length] ?? "read";
    try {
      await this[act]();
    } catch (error) {
      throw new Error(`${this.#name} (${this.#method}), ${act}: ${error instanceof Error ? error.message : error}`);
    }
  }

  async signIn(): Promise<void> {
    if (this.#method === "oauth") await this.#visitProvider("first");
    if (this.#method === "credentials") await this.#post("callback/credentials", { name: this.#name });
    if (this.#method === "email") {
      await this.#post("signin/email", { email: this.#email });
      const page = await this.#open(this.#site.links.get(this.#email) ?? "");
      // Whoever opens a link that another server sent confirms it with a button.
      if (page.text.includes("<form")) await this.#submit(page);
    }
    await this.read();
  }

  async read(): Promise<void> {
    const { text } = await this.#open("/auth/session");
    const session = JSON.parse(text) as Session | null;
    if (session?.user?.email !== this.#email) throw new Error(`the session is ${text}`);
    const page = await this.#open("/members");
    if (page.text !== this.#email) throw new Error(`${page.url} shows ${page.status} ${page.text.slice(0, 200)}`);
  }

  async update(): Promise<void> {
    const csrfToken = await this.#csrf();
    const body = JSON.stringify({ csrfToken, data: { name: `New ${this.#name}` } });
    const headers = { "content-type": "application/json" };
    const answer = await this.#send(new URL("/auth/session", this.#site.origin), { method: "POST", headers, body });
    const session = await answer.json() as Session | null;
    if (answer.status !== 200 || session?.user?.email !== this.#email) {
      throw new Error(`the update answered ${answer.status} ${JSON.stringify(session)}`);
    }
  }

  async link(): Promise<void> {
    if (this.#links && !this.#linked) {
      await this.#visitProvider("second");
      this.#linked = true;
    }
    // Signed in as the same user, whose address is still the first one.
    await this.read();
  }

  async signOut(): Promise<void> {
    await this.#post("signout", {});
    const { text } = await this.#open("/auth/session");
    if (text !== "null") throw new Error(`the session after signing out is ${text}`);
    const { url } = await this.#open("/members");
    if (url.pathname !== "/auth/signin") throw new Error(`${url} is open to whoever has signed out`);
    // A second way in that was linked leads to the same user.
    if (this.#linked) {
      await this.#visitProvider("second");
      await this.read();
      await this.#post("signout", {});
    }
  }

  get #email(): string {
    const domains = { oauth: "first.example", email: "mail.example", credentials: "password.example" };
    return `${this.#name}@${domains[this.#method]}`;
  }

  async #visitProvider(id: string): Promise<void> {
    const page = await this.#post(`signin/${id}`, {}, { as: this.#name });
    if (page.url.pathname !== "/") throw new Error(`the provider led to ${page.url}`);
  }

  async #csrf(): Promise<string> {
    return JSON.parse((await this.#open("/auth/csrf")).text).csrfToken;
  }

  async #post(path: string, fields: Fields, addition: Fields = {}): Promise<Page> {
    const body = new URLSearchParams({
      ...fields,
      csrfToken: await this.#csrf(),
      callbackUrl: `${this.#site.origin}/`,
    });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const url = new URL(`/auth/${path}`, this.#site.origin);
    return await this.#visit(url, { method: "POST", headers, body: body.toString() }, addition);
  }

  async #submit({ text, url }: Page): Promise<void> {
    const [form] = readForms(text);
    if (!form) throw new Error(`${url} has no form`);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams(form.fields).toString();
    await this.#visit(new URL(form.action || url, url), { method: form.method, headers, body });
  }

  #open(address: string): Promise<Page> {
    return this.#visit(new URL(address, this.#site.origin), {});
  }

  /** Goes where an address leads. `addition` is what the person says at the provider. */
  async #visit(url: URL, init: RequestInit, addition: Fields = {}): Promise<Page> {
    let response = await this.#send(url, init);
    for (let redirects = 0; response.headers.has("location") && redirects < 10; redirects++) {
      await response.body?.cancel();
      url = new URL(response.headers.get("location") ?? "", url);
      if (url.origin === this.#site.origin && url.pathname === "/") return { url, status: 200, text: "" };
      for (const [name, value] of Object.entries(addition)) {
        if (url.origin !== this.#site.origin) url.searchParams.set(name, value);
      }
      response = await this.#send(url, {});
    }
    const page = { url, status: response.status, text: await response.text() };
    if (page.status >= 400 || url.searchParams.has("error")) {
      throw new Error(`${url.pathname}${url.search} answered ${page.status} ${page.text.slice(0, 100)}`);
    }
    return page;
  }

  async #send(url: URL, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    const safe = (init.method ?? "GET") === "GET";
    const cookie = this.#cookies.headerFor(url, { sameSite: true, safe });
    if (cookie && url.origin === this.#site.origin) headers.set("cookie", cookie);
    if (!safe) headers.set("origin", this.#site.origin);
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const header of response.headers.getSetCookie()) this.#cookies.store(header, url);
    return response;
  }
}
