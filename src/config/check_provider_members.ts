/**
 * Names and values in providers that do not do what they look like.
 *
 * @module
 */
import { isObject, isPlainObject } from "../kernel/objects.ts";
import { isThenable, kindOf, shown } from "../kernel/shown.ts";
import { tooLong } from "./check_values.ts";
import { Findings } from "./findings.ts";
import { PROVIDER_GROUPS, PROVIDERS } from "./members.ts";
import type { MergedProvider } from "./merge_provider.ts";
import { isSpelledLike, nearest } from "./nearest.ts";
import { isRegistered, listNames } from "./registration.ts";

/** What other libraries call an option of a provider, and what it is called here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  scope: "write `authorization: { params: { scope: … } }`",
  scopes: "write `authorization: { params: { scope: … } }`",
  params: "write `authorization: { params: … }`",
  authorizationUrl: "write `authorization`",
  accessTokenUrl: "write `token`",
  tokenUrl: "write `token`",
  profileUrl: "write `userinfo`",
  userInfoUrl: "write `userinfo`",
  redirectUri: "remove it: the service answers at `<basePath>/callback/<id>`, so register that URL at the provider",
  callbackUrl: "remove it: the service answers at `<basePath>/callback/<id>`, so register that URL at the provider",
  discoveryUrl: "write `wellKnown`",
  authorised: "write `authorize`",
  httpOptions: "write `timeouts` of the service, or `[customFetch]`",
};

/** Options that single providers of the catalogue have besides those of their type. A test holds them to the sources. */
export const EXTRAS: readonly string[] = [
  "accountId",
  "apiBaseUrl",
  "apiKey",
  "apiVersion",
  "applicationName",
  "authority",
  "baseUrl",
  "configId",
  "connection",
  "country",
  "dataCenter",
  "deploymentId",
  "domain",
  "domainHint",
  "duration",
  "enterprise",
  "environment",
  "fields",
  "graphApiVersion",
  "identityProvider",
  "idpHint",
  "lang",
  "loginHint",
  "messageStream",
  "organization",
  "platformType",
  "policy",
  "product",
  "provider",
  "region",
  "sandbox",
  "subject",
  "team",
  "tenant",
  "tenantId",
  "transactionalId",
  "userPoolId",
];

/** Finds unknown names and odd values in a provider. @param input The provider as it was written. */
export function providerFindings(input: unknown, provider: MergedProvider): Findings {
  const found = new Findings();
  if (isObject(input)) findNames(input, provider, found);
  findFlags(provider, found);
  if (provider.type === "email") {
    const problem = tooLong(provider.maxAge);
    if (problem) found.problem("seconds-too-long", `\`maxAge\` of provider "${provider.id}": ${problem}`);
  }
  return found;
}

// What a factory returns holds the developer's part as `options`. The rest is not theirs.
function findNames(input: Members, provider: MergedProvider, found: Findings): void {
  const { id, type } = provider;
  const isMade = isObject(input.options);
  const written = isObject(input.options) ? input.options : input;
  const known = PROVIDERS[type];
  // Options of a factory that are not known here may be its own.
  const isOpen = isMade && type !== "credentials" && type !== "webauthn";
  const own = isOpen ? [...known, ...EXTRAS] : known;
  const registered = namesIn(written, own).filter(isRegistered);
  if (registered.length > 0) {
    found.warn(
      "option-unknown",
      `Members of a registration belong into the \`client\` of provider "${id}": ${listNames(registered)}`,
    );
  }
  for (const name of namesIn(written, own).filter((name) => !isRegistered(name))) {
    const meant = nearest(name, own);
    const remedy = meant && isSpelledLike(name, meant) ? undefined : otherName(name);
    if (remedy !== undefined && !isUsed(name, written, provider)) found.elsewhereOf(name, id, remedy);
    else if (remedy === undefined && (meant !== null || !isOpen)) {
      found.unknownOf(name, id, meant, known.filter(isWritten));
    }
  }
  for (const [owner, members] of Object.entries(PROVIDER_GROUPS)) {
    for (const name of namesIn(written[owner], members)) {
      const meant = nearest(name, members);
      if (meant === null && owner === "authorization") {
        found.elsewhereOf(`${owner}.${name}`, id, `write \`authorization: { params: { ${name}: … } }\``);
      } else found.unknownOf(`${owner}.${name}`, id, meant, members);
    }
  }
}

// The factories write the member `options`.
function isWritten(name: string): boolean {
  return name !== "options";
}

type Members = Readonly<Record<string, unknown>>;

function namesIn(members: unknown, known: readonly string[]): string[] {
  if (!isPlainObject(members)) return [];
  return Object.keys(members).filter((name) => isGiven(members[name]) && !known.includes(name));
}

// A factory may have an option of this name, and make a parameter of it.
function isUsed(name: string, written: Members, provider: MergedProvider): boolean {
  const { authorization } = provider as { readonly authorization?: unknown };
  return isObject(authorization) && isObject(authorization.params) && authorization.params[name] === written[name];
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function otherName(name: string): string | undefined {
  const [, remedy] = Object.entries(ELSEWHERE).find(([other]) => isSpelledLike(name, other)) ?? [];
  return remedy;
}

const FLAGS = [
  "allowDangerousEmailAccountLinking",
  "allowInsecureRequests",
  "idToken",
  "allowCredentialsByEmail",
  "enableConditionalUI",
];

// "false" as text is true for JavaScript, and would link accounts of strangers.
function findFlags(provider: MergedProvider, found: Findings): void {
  const members = provider as unknown as Readonly<Record<string, unknown>>;
  for (const name of FLAGS) {
    const value = members[name];
    if (!isGiven(value) || typeof value === "boolean") continue;
    found.problem(undefined, `\`${name}\` of provider "${provider.id}": it must be true or false, not ${shown(value)}`);
  }
}

/** Says why an entry of `providers` is no provider. */
export function noProvider(input: unknown, cause: unknown): string {
  if (typeof input === "string") {
    const name = shown(input);
    return `it is text: import the provider, for example \`github\` from "@x/auth/providers/github", instead of ${name}`;
  }
  if (isThenable(input)) return "it is a promise: `await` it";
  if (typeof input === "function") return factoryProblem(cause);
  if (!isObject(input)) {
    return `it is ${kindOf(input)}, and must be what a provider's function returns, such as \`github()\``;
  }
  if ("type" in input && isGiven(input.type)) {
    const meant = typeof input.type === "string" ? nearest(input.type, Object.keys(PROVIDERS)) : null;
    const hint = meant
      ? `did you mean "${meant}"?`
      : 'it must be "oauth", "oidc", "email", "credentials" or "webauthn"';
    return `its \`type\` is ${shown(input.type)}: ${hint}`;
  }
  const made = Object.entries(input).find(([, member]) => typeof member === "function");
  if (isModule(input) && made) return `it is a module: pass \`${made[0]}()\` of it`;
  return "it has no `type`: pass what a provider's function returns, such as `github()`, or set `id` and `type`";
}

function isModule(input: object): boolean {
  return Object.getOwnPropertyDescriptor(input, Symbol.toStringTag)?.value === "Module";
}

function factoryProblem(cause: unknown): string {
  return `it is a function that returns no provider (${messageOf(cause)}): call it with its options`;
}

function messageOf(cause: unknown): string {
  try {
    return cause instanceof Error ? String(cause.message) : kindOf(cause);
  } catch {
    return "an error"; // a getter of it throws
  }
}
