/**
 * What a service can tell of itself: its storage, the metadata of its providers, and what strangers learn.
 *
 * @module
 */
import { passwordProviderOf } from "../config/password_provider.ts";
import type { ResolvedProvider } from "../config/resolved_provider.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Warning } from "../config/warning.ts";
import type { CheckedAdapter } from "../contract/adapter.ts";
import type { Storage } from "../storage/guard.ts";
import { isLoopback } from "../http/origin.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { AdapterError, AuthError, OAuthProviderError } from "../kernel/errors.ts";
import { type Load, once } from "../kernel/load.ts";
import type { LogCode } from "../kernel/log_codes.ts";
import { causesOf } from "../kernel/log_line.ts";
import { clean, redactError } from "../kernel/redact.ts";
import { authorizationServer } from "../oauth_client/discovery.ts";
import { passwordHash } from "../passwords/work.ts";
import { findPassword } from "../sign_in/stored_password.ts";
import { randomUuid } from "../crypto/random.ts";
import type { RequestContext } from "../request/context.ts";
import { pointsOf } from "../request/points.ts";
import type { Fact } from "./facts.ts";
import { defaultLimits } from "./late_modules.ts";

/** What the check tells besides mistakes. No request needs it. */
export const facts: Load<typeof import("./facts.ts")> = once(() => import("./facts.ts"));

/** Finds what is wrong with what is outside of the program: its storage, and its providers. */
export async function outerProblems(config: ResolvedConfig): Promise<readonly AuthError[]> {
  const found = await Promise.all([
    config.storage ? storageProblems(config, config.storage) : [],
    passwordProblem(config),
    ...[...config.providersToCheck().values()].map((provider) => issuerProblem(config, provider)),
  ]);
  return found.flat().filter((problem) => problem !== null);
}

/** Says why no password could be hashed or found here. */
async function passwordProblem(config: ResolvedConfig): Promise<AuthError | null> {
  const provider = passwordProviderOf(config);
  if (!provider) return null;
  const { runtime, timeouts } = config;
  const { hash, store } = provider.passwords;
  try {
    if (!hash) await passwordHash(provider.passwords, runtime).make("");
    // As for an address that has no user. If that failed, strangers would learn who is known.
    const find = () => findPassword(config, randomUuid(runtime));
    if (store) await withDeadline(runtime, timeouts.total, "`store.get`", find);
    return null;
  } catch (error) {
    if (error instanceof AuthError) return error;
    throw error;
  }
}

/** All that the check finds, for the command `doctor`. */
export interface InnerFindings {
  readonly problems: readonly AuthError[];
  /** What works but deserves a look. */
  readonly warnings: readonly Warning[];
  /** What is so by design. */
  readonly notes: readonly Warning[];
  /** What can be told of the service besides. */
  readonly facts: readonly Fact[];
}

/** Checks a service. @param known What is known to be wrong with its configuration, or with the host. */
export async function innerFindings(ctx: RequestContext, known: readonly AuthError[]): Promise<InnerFindings> {
  const { config } = ctx;
  const problems = [...known, ...config.providerProblems, ...await outerProblems(config)];
  // A provider that is left out is a problem, and a warning that repeats it.
  const isNew = ([, says]: Warning) => !problems.some(({ message }) => says.includes(message));
  const odd = await oddities(config, ctx);
  const warnings = [...config.warnings, ...odd.filter((each) => !isSeen(each))].filter(isNew);
  const notes = [...toldToStrangers(config), ...odd.filter(isSeen)];
  return { problems, warnings, notes, facts: await (await facts()).factsOf(config, ctx) };
}

// Whether an address is the right one, only who knows the network can tell.
function isSeen([code]: Warning): boolean {
  return code === "limits-address";
}

/** Cookies that have to come back with a browser that a provider sends. */
const OF_FLOWS: readonly string[] = ["state", "nonce", "pkceCodeVerifier"];

