/**
 * Rules about several options of the service. Each problem names the option and the fix.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import { type Feature, isFeature, needsOf } from "../contract/feature.ts";
import { type CookieSpecs, cookieSpecs, formerSpecs } from "../http/cookie_specs.ts";
import { cookieProblem } from "../http/cookie_text.ts";
import {
  type ConfigError,
  InvalidConfig,
  MissingAdapter,
  MissingAdapterMethods,
  MissingSecret,
  UntrustedHost,
} from "../kernel/errors.ts";
import { describeValue, isModule, isObject, isThenable, kindOf } from "../kernel/objects.ts";
import { secretProblem } from "../crypto/secrets.ts";
import type { Storage } from "../storage/guard.ts";
import type { Need } from "../storage/operations.ts";
import type { MergedProvider } from "./merge_provider.ts";
import { otherNames } from "./other_names.ts";
import type { ConfigFacts } from "./read_config.ts";

/** What is asked of a guarded adapter. */
export type Asked = Pick<Storage, "lacks"> | null;

/** What the rules look at. */
type Facts = Pick<ConfigFacts, "given" | "config" | "readEnv" | "secrets" | "trustHost" | "env">;

/** What the rules about several options look at. @see {@linkcode problemsTogether} */
interface Together extends Pick<Facts, "config" | "env"> {
  /** The providers that can be used. */
  readonly providers: readonly MergedProvider[];
}

/** Lists the problems without which nothing else matters: whom to trust, and what to encrypt with. */
export function basicProblems({ given, config: { secret }, readEnv, secrets, trustHost }: Facts): ConfigError[] {
  const problems: ConfigError[] = [];
  if (trustHost === "none") {
    const { trustHost: written } = given;
    const what = written === undefined || written === null ? "" : `\`trustHost\` is ${describeValue(written)}; `;
    problems.push(
      new UntrustedHost(
        `Cannot trust the host of requests: ${what}set \`trustHost: true\` or the environment variable AUTH_URL`,
      ),
    );
  }
  if (secrets.length === 0 && secretProblem(secret) !== "malformed") {
    problems.push(
      new MissingSecret(
        "Cannot start without a secret: set `secret` or the environment variable AUTH_SECRET" +
          otherNames(readEnv, "AUTH_SECRET"),
      ),
    );
  }
  return problems;
}

/** Lists the problems that several options have together. */
export function problemsTogether(
  { config, env: { problem }, providers }: Together,
  storage: Asked,
): ConfigError[] {
  return [
    ...(problem === undefined ? [] : [new InvalidConfig(problem)]),
    ...insecureCookies(config),
    ...checkAdapter(config, storage),
    ...checkMigration(config),
    ...checkCache(config),
    ...checkCookies(config),
    ...checkFeatures(config, storage),
    ...checkMail(config, providers),
  ];
}

function strategyOf({ session, adapter }: AuthConfig): string {
  return session?.strategy ?? (adapter ? "database" : "jwt");
}

function knownOf(features: AuthConfig["features"]): readonly Feature[] {
  return Array.isArray(features) ? features.filter(isFeature) : [];
}

function checkFeatures({ features, adapter }: AuthConfig, storage: Asked): ConfigError[] {
  const known = knownOf(features);
  const twice = known.find(({ id }, at) => known.slice(at + 1).some((other) => other.id === id));
  const storing = known.find((feature) => needsOf(feature).includes("records"));
  const use = `feature "${storing?.id}"`;
  return [
    ...(twice ? [new InvalidConfig(`Cannot use \`features\`: "${twice.id}" is there twice`)] : []),
    ...(storing ? adapter ? lacking(storage, "records", `${use}: the adapter`) : [missingAdapter(use)] : []),
  ];
}

