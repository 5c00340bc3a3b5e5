/**
 * Every provider of the folder agrees with its record in tests/catalogue. The environment variable CATALOGUE chooses some
 * by the beginning of their file names: `CATALOGUE=git deno test -A --no-check tests/unit/providers/catalogue_test.ts`.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import type { ResolvedOAuthProvider } from "../../../src/config/resolved_provider.ts";
import { customFetch, type OAuthProvider, type OidcProvider, type Provider } from "../../../src/contract/provider.ts";
import type { Profile, TokenSet, User } from "../../../src/kernel/model.ts";
import { contrastOf, readableOn } from "../../../src/kernel/color.ts";
import { usableId } from "../../../src/oauth/profile.ts";
import { vouchingFor } from "../../../src/sign_in/vouching.ts";
import { createEngine } from "../../../src/service/engine.ts";
import { respond } from "../../../src/service/respond.ts";
import { CatalogueDouble, type Missed } from "../../_support/catalogue_double.ts";
import {
  effective,
  type Entry,
  envPrefix,
  factoryName,
  type Facts,
  isChosen,
  isSameOption,
  readEntry,
  recordedFiles,
  subpathOf,
  Templates,
} from "../../_support/catalogue_facts.ts";
import { Visitor } from "../../_support/both_libraries.ts";
import { resolveNow } from "../../_support/resolved.ts";
import { testRuntime } from "../../_support/runtime.ts";
import { recordLog, SECRET } from "../../_support/service.ts";

const ROOT = new URL("../../../", import.meta.url);
const DIRECTORY = new URL("src/providers/", ROOT);
const CLIENT = { clientId: "client-1", clientSecret: "0123456789abcdef0123456789abcdef" } as const;

type Redirecting = OAuthProvider | OidcProvider;
type Factory = (options?: Readonly<Record<string, unknown>>) => Provider;

const files = readdirSync(DIRECTORY).filter((name) => name.endsWith(".ts")).map((name) => name.slice(0, -3));
const made = await Promise.all(files.filter(isChosen).map(async (file) => ({ file, make: await factoryOf(file) })));

/** What providers need that send email or ask for a password. */
const OTHERS = {
  server: "smtp://localhost",
  from: "site@example.com",
  apiKey: "key",
  domain: "example.com",
  region: "eu-west-1",
  transactionalId: "t-1",
};

for (const { file, make } of made) {
  test(`${file} has a factory of its name`, () => assert.ok(make, `${file}.ts has no export ${factoryName(file)}`));
  if (!make) continue;
  test(`${file} names itself where its options are not an object, as JavaScript allows`, () => {
    const odd: readonly unknown[] = [null, "secret-1", 7, [], () => {}, Promise.resolve({})];
    for (const given of odd) {
      if (file === "credentials") continue; // The service says that it lacks `authorize`.
      const named = new RegExp(`^(?!.*secret-1)Cannot .*"?${make(OTHERS).id}\\b`);
      assert.throws(() => make(given as never), { name: "InvalidConfig", message: named });
    }
    // `condition && { … }` gives these.
    if (isRedirecting(make(OTHERS))) {
      for (const given of [false, ""]) assert.equal(make(given as never).id, make({}).id);
    }
  });
  test(`${file} exports the types of what its factory returns, for the declarations of applications`, () => {
    const source = readFileSync(new URL(`${file}.ts`, DIRECTORY), "utf8");
    const [, returned = ""] = new RegExp(`function ${factoryName(file)}[<(][^]*?\\): ([^{};]*?) \\{\n`).exec(source) ??
      [];
    const names = (returned.match(/\b[A-Z]\w+/g) ?? []).filter((name) => !["Id", "Field"].includes(name));
    assert.ok(names.length > 0, returned);
    for (const name of names) {
      assert.match(source, new RegExp(`^export (?:type \\{[^}]*\\b${name}\\b|(?:interface|type) ${name}\\b)`, "m"));
    }
  });
  const isRecorded = recordedFiles().includes(file);
  if (!isRecorded && !isRedirecting(make(OTHERS))) continue;
  test(`${file} has facts, differences and a sample in tests/catalogue`, () => {
    assert.ok(isRecorded, `tests/catalogue/${file}.json is missing`);
    assert.ok(readEntry(file).sample.user?.id, `sample.user in tests/catalogue/${file}.json is missing`);
  });
  if (isRecorded) testProvider(readEntry(file), make);
}

