/** Pages of one site in a browser with script: tabs with the same cookies, and channels among them. */
import type { Browser } from "../../client/core/connection.ts";
import { CookieJar } from "./cookie_jar.ts";

/** A page, as a script sees it and as a test does. */
export interface TestPage {
  /** Its globals. */
  readonly browser: Browser;
  /** Where the script went. */
  readonly visits: string[];
  /** What the script asked for, such as `GET /auth/session`. */
  readonly asked: string[];
  /** The windows it opened. */
  readonly popups: TestPopup[];
  /** How many channels and handlers of events it has open. */
  readonly open: { channels: number };
  /** Changes how requests are answered. */
  answer: ((request: Request) => Promise<Response>) | null;
  /** Whether the browser opens windows. */
  opensPopups: boolean;
  hidden: boolean;
  focused: boolean;
  /** Whether the page has closed itself. */
  closed: boolean;
  dispatch(type: string, more?: object): void;
}

export interface TestPopup {
  closed: boolean;
  /** Where it was sent. */
  readonly visits: string[];
}

/** Requests that are not answered yet. */
let pending = 0;

/** Waits until every request is answered, and what follows from the answers has happened. */
export async function settled(): Promise<void> {
  for (let quiet = 0; quiet < 5; quiet = pending === 0 ? quiet + 1 : 0) await turn();
}

/** Lets what is due happen. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2));
}

type Listener = (event: Event) => void;

interface Channel {
  readonly name: string;
  readonly page: TestPage;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  postMessage(data: unknown): void;
  close(): void;
}

/** A site in a browser. */
export class TestBrowser {
  readonly cookies = new CookieJar();
  readonly #handler: (request: Request) => Promise<Response>;
  readonly #channels = new Set<Channel>();

  constructor(handler: (request: Request) => Promise<Response>) {
    this.#handler = handler;
  }

  /** Says something on a channel, as any page of the origin can. */
  say(name: string, data: unknown): void {
    this.#post(name, data, null);
  }

  tab(href = "http://localhost:3000/"): TestPage {
    const listeners = new Map<string, Set<Listener>>();
    const url = new URL(href);
    const page: TestPage = {
      visits: [],
      asked: [],
      popups: [],
      open: { channels: 0 },
      answer: null,
      opensPopups: true,
      hidden: false,
      focused: true,
      closed: false,
      dispatch(type, more = {}) {
        for (const listener of listeners.get(type) ?? []) listener({ type, ...more } as Event);
      },
      browser: undefined as unknown as Browser,
    };
    const location = {
      get href() {
        return url.href;
      },
      get hash() {
        return url.hash;
      },
      get pathname() {
        return url.pathname;
      },
      get search() {
        return url.search;
      },
      assign: (to: string | URL) => void page.visits.push(String(to)),
      reload: () => void page.visits.push("reload"),
    };
    const browser = {
      location,
      history: {
        state: null,
        replaceState: (_: unknown, __: string, to: string) => void (url.href = new URL(to, url).href),
      },
      document: {
        get hidden() {
          return page.hidden;
        },
        hasFocus: () => page.focused,
        addEventListener: () => {},
      },
      fetch: (path: string, init?: RequestInit) => this.#fetch(page, new URL(path, url), init),
      BroadcastChannel: this.#channelsOf(page),
      addEventListener(type: string, listener: Listener, { signal }: { readonly signal: AbortSignal }) {
        const all = listeners.get(type) ?? new Set();
        listeners.set(type, all.add(listener));
        signal.addEventListener("abort", () => all.delete(listener));
      },
      open: () => openPopup(page),
      close: () => void (page.closed = true),
    };
    return Object.assign(page, { browser: browser as unknown as Browser });
  }

  #channelsOf(page: TestPage): unknown {
    const channels = this.#channels;
    const post = (name: string, data: unknown, from: Channel): void => this.#post(name, data, from);
    return class implements Channel {
      readonly name: string;
      readonly page = page;
      onmessage: Channel["onmessage"] = null;
      constructor(name: string) {
        this.name = name;
        channels.add(this);
        page.open.channels++;
      }
      postMessage(data: unknown): void {
        post(this.name, data, this);
      }
      close(): void {
        if (channels.delete(this)) page.open.channels--;
      }
    };
  }

  #post(name: string, data: unknown, from: Channel | null): void {
    const to = [...this.#channels].filter((channel) => channel !== from && channel.name === name);
    queueMicrotask(() => {
      for (const channel of to) if (this.#channels.has(channel)) channel.onmessage?.({ data });
    });
  }

  async #fetch(page: TestPage, url: URL, init: RequestInit = {}): Promise<Response> {
    init.signal?.throwIfAborted();
    const method = init.method ?? "GET";
    page.asked.push(`${method} ${url.pathname}${url.search}`);
    const cookie = this.cookies.headerFor(url, { sameSite: true, safe: method === "GET" });
    const headers = new Headers(init.headers);
    headers.set("sec-fetch-site", "same-origin");
    headers.set("sec-fetch-mode", "cors");
    if (method !== "GET") headers.set("origin", url.origin);
    if (cookie) headers.set("cookie", cookie);
    const request = new Request(url, { method, headers, ...(init.body && { body: init.body }) });
    pending++;
    const response = await (page.answer ?? this.#handler)(request).finally(() => pending--);
    for (const header of response.headers.getSetCookie()) this.cookies.store(header, url);
    init.signal?.throwIfAborted();
    return response;
  }
}

function openPopup(page: TestPage): unknown {
  if (!page.opensPopups) return null;
  const popup: TestPopup = { closed: false, visits: [] };
  page.popups.push(popup);
  return {
    get closed() {
      return popup.closed;
    },
    close: () => void (popup.closed = true),
    location: {
      set href(to: string) {
        popup.visits.push(to);
      },
    },
  };
}
