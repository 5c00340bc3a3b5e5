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

/** What a configuration is wired to. */
export interface Wiring {
  /** A secret that no other service has. */
  readonly secret: string;
  readonly runtime: Runtime;
  readonly mailbox: OpenMailbox;
  /** The adapter to use where the configuration has one. */
  readonly adapter: Adapter;
  /** The ids of providers that need an issuer and have none, as the environment writes them. */
  readonly issuers: Set<string>;
  /** Finds the fake provider with an id, or makes it. */
  fake(id: string): OpenProvider;
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
  const { [testSetup]: _, adapter, providers, jwt = {}, redirectProxyUrl: __, ...rest } = written as
    & AuthConfig
    & Record<typeof testSetup, unknown>;
  const { secret: ___, ...tokens } = jwt;
  const kinds = new Map<string, Provider["type"]>();
  const wired = listOf(providers).map((input) => {
    const provider = provide(input, wiring);
    if (!provider) return input;
    const { id, type } = provider;
    kinds.set(id, type);
    if (type === "oauth" || type === "oidc") wiring.fake(id).become(factsOf(provider));
    return wrap(input, (made) => withFake(made, id, wiring));
  });
  const config: AuthConfig = {
    ...rest,
    jwt: tokens,
    secret: wiring.secret,
    providers: wired,
    trustHost: true,
    mail: wiring.mailbox.keepMessage,
    ...(adapter && { adapter: wiring.adapter }),
  };
  return { config, kinds };
}

// A single provider, which the service reads as a list of one, too.
function listOf(providers: AuthConfig["providers"]): readonly ProviderInput[] {
  if (Array.isArray(providers)) return providers;
  return providers ? [providers as unknown as ProviderInput] : [];
}

// The service says what is wrong with a provider, so here it is only passed on.
function provide(input: ProviderInput, { runtime, issuers }: Wiring): Merged | null {
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

function withFake(provider: Provider, id: string, { fake, mailbox }: Wiring): Provider {
  const options = provider.options as object | undefined;
  switch (provider.type) {
    case "oauth":
    case "oidc": {
      const answer = (input: string | URL | Request, init?: RequestInit) => fake(id).fetch(new Request(input, init));
      return { ...provider, options: { ...options, [customFetch]: answer } } as Provider;
    }
    case "email":
      return { ...provider, options: { ...options, sendVerificationRequest: mailbox.keep } } as Provider;
    default:
      return provider;
  }
}

function factsOf(provider: Merged): ProviderFacts {
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
  return { type, issuer: issuer ?? `https://${id}.test`, alg, secret };
}
