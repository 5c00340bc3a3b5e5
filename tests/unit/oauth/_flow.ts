/** One sign-in of a browser, without the routes of the service. */
import type { AuthConfig } from "../../../src/contract/config.ts";
import { openContext, type RequestContext } from "../../../src/request/context.ts";
import type { RedirectUrl } from "../../../src/http/redirect_url.ts";
import type { Account, Profile, User } from "../../../src/kernel/model.ts";
import { finishOAuth, relayFormPost } from "../../../src/oauth/callback.ts";
import { startOAuth } from "../../../src/oauth/start.ts";
import type { Outcome } from "../../../src/request/outcome.ts";
import type { Provider } from "../../../src/contract/provider.ts";
import type { ResolvedOAuthProvider } from "../../../src/config/resolved_provider.ts";
import type { ResolvedConfig } from "../../../src/config/resolve.ts";
import { resolveNow } from "../../_support/resolved.ts";
import { createJwtStore } from "../../../src/session_stores/jwt_store.ts";
import type { Issuer } from "../../_support/issuer.ts";
import { START, type TestRuntime, testRuntime } from "../../_support/runtime.ts";

export const SECRET = "a secret of more than thirty-two characters";

export interface SignedIn {
  readonly user: User;
  readonly account: Account;
  readonly profile?: Profile | undefined;
}

/** One service and one browser with its cookies. */
export class Visit {
  readonly runtime: TestRuntime;
  readonly config: ResolvedConfig;
  readonly origin: string;
  readonly cookies = new Map<string, string>();
  /** Who signed in, as `events.signIn` got it. */
  readonly signedIn: SignedIn[] = [];

  constructor(
    providers: readonly Provider[],
    { fetch, origin = "https://app.test", ...config }: Omit<AuthConfig, "providers"> & {
      fetch: (request: Request) => Promise<Response> | Response;
      origin?: string;
    },
  ) {
    this.runtime = testRuntime({ fetch });
    this.origin = origin;
    const events = { signIn: (message: SignedIn) => void this.signedIn.push(message) };
    const logger = { error: () => {}, warn: () => {}, debug: () => {} };
    this.config = resolveNow(
      { secret: SECRET, trustHost: true, events, logger, ...config, providers },
      this.runtime,
    );
    const [problem] = this.config.problems;
    if (problem) throw problem;
  }

  provider(id = "idp"): ResolvedOAuthProvider {
    const provider = this.config.providers.get(id);
    if (provider?.type !== "oauth" && provider?.type !== "oidc") throw new Error(`no such provider: ${id}`);
    return provider;
  }

  open(path: string, cookies: ReadonlyMap<string, string> = this.cookies): RequestContext {
    const url = new URL(path, this.origin);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const request = new Request(url, { headers: cookie ? { cookie } : {} });
    return openContext(request, url, { config: this.config, sessions: createJwtStore(this.config) });
  }

  keep(ctx: RequestContext): void {
    for (const { name, value, options } of ctx.cookies.close()) {
      if (options.maxAge === 0) this.cookies.delete(name);
      else this.cookies.set(name, encodeURIComponent(value));
    }
  }

  /** Starts a sign-in and gives the authorization URL. Cookies change also if it fails. */
  async start(params: Record<string, string> | URLSearchParams = {}, id = "idp"): Promise<string> {
    const ctx = this.open(`/auth/signin/${id}`);
    const target = `${this.origin}/after` as RedirectUrl;
    const input = { provider: this.provider(id), redirectUrl: target, params: new URLSearchParams(params) };
    try {
      return locationOf(await startOAuth(ctx, input));
    } finally {
      this.keep(ctx);
    }
  }

  /** Delivers a response. Cookies change also if it is refused. */
  async finish(params: URLSearchParams | Record<string, string>, id = "idp"): Promise<Outcome> {
    const query = new URLSearchParams(params);
    const ctx = this.open(`/auth/callback/${id}?${query}`);
    try {
      return await finishOAuth(ctx, { provider: this.provider(id), params: query });
    } finally {
      this.keep(ctx);
    }
  }

  relay(fields: Readonly<Record<string, unknown>>, id = "idp"): Outcome {
    return relayFormPost(this.open(`/auth/callback/${id}`), { provider: this.provider(id), fields });
  }

  /** Starts, agrees and finishes. */
  async signIn(issuer: Issuer): Promise<SignedIn> {
    const { params } = await issuer.consent(await this.start());
    await this.finish(params);
    const last = this.signedIn.at(-1);
    if (!last) throw new Error("nobody signed in");
    return last;
  }

  /** Names of the flow cookies. */
  flows(): string[] {
    return [...this.cookies.keys()].filter((name) => name.includes("authjs.state."));
  }
}

/** A visit to a service with the issuer as its one provider. */
export function visit(
  issuer: Issuer,
  provider: Provider = issuer.provider(),
  config: Omit<AuthConfig, "providers"> = {},
): Visit {
  return new Visit([provider], { fetch: issuer.fetch, ...config });
}

export function locationOf(outcome: Outcome): string {
  if (outcome.kind !== "redirect") throw new Error(`not a redirect: ${outcome.kind}`);
  return outcome.to;
}

/** The start of the clock, in seconds. */
export const NOW = START / 1000;

/** Everything an error says, in its message and below. */
export function allOf(error: unknown, seen = new Set<unknown>()): string {
  if (typeof error !== "object" || error === null) return String(error);
  if (seen.has(error)) return "";
  seen.add(error);
  return Reflect.ownKeys(error).map((name) => allOf((error as Record<PropertyKey, unknown>)[name], seen)).join("\n");
}
