/**
 * A service beside that of the application, of the same configuration, in which a provider has one user: the one that a
 * test wants to be. Whoever signs in there is signed in at the application, too.
 *
 * @module
 */
import type { Adapter } from "../../src/contract/adapter.ts";
import type { AuthConfig } from "../../src/contract/config.ts";
import { type Feature, makeFeature } from "../../src/contract/feature.ts";
import type { Provider, ProviderInput } from "../../src/contract/provider.ts";
import type { AdapterUser, ProviderType } from "../../src/kernel/model.ts";
import type { Runtime } from "../../src/kernel/runtime.ts";
import { isPasswordProvider, type PasswordOptions } from "../../src/passwords/settings.ts";
import type { Points } from "../../src/request/points.ts";
import { noteGuard } from "../../src/service/configured.ts";
import { createEngine, handlerOf } from "../../src/service/engine.ts";
import type { Site } from "./browser.ts";
import type { Claims } from "./provider.ts";
import { wrap } from "./rewire.ts";

/** Somebody that a test wants to be. Further members are columns of the user, such as a role. */
export interface TestUser {
  /** The id, of the stored user, or else of the account. @default one that follows from the address or the name */
  readonly id?: string | undefined;
  /** The name to show. */
  readonly name?: string | null | undefined;
  /** The address. */
  readonly email?: string | null | undefined;
  /** URL of a picture. */
  readonly image?: string | null | undefined;
  /** A column of the user. */
  readonly [member: string]: unknown;
}

interface Wanted {
  readonly id: string;
  readonly user: TestUser;
  readonly level: 1 | 2;
  readonly runtime: Runtime;
}

interface Configured {
  readonly config: AuthConfig;
  readonly kinds: ReadonlyMap<string, ProviderType>;
  readonly basePath: string;
}

/** A service, and what to sign in there with. */
export interface ServiceFor {
  readonly site: Site;
  readonly given: Claims;
}

/** Makes the service of a user, and what has to be stored before they sign in. */
export async function serviceFor({ config, kinds, basePath }: Configured, wanted: Wanted): Promise<ServiceFor> {
  const { id, user } = wanted;
  const kind = kinds.get(id);
  if (kind === undefined) throw new Error(`Cannot sign in with "${id}": there is no such provider`);
  if (kind === "email" && !user.email) throw new Error(`Cannot sign in with "${id}": the user needs \`email\``);
  const accountId = String(user.id ?? user.email ?? user.name ?? "somebody");
  const own = (config.providers ?? []).map(made);
  if (own.some((provider) => idOf(provider) === id && isPasswordProvider(provider))) {
    return await withPassword({ config, kinds, basePath }, wanted);
  }
  if (config.adapter && kind !== "credentials") await store(config.adapter, { kind, provider: id, accountId, user });
  const { name, email, image } = user;
  const claims = { sub: accountId, id: accountId, name, email, picture: image, email_verified: true };
  const providers = (config.providers ?? []).map((input) => {
    return wrap(
      input,
      (provider) => idOf(provider) === id ? ofUser(provider, { ...user, id: accountId }, claims) : provider,
    );
  });
  const { site } = serve({ ...config, providers }, { basePath }, wanted);
  return { site, given: kind === "email" ? { email } : kind === "credentials" ? {} : claims };
}

function serve(
  config: AuthConfig,
  { basePath }: Pick<Configured, "basePath">,
  { level, runtime }: Pick<Wanted, "level" | "runtime">,
): Pick<ServiceFor, "site"> {
  const features = level === 2 ? [SECOND_PROOF, ...config.features ?? []] : config.features;
  const own = { ...config, basePath, ...(features && { features }) };
  // Nothing else is there that could be guarded, and nobody has to be told so.
  noteGuard(own);
  const handler = handlerOf(createEngine(own, runtime));
  const site: Site = async (request) => {
    return new URL(request.url).pathname.startsWith(`${basePath}/`) ? await handler(request) : new Response();
  };
  return { site };
}

