/**
 * Makes the file of a new identity provider in src/providers/, and the file for its facts and its sample in
 * tests/catalogue/. It asks for what the arguments leave open.
 *
 * @example Usage
 * ```sh
 * deno run -A scripts/new_provider.ts
 * deno run -A scripts/new_provider.ts --id acme --name Acme --discover https://id.acme.example
 * deno run -A scripts/new_provider.ts --id acme --name Acme --authorization https://acme.example/oauth/authorize \
 *   --token https://acme.example/oauth/token --userinfo https://api.acme.example/me --scope "read_user email"
 * ```
 *
 * @module
 */
import { parseArgs } from "node:util";
import { printLine } from "./print.ts";
import { isFile } from "./source_files.ts";

/** What is known of a provider: the members that its file is written from. */
export interface Answers {
  /** Its id in URLs, accounts and environment variables: lower-case letters, digits and hyphens. */
  readonly id: string;
  /** Its name on the button. */
  readonly name: string;
  /** The issuer, with OpenID Connect. */
  readonly issuer?: string | undefined;
  /** Where sign-ins start, without OpenID Connect. */
  readonly authorization?: string | undefined;
  /** Where the code is exchanged, without OpenID Connect. */
  readonly token?: string | undefined;
  /** Where the profile is, without OpenID Connect. */
  readonly userinfo?: string | undefined;
  /** The scopes, separated by spaces. */
  readonly scope: string;
  /** Whether the provider enforces PKCE with S256. */
  readonly pkce: boolean;
  /** How the client authenticates, if that is not `client_secret_basic`. */
  readonly method?: string | undefined;
  /** The algorithm of its id_tokens, if that is not RS256. */
  readonly algorithm?: string | undefined;
  /** Whether its metadata names a page that ends the session. */
  readonly hasLogout?: boolean | undefined;
  /** The page on which developers register an application. */
  readonly console: string;
}

/** The name of the factory of a provider, such as `spotify` or `clickUp`. */
export function factoryOf(id: string): string {
  const name = id.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const [, digits = "", rest = ""] = /^(\d*)(.*)$/.exec(name) ?? [];
  return digits ? `${rest.charAt(0).toLowerCase()}${rest.slice(1)}${digits}` : name;
}

/** The name of the file of a provider, without its ending. */
export function fileOf(id: string): string {
  return id.replaceAll("-", "_");
}

/** Says what is wrong with the answers, one line each. */
export function problemsOf(answers: Partial<Answers>): string[] {
  const { id = "", name = "", issuer, authorization, token, userinfo, console } = answers;
  const urls = Object.entries({ issuer, authorization, token, userinfo, console });
  const isPlain = !issuer && Boolean(authorization && token && userinfo);
  return [
    ...(/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id) ? [] : ["--id must be lower-case letters, digits and hyphens"]),
    ...(name.trim() ? [] : ["--name is missing: the text of the button"]),
    ...(issuer || isPlain ? [] : ["give --discover, --issuer, or all of --authorization, --token and --userinfo"]),
    ...urls.filter(([, url]) => url && URL.parse(url)?.protocol !== "https:").map(([name]) =>
      `--${name} must be https`
    ),
  ];
}

/** Reads the metadata of an OpenID Provider, as far as it answers the questions. */
export function answersOf(issuer: string, metadata: Readonly<Record<string, unknown>>): Partial<Answers> {
  if (metadata.issuer !== issuer) {
    throw new Error(`The metadata names the issuer ${JSON.stringify(metadata.issuer)}, not ${JSON.stringify(issuer)}`);
  }
  const lists = (name: string): readonly unknown[] => Array.isArray(metadata[name]) ? metadata[name] : [];
  const methods = lists("token_endpoint_auth_methods_supported");
  const algorithms = lists("id_token_signing_alg_values_supported");
  const scopes = lists("scopes_supported");
  const [algorithm] = ["RS256", "ES256", "PS256", "EdDSA"].filter((name) => algorithms.includes(name));
  return {
    issuer,
    scope: ["openid", "profile", "email"].filter((one) => scopes.length === 0 || scopes.includes(one)).join(" "),
    pkce: lists("code_challenge_methods_supported").includes("S256"),
    hasLogout: typeof metadata.end_session_endpoint === "string",
    ...(methods.length > 0 && !methods.includes("client_secret_basic") && methods.includes("client_secret_post") &&
      { method: "client_secret_post" }),
    ...(algorithm && algorithm !== "RS256" && { algorithm }),
  };
}