/** Lists what works but deserves a look. @param ctx The request that is looked at, if there is one. */
export async function oddities(config: ResolvedConfig, ctx: RequestContext | null): Promise<Warning[]> {
  const all = await pointsOf(config);
  const told = await Promise.all(all.map(({ check }) => check?.({ ctx, config }) ?? []));
  return [...weaknesses(config), ...await unlimited(config), ...told.flat()];
}

/** Lists what the doctor would say from outside, as far as it shows here: the address, and cookies. */
export function weaknesses({ origin, cookies, providers }: OddConfig): Warning[] {
  const comesBack = [...providers.values()].some(({ type }) => type === "oauth" || type === "oidc");
  const weak = Object.entries(cookies.secure).flatMap(([role, { options: { httpOnly, sameSite, path } }]): string[] => {
    const isOfFlow = OF_FLOWS.includes(role);
    return [
      ...(httpOnly === false ? [`\`cookies.${role}\` has \`httpOnly: false\`: scripts can read it`] : []),
      ...(sameSite === "none" && !isOfFlow
        ? [`\`cookies.${role}\` has \`sameSite: "none"\`: other sites can use it`]
        : []),
      ...(sameSite === "strict" && isOfFlow && comesBack
        ? [`\`cookies.${role}\` has \`sameSite: "strict"\`: it is not there when a provider sends the browser back`]
        : []),
      ...(role === "sessionToken" && path !== "/"
        ? [`\`cookies.${role}\` has another \`path\` than "/": pages elsewhere do not see who is signed in`]
        : []),
    ];
  });
  const told = weak.map((says): Warning => ["cookie-weak", says]);
  const own = origin === null ? null : URL.parse(origin);
  if (own?.protocol !== "http:" || isLoopback(own.hostname)) return told;
  return [
    ...told,
    ["origin-insecure", `AUTH_URL is ${own.origin}: anybody on the way reads the cookies, so serve the site by https`],
  ];
}

type OddConfig = Pick<ResolvedConfig, "origin" | "cookies"> & {
  readonly providers: ReadonlyMap<string, Pick<ResolvedProvider, "type">>;
};

/** An address that belongs to nobody (RFC 6761, section 6.4). */
const NOBODY = "check@auth.invalid";

/** Codes of errors in which others are wrapped. */
const WRAPPED: readonly string[] = ["adapter-failed", "adapter-answer"] satisfies LogCode[];

// Not an operation: it is guarded as one.
const FIND_PROBLEMS = "findProblems" satisfies keyof CheckedAdapter as string as "getUser";

// Reads that every kind of storage answers, with any type of id. They open the storage and find its tables.
async function storageProblems({ runtime, timeouts }: ResolvedConfig, storage: Storage): Promise<AuthError[]> {
  const reads = [
    ["getUserByEmail", () => storage.getUserByEmail(NOBODY)],
    ["getUserByAccount", () => storage.getUserByAccount({ provider: "check", providerAccountId: "check" })],
    ["getSessionAndUser", () => storage.getSessionAndUser("check")],
  ] as const;
  try {
    return await withDeadline(runtime, timeouts.total, "the storage", async () => {
      try {
        for (const [name, read] of reads) if (storage.has(name)) await read();
      } catch (error) {
        if (!(error instanceof AdapterError) || error.logCode !== "storage-tables") throw error;
        // The first that is missing. The adapter may know the statements for all.
        return [error, ...await askStorage(storage).catch(() => [])];
      }
      return await askStorage(storage);
    });
  } catch (error) {
    // An adapter may say itself what is wrong, and what to do.
    if (error instanceof AdapterError && error.logCode && !WRAPPED.includes(error.logCode)) return [error];
    const cause = withoutSecrets(innermostOf(error));
    return [new AdapterError("Cannot read the storage of `adapter`", { cause, logCode: "storage-unreadable" })];
  }
}

