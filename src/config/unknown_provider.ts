/**
 * Entries of `providers` that are not providers, and names that no option of a provider has.
 *
 * @module
 */
import { describeValue, isModule, isObject, isPlainObject, isThenable, kindOf } from "../kernel/objects.ts";
import type { MergedProvider } from "./merge_provider.ts";
import { isSpelledLike, nearest } from "./nearest.ts";
import { optionsOf } from "./password_options.ts";
import { PROVIDERS } from "./provider_options.ts";
import { isRegistered, listNames } from "./registration.ts";
import { type Table, unknownNames } from "./rows.ts";
import { hintOf, Unknown } from "./unknown_names.ts";
import type { Warning } from "./warning.ts";

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

/** Options that single providers of the catalogue have, in addition to those of their type. A test holds them to the sources. */
export const EXTRAS: readonly string[] = [
  ..."accountId apiBaseUrl apiKey apiVersion applicationName authority baseUrl configId connection country".split(" "),
  ..."dataCenter deploymentId domain domainHint duration enterprise environment fields graphApiVersion".split(" "),
  ..."identityProvider idpHint lang loginHint message messageStream organization platformType policy product".split(
    " ",
  ),
  ..."provider region sandbox subject team tenant tenantId transactionalId userPoolId".split(" "),
];

/** Finds unknown names in a provider. @param input The provider as it was written. */
export function unknownInProvider(input: unknown, provider: MergedProvider): readonly Warning[] {
  const found = new Unknown();
  if (!isObject(input)) return [];
  const { id, type } = provider;
  const of = ` of provider "${String(id)}"`;
  // What a factory returns holds the developer's part as `options`. The rest is not theirs.
  const written = isObject(input.options) ? input.options : input;
  const table = optionsOf(provider);
  const known = Object.keys(table);
  // Options of a factory that are not known here may be its own.
  const isOpen = written !== input && type !== "credentials" && type !== "webauthn";
  const own = isOpen ? [...known, ...EXTRAS] : known;
  const names = isPlainObject(written) ? unknownNames(written, own) : [];
  const registered = names.filter(isRegistered);
  if (registered.length > 0) {
    const message = `Members of a registration belong into the \`client\`${of}: ${listNames(registered)}`;
    found.warnings.push(["option-unknown", message]);
  }
  for (const name of names.filter((name) => !isRegistered(name))) {
    const meant = nearest(name, own);
    const remedy = meant && isSpelledLike(name, meant) ? undefined : otherName(name);
    if (remedy !== undefined && !isUsed(name, written, provider)) found.warn(name, remedy, of);
    else if (remedy === undefined && (meant !== null || !isOpen)) {
      // The factories write the member `options`.
      found.warn(name, hintOf(meant, known.filter((name) => name !== "options")), of);
    }
  }
  for (const owner of PARTS) findInPart(owner, written[owner], table[owner]?.members ?? {}, { found, of });
  return found.warnings;
}

const PARTS = ["authorization", "token", "userinfo", "style", "length"] as const;

interface Place {
  readonly found: Unknown;
  readonly of: string;
}

function findInPart(owner: string, part: unknown, table: Table, { found, of }: Place): void {
  const known = Object.keys(table);
  for (const name of isPlainObject(part) && known.length > 0 ? unknownNames(part, table) : []) {
    const meant = nearest(name, known);
    const isParameter = meant === null && owner === "authorization";
    const hint = isParameter ? `write \`authorization: { params: { ${name}: … } }\`` : hintOf(meant, known);
    found.warn(`${owner}.${name}`, hint, of);
  }
}

// A factory may have an option of this name, and make a parameter of it.
function isUsed(name: string, written: Readonly<Record<string, unknown>>, provider: MergedProvider): boolean {
  const { authorization } = provider as { readonly authorization?: unknown };
  return isObject(authorization) && isObject(authorization.params) && authorization.params[name] === written[name];
}

function otherName(name: string): string | undefined {
  const [, remedy] = Object.entries(ELSEWHERE).find(([other]) => isSpelledLike(name, other)) ?? [];
  return remedy;
}

/** Says why an entry of `providers` is not a provider. */
export function noProvider(input: unknown, cause: unknown): string {
  if (typeof input === "string") {
    const name = describeValue(input);
    return `it is text: import the provider, for example \`github\` from "@x/auth/providers/github", instead of ${name}`;
  }
  if (isThenable(input)) return "it is a promise: `await` it";
  if (typeof input === "function") return factoryProblem(cause);
  if (!isObject(input)) {
    return `it is ${kindOf(input)}, and must be what a provider's function returns, such as \`github()\``;
  }
  if ("type" in input && input.type !== undefined && input.type !== null) {
    const meant = typeof input.type === "string" ? nearest(input.type, Object.keys(PROVIDERS)) : null;
    const hint = meant
      ? `did you mean "${meant}"?`
      : 'it must be "oauth", "oidc", "email", "credentials" or "webauthn"';
    return `its \`type\` is ${describeValue(input.type)}: ${hint}`;
  }
  const made = Object.keys(input).filter((name) => typeof (input as Record<string, unknown>)[name] === "function");
  // A provider is exported by its name, and as the default.
  const [first = made[0]] = made.filter((name) => name !== "default");
  if (isModule(input) && first) return `it is a module: pass \`${first}()\` of it`;
  return "it has no `type`: pass what a provider's function returns, such as `github()`, or set `id` and `type`";
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