function checkMail(config: AuthConfig, providers: readonly MergedProvider[]): ConfigError[] {
  const mailing = knownOf(config.features).find((feature) => needsOf(feature).includes("mail"));
  if (!mailing || sendsMail(config, providers)) return [];
  const [linkOnly] = providers.filter((provider) => provider.type === "email");
  const cause = linkOnly ? `; provider "${linkOnly.id}" sends sign-in links only: it has no \`sendMail\`` : "";
  const what = "it sends email; set `mail` to a function that sends one, or add a provider of a mail service";
  return [invalid(`feature "${mailing.id}"`, what + cause)];
}

/** Whether there is something that sends emails which are not sign-in links. */
export function sendsMail({ mail }: Pick<AuthConfig, "mail">, providers: readonly MergedProvider[]): boolean {
  return Boolean(mail) || providers.some((provider) => provider.type === "email" && provider.sendMail);
}

function checkAdapter(config: AuthConfig, storage: Asked): ConfigError[] {
  const { adapter, session } = config;
  const problem = adapterProblem(adapter);
  if (problem) return [new InvalidConfig(`Cannot use \`adapter\`: ${problem}`, { logCode: "adapter-unusable" })];
  const strategy = strategyOf(config);
  if (!adapter) {
    if (strategy === "database") return [missingAdapter('`session.strategy` "database"')];
    return session?.revalidate ? [missingAdapter("`session.revalidate`")] : [];
  }
  if (strategy === "database") return lacking(storage, "sessions");
  return session?.revalidate ? lacking(storage, "endings", "`session.revalidate`: the adapter") : [];
}

/** What is wrong where something needs an adapter and there is none. */
export function missingAdapter(what: string): ConfigError {
  return new MissingAdapter(`Cannot use ${what}: it needs an \`adapter\`; set one`);
}

/** Lists what an adapter lacks. */
export function lacking(storage: Asked, need: Need, what = "`adapter`: it"): ConfigError[] {
  const missing = storage?.lacks(need) ?? [];
  return missing.length === 0 ? [] : [new MissingAdapterMethods(`Cannot use ${what} lacks ${missing.join(", ")}`)];
}

/** Says why something is not an adapter; `null` if it may be one. */
export function adapterProblem(adapter: unknown): string | null {
  if (adapter === undefined || adapter === null) return null;
  const remedy = 'pass what an adapter returns, such as `sqliteAdapter("auth.db")`';
  if (isThenable(adapter)) return "it is a promise: `await` it";
  if (Array.isArray(adapter)) return `it is a list: ${remedy}`;
  switch (typeof adapter) {
    case "object":
      return hasOperations(adapter) ? null : clientProblem(adapter) ??
        `it is an object without any operation of an adapter: ${remedy}`;
    case "function":
      return kindOf(adapter) === "a class"
        ? `it is a class: ${remedy}`
        : 'it is a function: call it, as in `adapter: sqliteAdapter("auth.db")`';
    default:
      // The text may be a connection string, with a password.
      return `it is ${kindOf(adapter)}: ${remedy}`;
  }
}

// The clients of libraries for databases, which people take for adapters.
function clientProblem(given: object): string | null {
  const has = (...names: string[]) => names.every((name) => name in given);
  const pass = (client: string, adapter: string) => `it is ${client}: pass \`${adapter}\`, what its adapter returns`;
  if (has("$connect", "$transaction")) return pass("a Prisma client", "PrismaAdapter(prisma)");
  if (has("select", "insert", "update", "delete")) return pass("a database of Drizzle", "DrizzleAdapter(db)");
  return isModule(given) ? "it is a module: call the function of it that makes the adapter" : null;
}

const OPERATIONS = [
  "getUser",
  "createUser",
  "getUserByAccount",
  "createVerificationToken",
  "getSessionAndUser",
  "useVerificationToken",
];

function hasOperations(adapter: object): boolean {
  return OPERATIONS.some((name) => typeof (adapter as Readonly<Record<string, unknown>>)[name] === "function");
}

