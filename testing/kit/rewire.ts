/**
 * Changes a configuration so that nothing of it leaves the test: providers, emails, storage and secrets.
 *
 * @module
 */
import { mergeProvider } from "../../src/config/merge_provider.ts";
import type { Adapter } from "../../src/contract/adapter.ts";
import type { AuthConfig } from "../../src/contract/config.ts";
import { customFetch, type Provider, type ProviderInput } from "../../src/contract/provider.ts";
import { testSetup } from "../../src/contract/test_setup.ts";
import type { Runtime } from "../../src/kernel/runtime.ts";
import type { OpenMailbox } from "./mailbox.ts";
import type { OpenProvider, ProviderFacts } from "./provider.ts";

/** What the providers of a configuration are wired to. */
export interface ProviderWiring {
  readonly runtime: Runtime;
  /** The ids of providers that need an issuer and have none. */
  readonly issuers: Set<string>;
  /** Takes what providers of emails would send. */
  readonly keep?: OpenMailbox["keep"];
  /** Finds the fake provider with an id, or makes it. */
  fake(id: string): OpenProvider;
  /** The page of a fake provider. Without it, visitors go where the provider has its page. */
  authorizeAt?(id: string): string;
}

/** What a configuration is wired to. */
export interface Wiring extends ProviderWiring {
  /** A secret that no other service has. */
  readonly secret: string;
  readonly mailbox: OpenMailbox;
  /** The adapter to use where the configuration has one. */
  readonly adapter: Adapter;
}

/** A configuration that nothing leaves, and the kinds of its providers by id. */
export interface Rewired {
  readonly config: AuthConfig;
  readonly kinds: ReadonlyMap<string, Provider["type"]>;
}

type Merged = ReturnType<typeof mergeProvider>;

type Factory = (options: object) => Provider;

/** Rewires a configuration. What the application does with a sign-in, its callbacks, events and pages, stays as it is. */
export function rewire(written: AuthConfig, wiring: Wiring): Rewired {
  const { config: { adapter, ...rest }, kinds } = rewireProviders(written, { ...wiring, keep: wiring.mailbox.keep });
  const config: AuthConfig = {
    ...rest,
    secret: wiring.secret,
    trustHost: true,
    mail: wiring.mailbox.keepMessage,
    ...(adapter && { adapter: wiring.adapter }),
  };
  return { config, kinds };
}

/** Rewires the providers only, and takes out what leads elsewhere: a redirect proxy, and a secret of session tokens. */
export function rewireProviders(written: AuthConfig, wiring: ProviderWiring): Rewired {
  const { [testSetup]: _, providers, jwt = {}, redirectProxyUrl: __, ...rest } = written as
    & AuthConfig
    & Record<typeof testSetup, unknown>;
  const { secret: ___, ...tokens } = jwt;
  const kinds = new Map<string, Provider["type"]>();
  const wired = listOf(providers).map((input) => {
    const provider = provide(input, wiring);
    if (!provider) return input;
    const { id, type } = provider;
    kinds.set(id, type);
    if (type === "oauth" || type === "oidc") wiring.fake(id).become(factsOf(provider, wiring.authorizeAt?.(id)));
    return wrap(input, (made) => withFake(made, id, wiring));
  });
  return { config: { ...rest, jwt: tokens, providers: wired }, kinds };
}

// A single provider, which the service reads as a list of one, too.
function listOf(providers: AuthConfig["providers"]): readonly ProviderInput[] {
  if (Array.isArray(providers)) return providers;
  return providers ? [providers as unknown as ProviderInput] : [];
}

// The service says what is wrong with a provider, so here it is only passed on.
function provide(input: ProviderInput, { runtime, issuers }: ProviderWiring): Merged | null {
  try {
    const provider = mergeProvider(input, runtime.env);
    if (!lacksIssuer(provider)) return provider;
    issuers.add(provider.id);
    return mergeProvider(input, runtime.env);
  } catch {
    return null;
  }
}

function lacksIssuer(provider: Merged): boolean {
  if (provider.type !== "oauth" && provider.type !== "oidc") return false;
  const { authorization } = provider;
  const url = typeof authorization === "object" ? authorization.url : authorization;
  return !provider.issuer && (url === undefined || url.toString().startsWith("/"));
}

/** Changes what a factory makes, or an object. */
export function wrap(input: ProviderInput, change: (provider: Provider) => Provider): ProviderInput {
  if (typeof input !== "function") return change(input as Provider) as ProviderInput;
  return ((options: object) => change((input as unknown as Factory)(options))) as unknown as ProviderInput;
}

function withFake(provider: Provider, id: string, { fake, keep, authorizeAt }: ProviderWiring): Provider {
  const options = provider.options as { readonly authorization?: unknown } | undefined;
  switch (provider.type) {
    case "oauth":
    case "oidc": {
      const answer = (input: string | URL | Request, init?: RequestInit) => fake(id).fetch(new Request(input, init));
      const given = typeof options?.authorization === "object" ? options.authorization : {};
      const page = authorizeAt && { authorization: { ...given, url: authorizeAt(id) } };
      return { ...provider, options: { ...options, ...page, [customFetch]: answer } } as Provider;
    }
    case "email":
      return keep ? { ...provider, options: { ...options, sendVerificationRequest: keep } } as Provider : provider;
    default:
      return provider;
  }
}

function factsOf(provider: Merged, authorization: string | undefined): ProviderFacts {
  const { id, type, issuer, client, jwks_endpoint, clientSecret: secret = "" } = provider as {
    readonly id: string;
    readonly type: "oauth" | "oidc";
    readonly issuer?: string;
    readonly client?: { readonly id_token_signed_response_alg?: string };
    readonly jwks_endpoint?: string;
    readonly clientSecret?: string;
  };
  // Keys of ES256 are made faster, but only metadata can say so.
  const alg = client?.id_token_signed_response_alg ?? (jwks_endpoint ? "RS256" : "ES256");
  return { type, issuer: issuer ?? `https://${id}.test`, alg, secret, authorization };
}