async function askStorage(storage: Storage): Promise<AdapterError[]> {
  const ask = storage.guardIfPresent(FIND_PROBLEMS, texts) as (() => Promise<string[]>) | null;
  const found = await ask?.() ?? [];
  return found.map((problem) => new AdapterError(problem, { logCode: "storage-problem" }));
}

function texts(answer: unknown): string[] {
  return Array.isArray(answer) ? answer.filter((each) => typeof each === "string") : [];
}

async function issuerProblem(config: ResolvedConfig, provider: ResolvedProvider): Promise<AuthError | null> {
  if ((provider.type !== "oauth" && provider.type !== "oidc") || !provider.wellKnown) return null;
  try {
    await authorizationServer(config, provider);
    return null;
  } catch (error) {
    if (error instanceof AuthError) return error;
    return new OAuthProviderError(`Cannot read the metadata of provider "${provider.id}"`, { cause: error });
  }
}

// The error that the driver threw, without what wraps it.
function innermostOf(error: unknown): unknown {
  return causesOf(error).findLast((each) => each instanceof Error);
}

// Programs print this error when they stop, with all that the driver has put into its own.
function withoutSecrets(error: unknown): unknown {
  return error instanceof Error ? redactError(error) : error;
}

/** The sentence of a problem, and that of what caused it. */
export function sentenceOf(problem: AuthError): string {
  const said = [problem.message];
  for (const error of [problem.cause?.err, innermostOf(problem)]) {
    const sentence = error instanceof Error ? firstLineOf(error) : "";
    if (sentence !== "" && !said.some((other) => other.includes(sentence))) said.push(sentence);
  }
  return clean(said.join(": "));
}

// The rest of a driver's message may be a statement with its values.
function firstLineOf({ message }: Error): string {
  return message.split("\n", 1)[0]?.slice(0, 300) ?? "";
}

/** Lists the answers by which strangers learn that an address has a user, and why they are given. */
export function toldToStrangers({ providers, storage }: Pick<ResolvedConfig, "providers" | "storage">): Warning[] {
  if (!storage) return [];
  const all = [...providers.values()];
  const told: Warning[] = all.flatMap((provider) => {
    if (provider.type !== "webauthn" || !provider.registersStrangers || provider.confirms) return [];
    return [[
      "registration-tells",
      `provider "${provider.id}" registers strangers at once: whoever creates a passkey with an address learns whether it ` +
      "has a user, because only one without becomes a user. Set `confirm: true` to answer all of them by email, or " +
      '`registration: "signed-in"`',
    ]];
  });
  if (!all.some(({ type }) => type === "oauth" || type === "oidc")) return told;
  return [...told, [
    "linking-tells",
    "whoever signs in with an account whose address another user has is told so (`OAuthAccountNotLinked`), because its " +
    "owner could not know otherwise that they have to sign in as before. So who can enter any address at a provider can " +
    "find out here which have a user",
  ]];
}

/** Says what anybody may try as often as they like. */
async function unlimited({ providers, features }: Pick<ResolvedConfig, "providers" | "features">): Promise<Warning[]> {
  const { limitsByDefault, limitsWithPasswords } = await defaultLimits();
  const byDefault = [limitsByDefault, limitsWithPasswords];
  // The limits that are there by default are only for what this package checks itself.
  if (features.some((feature) => feature.id === "limits" && !byDefault.includes(feature))) return [];
  const limitsMail = features.includes(limitsWithPasswords);
  const open = [...providers.values()].filter((provider) => {
    return provider.type === "email" ? !limitsMail : provider.type === "credentials" && !provider.passwords;
  });
  if (open.length === 0) return [];
  const names = open.map(({ id }) => `"${id}"`).join(", ");
  return [[
    "limits-missing",
    `anybody may try as many passwords, and ask for as many emails, as they like at ${names}: add \`limits()\` of ` +
    '@x/auth/limits to `features`, or say there who counts: `limits({ off: "our proxy counts" })`',
  ]];
}