test("every record belongs to a provider, or to one that was renamed", () => {
  const alone = recordedFiles().filter((file) => !files.includes(file)).map((file) => readEntry(file).facts);
  assert.deepEqual(alone.filter(({ status }) => status !== "renamed").map(({ id }) => id), []);
});

function testProvider(entry: Entry, make: Factory): void {
  const { file, facts, sample } = entry;
  const source = readFileSync(new URL(`${file}.ts`, DIRECTORY), "utf8");

  test(`${file} has a line in the exports`, () => {
    const manifest = new URL("deno.json", ROOT);
    // Where the package is tested on Node and Bun, there is none.
    if (!existsSync(manifest)) return;
    const { exports } = JSON.parse(readFileSync(manifest, "utf8"));
    assert.equal(exports[`./${subpathOf(file)}`], `./src/providers/${file}.ts`);
  });

  test(`${file} has a literal id, and the name and type of the facts`, () => {
    const { id, name, type } = make(sample.options);
    assert.deepEqual({ id, name, type }, { id: facts.id, name: effective(entry).name, type: effective(entry).type });
    assert.match(source, new RegExp(`Id extends string = "${facts.id}"`), "the type of the id is not literal");
    const home = facts.id.replaceAll("-", "_");
    // Another name for a provider that keeps its id.
    assert.ok(file === home || recordedFiles().includes(home), `the file of ${facts.id} is ${home}.ts`);
  });

  test(`${file} says all that a developer must know in its docstring`, () => {
    assert.deepEqual(docProblems(entry, docstringOf(file, source)), []);
    assert.deepEqual(source.match(/FILL IN.*/g) ?? [], [], `src/providers/${file}.ts`);
    assert.doesNotMatch(JSON.stringify(entry), /FILL IN/, `tests/catalogue/${file}.json`);
  });

  test(`${file} keeps the developer's options apart from its own`, () => {
    const mine = { ...sample.options, name: "Mine", id: "mine" };
    const { id, name, options } = make(mine);
    assert.deepEqual([id, name, options?.name, options?.id], ["mine", effective(entry).name, "Mine", "mine"]);
  });

  test(`${file} has colours for its button`, () => {
    const { style } = make(sample.options);
    for (const color of [style?.bg, style?.text]) assert.match(color ?? "", /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i);
  });

  test(`${file} has https endpoints only`, () => {
    const { provider } = resolve(entry, make(options(entry)));
    const { issuer, wellKnown, jwksUri, authorization, token, userinfo } = provider;
    const urls = [issuer, wellKnown, jwksUri, authorization.url, token.url, userinfo.url];
    for (const url of urls.filter((url) => url !== undefined)) assert.equal(new URL(url).protocol, "https:", url);
  });

  test(`${file} agrees with the facts, and each difference has a reason`, async () => {
    const recorded: Entry = { ...entry, differences: {} };
    const strays = await problemsOf(entry, make);
    const differing = new Set((await problemsOf(recorded, make)).map(({ field }) => field));
    const listed = Object.entries(entry.differences);
    const report = [
      ...strays.filter(({ field }) => typeof entry.differences[field] !== "string").map(({ field, problem }) => {
        return `${field}: ${problem}`;
      }),
      ...listed.flatMap(([field, difference]) => {
        const reason = typeof difference === "string" ? difference : difference?.reason;
        if (!isComparable(field)) {
          return [`differences.${field}: no such fact is compared (${[...COMPARED].join(", ")})`];
        }
        if (!/^[A-Z].*\.$/s.test(reason ?? "")) return [`differences.${field}: its reason is not a sentence`];
        return COMPARED.has(field) && !differing.has(field)
          ? [`differences.${field}: there is no such difference`]
          : [];
      }),
    ];
    assert.deepEqual(report, []);
  });

  test(`${file} has a sample that demands what the facts say about userinfo`, () => {
    assert.deepEqual(undemanded(entry), []);
  });

  test(`${file} gives the user of its sample`, async () => {
    const { missed, user, account, profile, errors } = await signIn(entry, make);
    assert.deepEqual({ missed, errors }, { missed: [], errors: [] });
    assert.deepEqual(given(user), given(sample.user));
    assert.equal(account?.providerAccountId, sample.user.id);
    assert.equal(profile?.email_verified, sample.emailVerified, "profile.email_verified");
  });

  test(`${file} is believed about addresses as far as its record says, which names its source`, () => {
    const { vouching } = entry;
    const { value = "yes", source: url, elsewhere, reason = "" } = vouching ?? {};
    const believed = (more: object) => resolve(entry, make({ ...options(entry), ...more })).provider.vouches;
    assert.equal(believed({}), value);
    if (elsewhere) assert.equal(believed(elsewhere.options), elsewhere.value);
    for (const vouches of ["yes", "no"]) assert.equal(believed({ ...elsewhere?.options, vouches }), vouches);
    if (isHostedByAnybody(facts)) assert.match(reason, /^[A-Z`].*\.$/s, "vouching.reason");
    if (value === "yes" && !elsewhere) return;
    assert.match(url ?? "", /^https:/);
    assert.ok(source.includes(url ?? ""), `src/providers/${file}.ts does not name ${url}`);
  });

  test(`${file} proves the address of its sample if it says that it is verified, and is believed`, async () => {
    const { seen, user } = await signIn(entry, make);
    assert.ok(seen, "nobody signed in");
    const { vouches } = vouchingFor(resolve(entry, make(options(entry))).provider, seen.profile, user?.email);
    const isBelieved = (entry.vouching?.value ?? "yes") !== "no";
    assert.equal(vouches, isBelieved && sample.emailVerified === true && Boolean(sample.user.email));
  });

  test(`${file} makes no id of a profile without one`, async () => {
    const { seen } = await signIn(entry, make);
    assert.ok(seen, "nobody signed in");
    const paths = idPaths(facts, seen.profile, sample.user.id);
    const { provider } = resolve(entry, make(options(entry)));
    const map = (profile: Profile) => idOf(provider, profile, seen.tokens);
    assert.equal(await map(seen.profile), sample.user.id);
    assert.equal(await map({}), null);
    // The mapping of every provider that has none of its own takes zero for an id, which OpenID Connect sends as text.
    const zeros = (make(options(entry)) as Redirecting).profile ? [0] : [];
    for (const odd of [undefined, null, "", {}, [1], true, NaN, ...zeros]) {
      const profile: Profile = paths.reduce((profile, path) => withMember(profile, path, odd), seen.profile);
      assert.equal(await map(profile), null, `${JSON.stringify(odd)} at ${paths.map((path) => path.join("."))}`);
    }
  });

  test(`${file} works without options, or says which one is missing`, async () => {
    const prefix = envPrefix(facts);
    const env = { [`${prefix}ID`]: CLIENT.clientId, [`${prefix}SECRET`]: CLIENT.clientSecret };
    for (const variables of [{}, env]) {
      const lacks = effective(entry).required_options;
      const { problems: found } = resolveAnyhow(make, variables);
      // What can also be a parameter of the sign-in is missing when that starts.
      const problems = found.length > 0 || lacks.length === 0 ? found : await startProblems(make);
      if (variables === env && lacks.length === 0) {
        assert.deepEqual(problems, [], "no option is required");
        // What an option demands of the URL is not demanded without it.
        const without: Entry = { ...entry, sample: { ...sample, options: {}, demands: {} } };
        if (isFilled(without)) assert.deepEqual(await problemsOf(without, make, true), []);
        continue;
      }
      assert.ok(problems.length > 0, `${lacks.join(", ") || "clientId"} is missing`);
      for (const problem of problems) assert.match(problem, /^Cannot use provider "|^Cannot sign in with "/);
      assert.doesNotMatch(problems.join(), /undefined/);
      if (variables !== env) continue;
      for (const lack of lacks) {
        const named = problems.some((problem) => {
          return lack.split(/[|+]/).some((name) => {
            return [...problem.matchAll(/`([\w.]+)`/g)].some(([, option = ""]) => isSameOption(option, name));
          });
        });
        assert.ok(named, `no problem names ${lack}: ${problems.join("; ")}`);
      }
    }
  });
}

/** Whether people choose the server. */
function isHostedByAnybody({ required_options, optional_options = [] }: Facts): boolean {
  return /\b(?:issuer|base_url|enterprise)\b/.test([...required_options, ...optional_options].join());
}

/** Whether the issuer is known without options: the facts have a placeholder where the provider has a default of its own. */
function isFilled({ facts, sample }: Entry): boolean {
  return !/\{/.test(facts.issuer ?? "") || Object.keys(sample.values ?? {}).length > 0;
}

/** What the facts say about the request to userinfo, and the sample does not demand: then nothing would be missed. */
function undemanded({ facts, sample, differences }: Entry): readonly string[] {
  if ("userinfo_quirks" in differences || "userinfo_endpoint" in differences) return [];
  const { headers = {}, query = {}, token_in: place, method } = facts.userinfo_quirks as {
    readonly headers?: object;
    readonly query?: object;
    readonly token_in?: string;
    readonly method?: string;
  };
  const demands = Object.values(sample.demands ?? {});
  const demanded = (part: "headers" | "query") => {
    return demands.flatMap((demand) => Object.keys(demand[part] ?? {}).map((name) => name.toLowerCase()));
  };
  const lacks = (part: "headers" | "query", names: object) => {
    return Object.keys(names).filter((name) => !demanded(part).includes(name.toLowerCase()));
  };
  const requests = Object.keys(sample.answers ?? {});
  return [
    ...lacks("headers", headers).map((name) => `the header ${name}`),
    ...lacks("query", query).map((name) => `the parameter ${name}`),
    ...(place && !demands.some(({ token }) => token?.startsWith(place)) ? [`the access token in ${place}`] : []),
    ...(method && !requests.some((key) => key.startsWith(`${method} `)) ? [`the method ${method}`] : []),
  ];
}

/** The facts that are compared. */
const COMPARED: ReadonlySet<string> = new Set([
  "issuer",
  "discovery_url",
  "authorization_endpoint",
  "token_endpoint",
  "userinfo_endpoint",
  "jwks_uri",
  "scopes",
  "scope_separator",
  "extra_authorization_params",
  "response_mode",
  "recommended_checks",
  "pkce",
  "token_endpoint_auth_method",
  "id_token_signed_response_alg",
  "profile_source",
  "brand",
]);

/** Facts whose differences show elsewhere: in the sign-in, the profile or the errors. */
const ELSEWHERE =
  /^(?:name|type|discovery|required_options|optional_options|userinfo_quirks|token_quirks|extra_requests|id_type|refresh_endpoint|profile(?:\.\w+)?)$/;

function isComparable(field: string): boolean {
  return COMPARED.has(field) || ELSEWHERE.test(field);
}

/** Lists where a provider is not as the facts say: in its configuration and in its authorization URL. */
async function problemsOf(entry: Entry, make: Factory, isBare = false): Promise<Missed[]> {
  const double = new CatalogueDouble(entry, CLIENT);
  const provider = make({ ...options(entry), [customFetch]: double.fetch });
  const { provider: resolved } = resolve(entry, provider);
  const problems = isBare ? [] : factProblems(entry, provider as Redirecting, resolved);
  const { service, errors } = open(provider);
  const url = await new Visitor(service).start(provider.id);
  if (errors.length > 0) {
    return [...problems, { field: "discovery", problem: `a sign-in does not start: ${errors.map(detailsOf)}` }];
  }
  return [...problems, ...double.authorizationProblems(url)];
}

function factProblems(entry: Entry, provider: Redirecting, resolved: ResolvedOAuthProvider): Missed[] {
  const facts = effective(entry);
  const templates = new Templates(facts, entry.sample, CLIENT.clientId);
  const problems: Missed[] = [];
  const expect = (field: string, is: unknown, should: unknown) => {
    if (JSON.stringify(is) === JSON.stringify(should)) return;
    problems.push({ field, problem: `it is ${JSON.stringify(is)}, and the facts say ${JSON.stringify(should)}` });
  };
  const fill = (url: string | null) =>
    url === null ? undefined : facts.discovery ? templates.fillAnyhow(url) : templates.fill(url);
  expect("issuer", bare(resolved.issuer), bare(templates.issuer));
  if (resolved.wellKnown !== undefined) {
    const usual = `${bare(templates.issuer)}/.well-known/openid-configuration`;
    expect("discovery_url", resolved.wellKnown, facts.discovery ? fill(facts.discovery_url) ?? usual : undefined);
  }
  const endpoints = {
    authorization_endpoint: resolved.authorization,
    token_endpoint: resolved.token,
    userinfo_endpoint: resolved.userinfo,
  } as const;
  for (const [field, { url, handler, params }] of Object.entries(endpoints)) {
    const option = field === "userinfo_endpoint" ? entry.sample.options?.userinfo : undefined;
    const template = typeof option === "string" ? option : facts[field as keyof typeof endpoints];
    // A part that only a response holds: the sign-in shows whether the URL is right.
    if (field === "userinfo_endpoint" && handler && template && !templates.tryFill(template)) continue;
    const fact = fill(template);
    if (url === undefined) {
      // Otherwise it is discovered, or a handler knows it, and then the sign-in shows it.
      if (!facts.discovery && !handler) expect(field, url, fact);
      continue;
    }
    const full = new URL(url);
    for (const [name, value] of Object.entries(params)) {
      if (field === "userinfo_endpoint") full.searchParams.set(name, String(value));
    }
    const isWhole = field !== "authorization_endpoint" && !handler;
    expect(
      field,
      isWhole ? sorted(full) : withoutQuery(full.href),
      fact && (isWhole ? sorted(fact) : withoutQuery(fact)),
    );
  }
  expect("scope_separator", resolved.authorization.scopeSeparator ?? " ", facts.scope_separator);
  if (resolved.jwksUri !== undefined) expect("jwks_uri", resolved.jwksUri, fill(facts.jwks_uri));
  const { token_endpoint_auth_method: method, id_token_signed_response_alg: alg } = provider.client ?? {};
  if (facts.token_endpoint_auth_method !== "custom" && !resolved.token.handler) {
    const usual = resolved.wellKnown ? facts.token_endpoint_auth_method : "client_secret_basic";
    expect("token_endpoint_auth_method", method ?? usual, facts.token_endpoint_auth_method);
  }
  if (alg !== undefined) expect("id_token_signed_response_alg", alg, facts.id_token_signed_response_alg);
  if (facts.type === "oidc" && /^(?:userinfo|id_token)$/.test(facts.profile_source)) {
    expect("profile_source", resolved.profileFrom === "userinfo" ? "userinfo" : "id_token", facts.profile_source);
  }
  const { bg, text } = provider.style ?? {};
  if (facts.brand?.bg) expect("brand", [bg, text].map(color), [facts.brand.bg, readable(facts.brand)].map(color));
  return problems;
}

/** Colours that are written in two ways are the same. */
/** The text colour of a brand, or the one that can be read where it is too faint. */
function readable({ bg, text }: NonNullable<Facts["brand"]>): string | null | undefined {
  const isReadable = (contrastOf(bg ?? "", text ?? "") ?? 0) >= 4.5;
  return isReadable ? text : readableOn(bg ?? "");
}

function color(text: string | null | undefined): string | undefined {
  return text?.toLowerCase().replace(/^#(\w)(\w)(\w)$/, "#$1$1$2$2$3$3");
}

function bare(url: string | undefined): string | undefined {
  return url?.replace(/\/+$/, "");
}

/** A URL in one of the ways it can be written. */
function sorted(text: string | URL): string {
  const url = new URL(text);
  url.searchParams.sort();
  return url.href;
}

function withoutQuery(text: string): string {
  const { origin, pathname } = new URL(text);
  return origin + pathname;
}

interface SignedIn {
  readonly missed: readonly Missed[];
  readonly errors: readonly unknown[];
  /** What `profile` made. */
  readonly user: User | undefined;
  readonly account: { readonly providerAccountId: string } | undefined;
  /** The profile as callbacks get it. */
  readonly profile: Profile | undefined;
  /** What `profile` was called with. */
  readonly seen: { readonly profile: Profile; readonly tokens: TokenSet } | undefined;
}

const signIns = new Map<string, Promise<SignedIn>>();

/** Signs in once with each provider. */
function signIn(entry: Entry, make: Factory): Promise<SignedIn> {
  const known = signIns.get(entry.file) ?? signInOnce(entry, make);
  signIns.set(entry.file, known);
  return known;
}

async function signInOnce(entry: Entry, make: Factory): Promise<SignedIn> {
  const double = new CatalogueDouble(entry, CLIENT);
  const provider = make({ ...options(entry), [customFetch]: double.fetch }) as Redirecting;
  let seen: SignedIn["seen"];
  let user: User | undefined;
  const { profile: map } = resolve(entry, provider).provider;
  const watched = {
    ...provider,
    async profile(profile: Profile, tokens: TokenSet) {
      seen = { profile: structuredClone(profile), tokens };
      return user = await map(profile, tokens);
    },
  };
  const { service, errors, told } = open(watched as Provider);
  const visitor = new Visitor(service);
  const { params, posted } = double.consent(await visitor.start(provider.id));
  await visitor.comeBack(provider.id, params, posted);
  return { missed: double.missed, errors: errors.map(detailsOf), user, seen, ...told() };
}

function detailsOf(error: unknown): string {
  const { cause } = error as Error;
  return `${error} ${JSON.stringify(cause, (_, value) => value instanceof Error ? String(value) : value)}`;
}

interface Told {
  readonly account?: { readonly providerAccountId: string };
  readonly profile?: Profile;
}

/** Opens a service with one provider, and no environment. */
function open(provider: Provider) {
  const { logger, errors } = recordLog();
  let told: Told = {};
  const callbacks = { signIn: (message: unknown) => (told = message as Told, true) };
  const config = { providers: [provider], secret: SECRET, trustHost: true, logger, callbacks };
  const engine = createEngine(config, testRuntime({ now: Date.now() }));
  const service = async (request: Request) => await respond(await engine.run(request));
  return { service, errors, told: () => ({ account: told.account, profile: told.profile }) };
}

/** The options of a sample, with the client. */
function options({ sample }: Entry): Readonly<Record<string, unknown>> {
  return { ...CLIENT, ...sample.options };
}

function resolve({ facts }: Entry, provider: Provider): { readonly provider: ResolvedOAuthProvider } {
  const config = { providers: [provider], secret: SECRET };
  const { problems, brokenProviders, providers } = resolveNow(config, testRuntime());
  const all = [...problems, ...[...brokenProviders.values()].flatMap(({ problems }) => problems)];
  assert.deepEqual(all.map(({ message }) => message), []);
  const resolved = providers.get(facts.id);
  assert.ok(resolved?.type === "oauth" || resolved?.type === "oidc");
  return { provider: resolved };
}

/** Lists what a configuration reports that has a factory and nothing else. */
function resolveAnyhow(make: Factory, env: Readonly<Record<string, string>>): { readonly problems: readonly string[] } {
  const config = { providers: [make], secret: SECRET };
  const { problems, brokenProviders } = resolveNow(config, testRuntime({ env }));
  const all = [...problems, ...[...brokenProviders.values()].flatMap(({ problems }) => problems)];
  return { problems: all.map(({ message }) => message) };
}

/** Gives the errors of a sign-in that does not start. */
async function startProblems(make: Factory): Promise<readonly string[]> {
  const provider = make({ ...CLIENT });
  const { service, errors } = open(provider);
  await new Visitor(service).start(provider.id).catch(() => {});
  return errors.map((error) => (error as Error).message);
}

async function idOf(
  provider: ResolvedOAuthProvider,
  profile: Profile,
  tokens: TokenSet,
): Promise<string | null> {
  try {
    return usableId((await provider.profile(structuredClone(profile), tokens))?.id);
  } catch {
    // The sign-in ends with an error that says so.
    return null;
  }
}

type Path = readonly (string | number)[];

/** Where the id is in a profile: at the paths of the facts, and wherever else the same value stands. */
function idPaths({ profile: { id } }: Facts, profile: Profile, value: string): Path[] {
  const recorded = [id?.path ?? "", ...id?.fallbacks ?? []]
    .filter((path) => path.startsWith("$."))
    .map((path) =>
      path.slice(2).split(/[.[\]]+/).filter(Boolean).map((part) => /^\d+$/.test(part) ? Number(part) : part)
    );
  return [...recorded.filter((path) => memberAt(profile, path) !== undefined), ...pathsTo(profile, value)];
}

function memberAt(value: unknown, [first, ...rest]: Path): unknown {
  if (first === undefined) return value;
  return typeof value === "object" && value !== null ? memberAt((value as Profile)[first], rest) : undefined;
}

function pathsTo(value: unknown, text: string, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return String(value) === text ? [path] : [];
  return Object.entries(value).flatMap(([name, member]) => {
    return pathsTo(member, text, [...path, Array.isArray(value) ? Number(name) : name]);
  });
}

function withMember<T>(owner: T, [first, ...rest]: Path, value: unknown): T {
  if (first === undefined) return value as T;
  const copy = (Array.isArray(owner) ? [...owner] : { ...owner }) as Record<string | number, unknown>;
  copy[first] = withMember(copy[first], rest, value);
  return copy as T;
}

/** A user as it is compared: what is absent and what is `null` are the same. */
function given(user: object | undefined): object {
  return Object.fromEntries(
    Object.entries(user ?? {}).filter(([, value]) => value !== undefined && value !== null).toSorted(),
  );
}

/** The items of the list in the docstring of a factory, in their order. */
const ITEMS = ["Register", "Environment", "Scopes", "Email", "Refresh", "Logout"];

/** The docstring of a factory, one item a line. */
function docstringOf(file: string, source: string): string {
  const at = source.indexOf(`export function ${factoryName(file)}<`);
  assert.ok(at > 0, `there is no function ${factoryName(file)} with a parameter for its id`);
  const text = source.slice(source.lastIndexOf("/**", at), at);
  return text.replace(/^\s*\*\/?[ ]?/gm, "").replace(/\n {2}(?=\S)/g, " ");
}

function docProblems(entry: Entry, text: string): string[] {
  const { facts } = entry;
  const problems: string[] = [];
  const expect = (holds: boolean, problem: string) => holds || problems.push(problem);
  const items = [...text.matchAll(/^- (\w+): (.*)$/gm)].map(([, name = "", content = ""]) => ({ name, content }));
  expect(
    JSON.stringify(items.map(({ name }) => name)) === JSON.stringify(ITEMS),
    `the items are ${items.map(({ name }) => name).join(", ")}, not ${ITEMS.join(", ")}`,
  );
  const contentOf = (name: string) => items.find((item) => item.name === name)?.content ?? "";
  expect(/\{@link\s+https:\/\/\S+\s+\|[^}]+\}|https:\/\//.test(contentOf("Register")), "Register has no link");
  expect(
    contentOf("Register").includes(`\`https://<your site>/auth/callback/${facts.id}\``),
    `Register has no \`https://<your site>/auth/callback/${facts.id}\``,
  );
  const prefix = envPrefix(facts);
  const needsSecret = effective(entry).token_endpoint_auth_method !== "none";
  const needsIssuer = effective(entry).required_options.some((option) => option.split(/[|+]/).includes("issuer"));
  const variables = [
    `${prefix}ID`,
    ...(needsSecret ? [`${prefix}SECRET`] : []),
    ...(needsIssuer ? [`${prefix}ISSUER`] : []),
  ];
  for (const name of variables) expect(contentOf("Environment").includes(`\`${name}\``), `Environment lacks ${name}`);
  for (const [, name = ""] of contentOf("Environment").matchAll(/`(AUTH_\w+)`/g)) {
    expect(new RegExp(`^${prefix}(?:ID|SECRET|ISSUER|KEY)$`).test(name), `Environment has ${name}, which is not read`);
  }
  const scopes = typeof entry.differences.scopes === "string" ? null : effective(entry).scopes;
  const [first = ""] = /^(?:`[^`]+`(?:,? and |, )?)*/.exec(contentOf("Scopes")) ?? [];
  const named = [...first.matchAll(/`([^`]+)`/g)].map(([, scope = ""]) => scope);
  if (scopes?.length === 0) expect(/^none\b/i.test(contentOf("Scopes")), `Scopes has to begin with "none"`);
  else if (scopes) {
    expect(
      JSON.stringify(named.toSorted()) === JSON.stringify(scopes.toSorted()),
      `Scopes begins with ${named.join(", ")}, not ${scopes.join(", ")}`,
    );
  }
  for (const name of ["Email", "Refresh", "Logout"]) expect(contentOf(name).length > 3, `${name} says nothing`);
  for (const tag of ["@example", "@param options", "@returns", "@see"]) expect(text.includes(tag), `${tag} is missing`);
  return problems;
}

function isRedirecting({ type }: Provider): boolean {
  return type === "oauth" || type === "oidc";
}

/** The factory of a file: the export that has the file's name in camel case. */
async function factoryOf(file: string): Promise<Factory | undefined> {
  const module: Record<string, unknown> = await import(new URL(`${file}.ts`, DIRECTORY).href);
  const make = module[factoryName(file)];
  // As applications import the providers of Auth.js.
  assert.equal(module.default, make, `${file}.ts needs \`export default ${factoryName(file)};\``);
  return typeof make === "function" ? make as Factory : undefined;
}