/** A password that everybody has, at a provider that keeps passwords. */
const PASSWORD = "what everybody types";

const EVERYBODY: PasswordOptions = {
  hash: { make: () => PASSWORD, verify: () => "yes" },
  legacy: [],
  store: { get: () => PASSWORD, set: () => {}, remove: () => {} },
};

async function withPassword({ config, ...known }: Configured, wanted: Wanted): Promise<ServiceFor> {
  const { id, user } = wanted;
  const { email } = user;
  if (!email) throw new Error(`Cannot sign in with "${id}": the user needs \`email\``);
  const { adapter } = config;
  const found = (user.id === undefined ? null : await adapter?.getUser?.(user.id)) ??
    await adapter?.getUserByEmail?.(email);
  // A password counts for a proven address only.
  const proven = { id: crypto.randomUUID(), emailVerified: new Date(wanted.runtime.now()), ...user } as AdapterUser;
  if (!found) await adapter?.createUser?.(proven);
  const providers = (config.providers ?? []).map((input) => {
    const provider = made(input);
    return isPasswordProvider(provider) ? { ...provider, options: { ...provider.options, ...EVERYBODY } } : input;
  });
  const { site } = serve({ ...config, providers }, known, wanted);
  return { site, given: { email, password: PASSWORD } };
}

function made(input: ProviderInput): Provider {
  return typeof input === "function" ? (input as (options: object) => Provider)({}) : input as Provider;
}

function idOf({ id, options }: Provider): string {
  return (options as { readonly id?: string } | undefined)?.id ?? id;
}

function ofUser(provider: Provider, user: TestUser & { readonly id: string }, claims: Claims): Provider {
  const changed = (members: object) => {
    return { ...provider, options: { ...provider.options as object | undefined, ...members } } as Provider;
  };
  switch (provider.type) {
    case "credentials":
      return changed({ authorize: () => user });
    case "oidc":
      return changed({ profile: () => user });
    case "oauth":
      return plainly(changed({ profile: () => user }), claims);
    default:
      return provider;
  }
}

// Some have a token endpoint of their own kind, or ask several URLs for a profile, and each answers in its own form.
function plainly(provider: Provider, claims: Claims): Provider {
  const { token: _, userinfo: __, ...options } = provider.options as Record<string, unknown>;
  const plain = { token: `https://${idOf(provider)}.test/token`, userinfo: { request: () => claims } };
  return { ...provider, ...plain, options } as Provider;
}

/**
 * Stores who is named by an id, and gives a stored user the account that they come with: a provider that vouches for
 * nothing could not sign them in otherwise.
 */
async function store(
  adapter: Adapter,
  { kind, provider, accountId, user }: { kind: ProviderType; provider: string; accountId: string; user: TestUser },
): Promise<void> {
  const { id, email } = user;
  const known = (id !== undefined ? await adapter.getUser?.(id) : null) ??
    (email ? await adapter.getUserByEmail?.(email) : null);
  const extra = Object.keys(user).some((name) => !["name", "email", "image"].includes(name));
  // Links know nothing but the address.
  if (!known && id === undefined && !(kind === "email" && extra)) return;
  const stored = known ?? await adapter.createUser?.({ emailVerified: null, ...user } as AdapterUser);
  if (!stored || kind === "email") return;
  const account = { provider, providerAccountId: accountId };
  if (await adapter.getUserByAccount?.(account)) return;
  await adapter.linkAccount?.({ ...account, userId: stored.id, type: kind as "oauth" | "oidc" });
}

/** A second factor that everybody has with them. */
const SECOND_PROOF: Feature = makeFeature("test-second-proof", ["records"], () => Promise.resolve(points));

const points: Points = {
  mint: (_ctx, { authentication: { level } }) =>
    level === 2 ? { act: "enter" } : { act: "challenge", missing: ["otp"] },
  routes: { "GET challenge": (_ctx, { resume }) => resume(["mfa", "otp"]) },
};
