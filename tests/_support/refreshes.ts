/**
 * A provider that uses each refresh token once and ends the family of one that comes again, and a user who has an account
 * there.
 *
 * @module
 */
import type { Adapter, AuthConfig, CompleteAdapter } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import type { AdapterAccount } from "../../src/kernel/model.ts";
import { accessTokenFor, type TokenOwner } from "../../src/service/access_token.ts";
import { createEngine } from "../../src/service/engine.ts";
import type { AccessToken, AccessTokenOptions } from "../../src/access_tokens/access_token.ts";
import { createIssuer, type Issuer, json } from "./issuer.ts";
import { type TestRuntime, testRuntime } from "./runtime.ts";
import { type Log, recordLog, SECRET } from "./service.ts";

/** How a provider treats refresh tokens. */
export interface FamilyOptions {
  /** Seconds for which the token before the current one is accepted, too. @default {0} */
  readonly grace?: number;
  /** Whether each answer has a new refresh token. @default {true} */
  readonly rotates?: boolean;
  /** Seconds that an access token lives. @default {3600} */
  readonly lifetime?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Refresh tokens that descend from one sign-in. */
export class Family {
  /** How often tokens were given. */
  given = 0;
  /** How often a token was refused. */
  refusals = 0;
  hasEnded = false;
  readonly #options: FamilyOptions;
  readonly #name: string;
  #serial = 1;
  #rotatedAt = -Infinity;

  constructor(name = "family", options: FamilyOptions = {}) {
    this.#name = name;
    this.#options = options;
  }

  get current(): string {
    return `${this.#name}-refresh-${this.#serial}`;
  }

  /** Answers a refresh as a token endpoint does. */
  refresh(token: string | null): { readonly status: number; readonly body: Record<string, unknown> } {
    const { grace = 0, rotates = true, lifetime = 3600, now = Date.now } = this.#options;
    const before = `${this.#name}-refresh-${this.#serial - 1}`;
    const isAgain = token === before && now() - this.#rotatedAt < grace * 1000;
    if (this.hasEnded || (token !== this.current && !isAgain)) {
      // Whoever sends a token that was used may have stolen it.
      this.hasEnded = true;
      this.refusals++;
      return { status: 400, body: { error: "invalid_grant", error_description: "the token is revoked" } };
    }
    if (rotates && !isAgain) {
      this.#serial++;
      this.#rotatedAt = now();
    }
    this.given++;
    return {
      status: 200,
      body: {
        access_token: `${this.#name}-access-${this.given}`,
        token_type: "Bearer",
        expires_in: lifetime,
        ...(rotates && { refresh_token: this.current }),
      },
    };
  }
}

/** Options of {@linkcode openWorld}. */
export interface WorldOptions extends FamilyOptions {
  /** Where everything is stored. @default memory whose clock is that of the test */
  readonly adapter?: CompleteAdapter;
  /** What the service sees of the adapter. @default all of it */
  readonly seen?: (adapter: CompleteAdapter) => Adapter;
  readonly config?: AuthConfig;
  /** Members of the provider. */
  readonly provider?: object;
  /** Members of the stored account. */
  readonly account?: Partial<AdapterAccount>;
  /** What the provider adds to its answers. */
  readonly answer?: (issuer: Issuer) => Record<string, unknown>;
}

/** A service, a provider, and Ada, whose access token has expired. */
export interface World {
  readonly issuer: Issuer;
  readonly family: Family;
  readonly runtime: TestRuntime;
  readonly adapter: CompleteAdapter;
  readonly log: Log;
  /** What `accessToken()` gives. */
  ask(who?: Request | TokenOwner, options?: AccessTokenOptions): Promise<AccessToken>;
  /** Another process with the same configuration and the same storage, whose clock may be some seconds ahead. */
  another(ahead?: number): World["ask"];
  /** Changes the stored account. */
  write(changes: Partial<AdapterAccount>): Promise<void>;
  /** The stored account. */
  row(): Promise<AdapterAccount>;
}

/** The user of {@linkcode openWorld}. */
export const ADA_ID = "id-of-ada";

/** The account of {@linkcode openWorld}. */
export const KEY = { provider: "idp", providerAccountId: "ada-1" } as const;

/** Opens a service over storage in which Ada has an account. */
export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const runtime = testRuntime({ fetch: (request) => issuer.fetch(request) });
  const { adapter = memoryAdapter({ now: runtime.now }), config, provider, account, answer } = options;
  const { seen = (adapter) => adapter } = options;
  const now = options.now ?? runtime.now;
  const issuer = createIssuer({ now: () => Math.floor(runtime.now() / 1000) });
  const family = new Family("family", { ...options, now });
  issuer.override("token", async (request) => {
    const form = new URLSearchParams(await request.clone().text());
    const { status, body } = family.refresh(form.get("refresh_token"));
    return json(status === 200 ? { ...body, ...answer?.(issuer) } : body, status);
  });
  await adapter.createUser({ id: ADA_ID, email: "ada@example.com", emailVerified: null });
  await adapter.linkAccount({
    ...KEY,
    type: "oidc",
    userId: ADA_ID,
    access_token: "access-0",
    refresh_token: family.current,
    expires_at: runtime.now() / 1000 - 1,
    scope: "openid calendar",
    token_type: "bearer",
    ...account,
  });
  const log = recordLog();
  const askOf = (ahead = 0): World["ask"] => {
    const providers = [issuer.provider({ ...provider })];
    const given = { secret: SECRET, trustHost: true, logger: log.logger, adapter: seen(adapter), providers, ...config };
    const clock = { ...runtime, now: () => runtime.now() + ahead * 1000 };
    const engine = createEngine(given, clock);
    return (who = { userId: ADA_ID }, options = {}) => accessTokenFor(engine, who, "idp", options);
  };
  return {
    issuer,
    family,
    runtime,
    adapter,
    log,
    ask: askOf(),
    another: askOf,
    write: async (changes) => void await adapter.updateAccount({ ...changes, ...KEY }),
    async row() {
      const found = await adapter.getAccount(KEY.providerAccountId, KEY.provider);
      if (!found) throw new Error("There is no account");
      return found;
    },
  };
}