/** Writes the source of the provider. What a person has to look up says FILL IN, which the tests refuse. */
export function sourceOf(answers: Answers): string {
  const { id, name, issuer } = answers;
  const factory = factoryOf(id);
  const type = factory.charAt(0).toUpperCase() + factory.slice(1);
  const kind = issuer ? "Oidc" : "OAuth";
  const profile = issuer ? "Profile" : `${type}Profile`;
  const variable = `AUTH_${id.toUpperCase().replaceAll("-", "_")}`;
  const method = answers.method && answers.method !== "client_secret_basic" ? answers.method : undefined;
  const client = [
    ...(method ? [`token_endpoint_auth_method: "${method}"`] : []),
    ...(answers.algorithm ? [`id_token_signed_response_alg: "${answers.algorithm}"`] : []),
  ];
  const isDefaultScope = issuer && answers.scope === "openid profile email";
  const members = [
    `id: "${id}"`,
    `name: ${JSON.stringify(name)}`,
    ...(issuer
      ? [`issuer: "${issuer}"`, ...(isDefaultScope ? [] : [`authorization: { params: { scope: "${answers.scope}" } }`])]
      : [
        `authorization: { url: "${answers.authorization}", params: { scope: "${answers.scope}" } }`,
        `token: "${answers.token}"`,
        `userinfo: "${answers.userinfo}"`,
      ]),
    `checks: [${
      ["state", ...(answers.pkce ? ["pkce"] : []), ...(issuer ? ["nonce"] : [])].map((one) => `"${one}"`).join(", ")
    }]`,
    ...(client.length > 0 ? [`client: { ${client.join(", ")} }`] : []),
    'style: { bg: "#000", text: "#fff" }',
    ...(issuer ? [] : ["profile: ({ id, name, email }) => ({ id: textId(id), name, email, image: null })"]),
  ];
  return `/**
 * Sign in with ${name}.
 *
 * @module
 */
${issuer ? "" : 'import { textId } from "../contract/provider_answers.ts";\n'}\
import { type ${kind}Options, type ${kind}Provider, ${kind.toLowerCase()}Provider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { ${kind}Provider } from "../contract/provider.ts";
${
    issuer ? "" : `
/** The profile of a person at ${name}. */
export interface ${profile} extends Profile {
  /** Account id. */
  id?: number | string | null | undefined;
}
`
  }
/**
 * Signs people in with ${name}.
 *
 * - Register: {@link ${answers.console} | FILL IN: the name of that page}: FILL IN: what to click. The redirect URI is
 *   \`https://<your site>/auth/callback/${id}\`.
 * - Environment: \`${variable}_ID\`, \`${variable}_SECRET\`.
 * - Scopes: ${answers.scope ? answers.scope.split(" ").map((one) => `\`${one}\``).join(", ") : "none"}.
 * - Email: FILL IN: whether there is an address, whether ${name} says that it is verified, and whether that is a proof.
 * - Refresh: FILL IN: whether and how a refresh token comes.
 * - Logout: ${answers.hasLogout ? "with `logout: true`" : `FILL IN: whether ${name} has a page for it`}.
 *
 * @example Usage
 * \`\`\`ts
 * import { createAuth } from "@x/auth";
 * import { ${factory} } from "@x/auth/providers/${id}";
 *
 * const { handler } = createAuth({ providers: [${factory}()] });
 *
 * Deno.serve(handler);
 * \`\`\`
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link FILL IN | ${issuer ? "OpenID Connect" : "OAuth 2.0"} at ${name}}
 */
export function ${factory}<const Id extends string = "${id}">(
  options: ${kind}Options<${profile}, Id> = {},
): ${kind}Provider<${profile}, Id> {
  return ${kind.toLowerCase()}Provider({
${members.map((member) => `    ${member},`).join("\n")}
  }, options);
}

export default ${factory};
`;
}

