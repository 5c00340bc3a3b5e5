/** A service that remembers people, and visitors who come by way of an identity provider. */
import { type Adapter, type AuthConfig, createAuth, customFetch, type OidcProvider } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { Browser } from "./browser.ts";
import { createIssuer, type Issuer } from "./issuer.ts";
import { type Log, recordLog, testConfig } from "./service.ts";

/** Who comes: claims of an id_token. */
export type Person = Readonly<Record<string, unknown>> & { readonly sub: string };

/** Somebody with an address that the provider has verified. */
export const GRACE: Person = { sub: "grace", name: "Grace Hopper", email: "grace@example.com", email_verified: true };

export interface StoredOptions<A extends Adapter> extends AuthConfig {
  readonly adapter?: A;
  /** What differs from the provider's defaults. */
  readonly idp?: Partial<OidcProvider>;
  /** Whether failures of the server are what the test is about. */
  readonly mayFail?: boolean;
}

/** A service with storage, an identity provider, and browsers that know the way. */
export interface Stored<A extends Adapter> {
  readonly adapter: A;
  readonly issuer: Issuer;
  readonly log: Log;
  readonly auth: ReturnType<typeof createAuth>;
  readonly config: AuthConfig;
  /** A browser nobody has used. */
  visitor(): Browser;
  /** Signs somebody in at the provider, by a browser of theirs; the answer is the callback's. */
  come(person?: Person, browser?: Browser, provider?: string): Promise<{ browser: Browser; response: Response }>;
}

/** Opens a service. Its providers are `idp`, and whatever else the options bring. */
export function openStored<A extends Adapter = ReturnType<typeof memoryAdapter>>(
  { idp = {}, mayFail = false, ...options }: StoredOptions<A> = {},
): Stored<A> {
  const issuer = liveIssuer();
  const adapter = options.adapter ?? memoryAdapter() as unknown as A;
  const log = recordLog();
  const provider = issuer.provider({
    id: "idp",
    [customFetch]: (input, init) => issuer.fetch(new Request(input, init)),
    ...idp,
  });
  const { providers = [], ...others } = options;
  const config = testConfig({ logger: log.logger, ...others, adapter, providers: [provider, ...providers] });
  const auth = createAuth(config);
  const visitor = (): Browser => new Browser(auth.handler, { mayFail });
  return {
    adapter,
    issuer,
    log,
    auth,
    config,
    visitor,
    async come(person = GRACE, browser = visitor(), id = "idp") {
      const { csrfToken } = await (await browser.get("/auth/csrf")).json();
      const start = await browser.post(`/auth/signin/${id}`, { csrfToken });
      issuer.claim({ name: undefined, email: undefined, email_verified: undefined, ...person });
      const { redirectUri, params } = await issuer.consent(start.headers.get("location") ?? "");
      const url = new URL(redirectUri);
      return { browser, response: await browser.get(`${url.pathname}?${params}`) };
    },
  };
}

function liveIssuer(): Issuer {
  const now = (): number => Math.floor(Date.now() / 1000);
  const issuer = createIssuer({ now, metadata: { id_token_signing_alg_values_supported: ["ES256"] } });
  issuer.rotate("ES256");
  return issuer;
}