const FORMER_HINT = "pass what `betterAuth()` of @x/auth/migrate/better-auth has as `sessions`, or what " +
  "`nextAuthV4()` of @x/auth/migrate/next-auth-v4 returns";

function checkMigration(config: AuthConfig): ConfigError[] {
  const former: unknown = config.session?.migrateFrom;
  if (former === undefined || former === null) return [];
  if (!isObject(former) || typeof former.read !== "function" || !Array.isArray(former.cookies)) {
    return [invalid("`session.migrateFrom`", FORMER_HINT)];
  }
  if (strategyOf(config) !== "database" && typeof former.open !== "function") {
    const what = 'its sessions are rows, so set an `adapter` and `session.strategy: "database"`';
    return [invalid("`session.migrateFrom`", what)];
  }
  const specs = [...formerSpecs(true, former.cookies).values()];
  const [problem] = specs.flatMap(({ name, options }) => cookieProblem(name, options) ?? []);
  return problem ? [invalid("a cookie of `session.migrateFrom`", problem)] : [];
}

/** The longest time that a stored session is kept in memory, in seconds. */
const LONGEST_CACHE = 3600;

function checkCache(config: AuthConfig): ConfigError[] {
  const given: unknown = config.session?.cache;
  if (given === undefined || given === null) return [];
  if (strategyOf(config) !== "database") {
    const what = "it is for sessions in storage; with encrypted ones, set `session.revalidate`";
    return [invalid("`session.cache`", what)];
  }
  if (!isObject(given)) {
    return [invalid("`session.cache`", `it must be { seconds: 10 }, for example, not ${describeValue(given)}`)];
  }
  const { seconds } = given;
  const isWhole = typeof seconds === "number" && Number.isInteger(seconds);
  if (isWhole && seconds >= 1 && seconds <= LONGEST_CACHE) return [];
  const what = `it must be a whole number from 1 to ${LONGEST_CACHE}, not ${describeValue(seconds)}`;
  return [invalid("`session.cache.seconds`", what)];
}

// Browsers drop such a cookie, and nobody could sign in.
function insecureCookies({ cookies, useSecureCookies }: AuthConfig): ConfigError[] {
  return Object.entries(isObject(cookies) ? cookies : {}).flatMap(([role, cookie]) => {
    const options: unknown = isObject(cookie) ? cookie.options : undefined;
    if (!isObject(options) || options.sameSite !== "none") return [];
    if (options.secure === true || (options.secure !== false && useSecureCookies !== false)) return [];
    const cause = options.secure === false ? "`secure: false`" : "`useSecureCookies: false`";
    const what = `browsers drop a cookie with \`sameSite: "none"\` that is not secure; remove ${cause}`;
    return [invalid(`\`cookies.${role}\``, what)];
  });
}

function checkCookies({ cookies, useSecureCookies }: AuthConfig): ConfigError[] {
  if (!cookies) return [];
  const kinds = useSecureCookies === undefined ? [true, false] : [useSecureCookies];
  const problems = kinds.flatMap((secure) => cookieSetProblems(cookieSpecs(secure, cookies), secure, cookies));
  return [...new Set(problems)].map((message) => new InvalidConfig(message));
}

function cookieSetProblems(specs: CookieSpecs, secure: boolean, given: object): string[] {
  const names = new Map<string, string>();
  return Object.entries(specs).flatMap(([role, { name, options }]) => {
    const twin = names.get(name);
    names.set(name, role);
    if (twin) return [`Cannot use \`cookies.${role}.name\`: \`cookies.${twin}\` has the same name`];
    // A name with a prefix needs https. Over http browsers drop such a cookie, which is not a mistake in the configuration.
    const problem = cookieProblem(name, secure ? options : { ...options, secure: true });
    return problem && Object.hasOwn(given, role) ? [`Cannot use \`cookies.${role}\`: ${problem}`] : [];
  });
}

function invalid(what: string, problem: string): InvalidConfig {
  return new InvalidConfig(`Cannot use ${what}: ${problem}`);
}