/** Writes the facts that tests compare the provider with, and the sample to fill in. */
export function factsOf(answers: Answers): string {
  const { id, name, issuer, scope, pkce, method = "client_secret_basic", algorithm = null } = answers;
  const at = (path: string) => ({ path, fallbacks: [] });
  const facts = {
    id,
    name,
    type: issuer ? "oidc" : "oauth",
    issuer: issuer ?? null,
    discovery: Boolean(issuer),
    discovery_url: issuer ? `${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration` : null,
    authorization_endpoint: answers.authorization ?? null,
    token_endpoint: answers.token ?? null,
    userinfo_endpoint: answers.userinfo ?? null,
    jwks_uri: null,
    refresh_endpoint: null,
    revocation_endpoint: null,
    endpoint_origin: issuer ? "discovery" : "static",
    scopes: scope.split(" ").filter(Boolean),
    scope_separator: " ",
    extra_authorization_params: {},
    response_mode: null,
    recommended_checks: ["state", ...(pkce ? ["pkce"] : []), ...(issuer ? ["nonce"] : [])],
    pkce: pkce ? "supported" : "undocumented",
    token_endpoint_auth_method: method,
    id_token_signed_response_alg: algorithm,
    required_options: [],
    profile_source: issuer ? "id_token" : "userinfo",
    profile: {
      id: at(issuer ? "$.sub" : "$.id"),
      name: at("$.name"),
      email: at("$.email"),
      email_verified: issuer ? at("$.email_verified") : null,
      image: issuer ? at("$.picture") : null,
    },
    userinfo_quirks: {},
    token_quirks: [],
    extra_requests: [],
    brand: null,
    docs_url: answers.console,
    status: "active",
  };
  const person = { name: "Ada Lovelace", email: "ada@example.com" };
  const sample = {
    ...(issuer
      ? { claims: { sub: "FILL IN", ...person, email_verified: true } }
      : { answers: { [`GET ${answers.userinfo}`]: { id: "FILL IN", ...person } } }),
    user: { id: "FILL IN", ...person, ...(issuer ? {} : { image: null }) },
    ...(issuer && { emailVerified: true }),
  };
  return `${JSON.stringify({ facts, differences: {}, sample }, null, 2)}\n`;
}

async function discover(issuer: string): Promise<Partial<Answers>> {
  const url = `${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`;
  printLine(`Reading ${url}`);
  const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return answersOf(issuer, await response.json());
}

function ask(question: string, given: string | undefined, fallback = ""): string {
  if (given !== undefined) return given;
  return Deno.stdin.isTerminal() ? prompt(`${question}:`, fallback)?.trim() ?? fallback : fallback;
}

async function readAnswers(): Promise<Answers> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: {
      id: text,
      name: text,
      discover: text,
      issuer: text,
      authorization: text,
      token: text,
      userinfo: text,
      scope: text,
      method: text,
      console: text,
      pkce: { type: "boolean" },
    },
  });
  const id = ask("Id, in lower case with hyphens", values.id);
  const name = ask("Name on the button", values.name, id);
  const isPlain = values.authorization !== undefined;
  const issuer = values.discover ?? values.issuer ??
    (isPlain ? "" : ask("Issuer (empty without OpenID Connect)", undefined));
  const found = values.discover ? await discover(values.discover) : {};
  const plain = issuer ? {} : {
    authorization: ask("Authorization endpoint", values.authorization),
    token: ask("Token endpoint", values.token),
    userinfo: ask("Userinfo endpoint", values.userinfo),
  };
  return {
    id,
    name,
    issuer: issuer || undefined,
    ...plain,
    method: values.method,
    pkce: values.pkce ?? Boolean(issuer),
    console: ask("Page on which an application is registered", values.console, "https://example.com"),
    ...found,
    scope: values.scope ?? found.scope ??
      ask("Scopes, separated by spaces", undefined, issuer ? "openid profile email" : ""),
  };
}

async function run(...args: readonly string[]): Promise<void> {
  const { success } = await new Deno.Command(Deno.execPath(), { args: [...args], stdin: "null" }).spawn().status;
  if (!success) Deno.exit(1);
}

if (import.meta.main) {
  const answers = await readAnswers();
  const problems = problemsOf(answers);
  const source = `src/providers/${fileOf(answers.id)}.ts`;
  const facts = `tests/catalogue/${fileOf(answers.id)}.json`;
  if (isFile(source)) problems.push(`${source} exists`);
  for (const problem of problems) printLine(`Cannot make a provider: ${problem}`);
  if (problems.length > 0) Deno.exit(1);
  Deno.writeTextFileSync(source, sourceOf(answers));
  Deno.writeTextFileSync(facts, factsOf(answers));
  await run("fmt", "--quiet", source, facts);
  await run("run", "--allow-read", "--allow-write=deno.json", "scripts/check_exports.ts", "--write");
  printLine(`Wrote ${source} and ${facts}. Fill in what says FILL IN, then run`);
  printLine(`  deno test -A tests/unit/providers/catalogue_test.ts tests/stories/catalogue_test.ts`);
  printLine("  deno run -A scripts/provider_docs.ts");
}
