import type { PublicProvider } from "@x/auth";
import {
  Browser as AnyBrowser,
  type BrowserOptions as AnyOptions,
  type Fields,
  type Site,
} from "../../testing/kit/browser.ts";
import type { CookieJar } from "./cookie_jar.ts";
import { assertResponseRules } from "./response_rules.ts";

export type { RequestOptions, Site } from "../../testing/kit/browser.ts";

export interface BrowserOptions extends AnyOptions {
  /** Whether the application around the service answers too, so that not every answer is the service's. */
  readonly application?: boolean;
  /** Whether failures of the server are what the test is about. */
  readonly mayFail?: boolean;
}

export interface SignInOptions {
  /** Where to go afterwards. */
  readonly callbackUrl?: string;
}

/** A browser that holds every answer to the rules of {@linkcode assertResponseRules}. */
export class Browser extends AnyBrowser {
  readonly #handler: Site;
  readonly #options: BrowserOptions;

  constructor(handler: Site, options: BrowserOptions = {}, beside?: Browser) {
    super(handler, options, beside);
    this.#handler = handler;
    this.#options = options;
  }

  get cookies(): CookieJar {
    return this.jar;
  }

  /** Opens a tab beside this one. */
  newTab(): Browser {
    return new Browser(this.#handler, this.#options, this);
  }

  async providers(): Promise<Readonly<Record<string, PublicProvider>>> {
    return await (await this.get(this.path("providers"))).json();
  }

  /** Signs in by the sign-in page. What is left to do at a provider is left to do. */
  async signIn(provider: string, fields: Fields = {}, { callbackUrl }: SignInOptions = {}): Promise<this> {
    const query = callbackUrl === undefined ? "" : `?${new URLSearchParams({ callbackUrl })}`;
    await this.open(this.path("signin") + query);
    return await this.submit(fields, `/${provider}`);
  }

  protected override judge(response: Response, url: URL): void {
    const { application = false, mayFail = false } = this.#options;
    const byService = !application || url.pathname.startsWith(this.path(""));
    assertResponseRules(response, { url, byService, mayFail });
  }
}
