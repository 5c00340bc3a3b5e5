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
  "organization",
  "platformType",
  "policy",
  "product",
  "provider",
  "region",
  "sandbox",
  "scope",
  "subject",
  "team",
  "tenant",
  "tenantId",
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
function findNames(input: Record<string, unknown>, { id, type }: MergedProvider, found: Findings): void {
  const isMade = isObject(input.options);
  const written = isObject(input.options) ? input.options : input;
  const known = PROVIDERS[type];
  const own = [...known, ...EXTRAS];
  // Options of a factory that are not known here may be its own.
  const isOpen = isMade && type !== "credentials" && type !== "webauthn";
  for (const name of Object.keys(written)) {
    if (!isGiven(written[name]) || own.includes(name) && (isMade || known.includes(name))) continue;
    const meant = nearest(name, isMade ? own : known);
    const other = otherName(name);
    if (other !== undefined && !isSpelledLike(name, meant ?? "")) found.elsewhereOf(name, id, other);
    else if (meant !== null || !isOpen) found.unknownOf(name, id, meant, known);
  }
  for (const [owner, members] of Object.entries(PROVIDER_GROUPS)) {
    const group = written[owner];
    if (!isPlainObject(group)) continue;
    for (const name of Object.keys(group)) {
      if (!isGiven(group[name]) || members.includes(name)) continue;
      const isParam = owner === "authorization" && nearest(name, members) === null;
      if (isParam) {
        found.elsewhereOf(`authorization.${name}`, id, `write \`authorization: { params: { ${name}: … } }\``);
      } else found.unknownOf(`${owner}.${name}`, id, nearest(name, members), members);
    }
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function otherName(name: string): string | undefined {
  const [, remedy] = Object.entries(ELSEWHERE).find(([other]) => isSpelledLike(name, other)) ?? [];
  return remedy;
}

const FLAGS = ["allowDangerousEmailAccountLinking", "idToken", "allowCredentialsByEmail", "enableConditionalUI"];

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
  const said = cause instanceof Error ? cause.message : kindOf(cause);
  return `it is a function that returns no provider (${said}): call it with its options`;
}
