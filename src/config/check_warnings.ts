/**
 * What works but deserves a look: each warning with its code and the option it is about.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import type { WebAuthnProvider } from "../contract/provider.ts";
import { isMarker } from "../kernel/objects.ts";
import type { MergedProvider } from "./merge_provider.ts";
import { type ConfigFacts, SHORTEST_SECRET } from "./read_config.ts";
import { areNone } from "./resolve_provider.ts";
import type { Warning } from "./warning.ts";

/** What the warnings are about. */
interface Facts extends Pick<ConfigFacts, "config" | "env" | "secrets"> {
  /** The providers that can be used. */
  readonly providers: readonly MergedProvider[];
}

/** Lists the warnings about a configuration. */
export function configWarnings({ config, env, providers, secrets }: Facts): readonly Warning[] {
  const warnings: Warning[] = [];
  if (config.debug) {
    warnings.push(["debug-enabled", "`debug` is on: it logs internal steps, so switch it off in production"]);
  }
  if (secrets.some((secret) => secret.length < SHORTEST_SECRET)) {
    warnings.push([
      "weak-secret",
      "`secret` (AUTH_SECRET) has fewer than 32 characters: generate a random one, for example with openssl rand -base64 33",
    ]);
  }
  if (isMarker(config.skipCSRFCheck, "skip-csrf-check")) {
    warnings.push(["csrf-disabled", "`skipCSRFCheck` is set: your framework must check CSRF tokens itself"]);
  }
  if (env.basePath && config.basePath) {
    const isSame = env.basePath === config.basePath.replace(/\/+$/, "");
    const code = isSame ? "env-url-basepath-redundant" : "env-url-basepath-mismatch";
    warnings.push([code, "`basePath` is set, so the path of AUTH_URL is ignored: remove one of them"]);
  }
  if (config.experimental?.enableWebAuthn) {
    warnings.push(["experimental-webauthn", "`experimental.enableWebAuthn` has no effect: remove it"]);
  }
  return [
    ...warnings,
    ...proxyWarnings(config, env),
    ...adapterWarnings(config, providers),
    ...providers.flatMap(providerWarnings),
  ];
}

// Without AUTH_URL the origin is known only with a request, whose error says the same.
function proxyWarnings({ redirectProxyUrl, redirectProxyOrigins }: AuthConfig, env: ConfigFacts["env"]): Warning[] {
  const proxy = URL.parse(redirectProxyUrl ?? env.redirectProxyUrl ?? "");
  if (redirectProxyOrigins || proxy === null || proxy.origin !== env.origin) return [];
  return [[
    "redirect-proxy-closed",
    "`redirectProxyOrigins` is not set: this redirect proxy forwards nothing until you list the origins",
  ]];
}

function adapterWarnings({ adapter, session }: AuthConfig, providers: readonly MergedProvider[]): Warning[] {
  if (!adapter || typeof adapter.commit === "function") return [];
  const warnings: Warning[] = [];
  if (session?.strategy !== "jwt" && providers.some(({ type }) => type === "webauthn")) {
    warnings.push([
      "sign-in-time-unknown",
      "`adapter` has no `commit` and cannot store when somebody signed in: sessions of any age may add passkeys",
    ]);
  }
  if (typeof adapter.createUser === "function") {
    warnings.push([
      "adapter-without-commit",
      "`adapter` has no `commit`: a sign-in that is interrupted is completed only by the next one of the same person, " +
      "and verifying an email address does not end the sessions that others opened with it",
    ]);
  }
  return warnings;
}

function providerWarnings(provider: MergedProvider): Warning[] {
  const warnings: Warning[] = [];
  const { id, deprecated } = provider;
  if (deprecated) warnings.push(["provider-deprecated", `provider "${id}" is deprecated: ${deprecated}`]);
  if ("allowDangerousEmailAccountLinking" in provider && provider.allowDangerousEmailAccountLinking) {
    warnings.push([
      "email-linking",
      `provider "${id}" links accounts by email: anyone who has an address there signs in as the user who has it here`,
    ]);
  }
  if ("allowInsecureRequests" in provider && provider.allowInsecureRequests === true) {
    warnings.push([
      "insecure-requests",
      `provider "${id}" has \`allowInsecureRequests\`: anyone who can change what is sent on the way to it signs in ` +
      "as anybody, so use it on a network of your own only",
    ]);
  }
  if (provider.type === "webauthn") warnings.push(...keyWarnings(provider), ...relatedWarnings(provider));
  // `checks` that are not a list are a problem, which is reported.
  if ("checks" in provider && Array.isArray(provider.checks) && areNone(provider.checks)) {
    warnings.push([
      "no-checks",
      `provider "${id}" has no \`checks\`: nothing binds its answers to the browser that started the sign-in`,
    ]);
  }
  return warnings;
}

/** Names that browsers look at among the related origins of a domain: they ignore further ones. */
const MOST_LABELS = 5;

function relatedWarnings({ id, relatedOrigins }: WebAuthnProvider): Warning[] {
  if (!Array.isArray(relatedOrigins)) return [];
  const labels = new Set(relatedOrigins.map((origin) => labelOf(String(origin))));
  if (labels.size <= MOST_LABELS) return [];
  const ignored = [...labels].slice(MOST_LABELS).map((label) => `"${label}"`).join(", ");
  return [[
    "related-origins",
    `provider "${id}" has \`relatedOrigins\` with ${labels.size} names before the public suffix, and browsers look at the ` +
    `first ${MOST_LABELS} only: passkeys do not work at ${ignored}`,
  ]];
}

/** What stands before the country in public suffixes such as `co.uk`. */
const SECOND_LEVEL = /^(?:co|com|org|net|ac|gov|gob|edu|or|ne|go)$/;

// Without the list of public suffixes: of `shop.example.co.uk` it is `example`, as of `shop.example.com`.
function labelOf(origin: string): string {
  const parts = (URL.parse(origin)?.hostname ?? "").split(".");
  const isLong = parts.length > 2 && parts.at(-1)?.length === 2 && SECOND_LEVEL.test(parts.at(-2) ?? "");
  return parts.at(isLong ? -3 : -2) ?? parts[0] ?? "";
}

function keyWarnings({ id, allowCredentialsByEmail, registrationOptions }: WebAuthnProvider): Warning[] {
  if (allowCredentialsByEmail) {
    return [[
      "credentials-by-email",
      `provider "${id}" has \`allowCredentialsByEmail\`: anyone who types an address learns whether it has a user with keys`,
    ]];
  }
  const { residentKey = "required" } = registrationOptions?.authenticatorSelection ?? {};
  if (residentKey === "required") return [];
  return [[
    "resident-key-required",
    `provider "${id}" asks for \`residentKey: "required"\`, not for ${JSON.stringify(residentKey)}: ` +
    "other keys could never sign in unless you set `allowCredentialsByEmail`",
  ]];
}
