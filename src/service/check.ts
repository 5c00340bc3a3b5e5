/**
 * `auth.check()`: everything that is wrong with a service, before the first request.
 *
 * @module
 */
import type { ResolvedProvider } from "../config/resolved_provider.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Warning } from "../config/warning.ts";
import type { CheckedAdapter } from "../contract/adapter.ts";
import type { Storage } from "../storage/guard.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { AdapterError, AuthError, InvalidConfig, OAuthProviderError } from "../kernel/errors.ts";
import type { LogCode } from "../kernel/log_codes.ts";
import { causesOf } from "../kernel/log_line.ts";
import { clean, redactError } from "../kernel/redact.ts";
import { limitsByDefault } from "../limits/by_default.ts";
import { authorizationServer } from "../oauth_client/discovery.ts";
import type { RequestContext } from "../request/context.ts";
import { pointsOf } from "../request/points.ts";
import { copyError, problemsOf } from "./configure.ts";
import { hasGuard, UNGUARDED } from "./configured.ts";
import type { Engine } from "./engine.ts";
import { explained } from "./explained.ts";

/**
 * Checks a service: its configuration, its storage, and the metadata of its providers.
 *
 * @throws {InvalidConfig} with all `problems`, if there is any.
 */
export async function checkService(engine: Engine, request: Request | undefined): Promise<void> {
  if (engine.needsRequest && !request) {
    throw new InvalidConfig("Cannot check the configuration: a function chooses it, so pass a request to `check()`");
  }
  const problems = await problemsWith(engine, request);
  if (problems.length === 0) return;
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const lines = problems.map((problem) => `\n- ${sentenceOf(problem)}`);
  throw new InvalidConfig(`Cannot start: the check found ${count}${lines.join("")}`, {
    logCode: "check-failed",
    problems,
  });
}

async function problemsWith(engine: Engine, request: Request | undefined): Promise<readonly AuthError[]> {
  try {
    const { config, warn } = await engine.configured(request ?? null);
    const ctx = request ? await engine.open(request) : null;
    for (const warning of [...toldToStrangers(config), ...unlimited(config), ...await toldByFeatures(ctx, config)]) {
      warn(warning);
    }
    const found = await Promise.all([
      config.storage ? storageProblems(config, config.storage) : [],
      ...[...config.providersToCheck().values()].map((provider) => issuerProblem(config, provider)),
    ]);
    const known = ctx ? problemsOf(ctx) : config.problems;
    const unguarded = config.protect && !hasGuard(engine.source) ? [new InvalidConfig(NO_GUARD)] : [];
    const told = await Promise.all(known.map((problem) => explained(problem, config.runtime, engine.mount)));
    const problems = [...told, ...config.providerProblems].map(copyError);
    return [...problems, ...unguarded, ...found.flat().filter((problem) => problem !== null)];
  } catch (error) {
    if (error instanceof AuthError) return [error];
    throw error;
  }
}

const NO_GUARD = `${UNGUARDED[1]}, and do so before you call \`check()\``;

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
      for (const [name, read] of reads) if (storage.has(name)) await read();
      const ask = storage.guardIfPresent(FIND_PROBLEMS, texts) as (() => Promise<string[]>) | null;
      const found = await ask?.() ?? [];
      return found.map((problem) => new AdapterError(problem, { logCode: "storage-problem" }));
    });
  } catch (error) {
    // An adapter may say itself what is wrong, and what to do.
    if (error instanceof AdapterError && error.logCode && !WRAPPED.includes(error.logCode)) return [error];
    const cause = withoutSecrets(innermostOf(error));
    return [new AdapterError("Cannot read the storage of `adapter`", { cause, logCode: "storage-unreadable" })];
  }
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
function sentenceOf(problem: AuthError): string {
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
function toldToStrangers({ providers, storage }: Pick<ResolvedConfig, "providers" | "storage">): Warning[] {
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

async function toldByFeatures(ctx: RequestContext | null, config: ResolvedConfig): Promise<readonly Warning[]> {
  const all = await pointsOf(config);
  return (await Promise.all(all.map(({ check }) => check?.({ ctx, config }) ?? []))).flat();
}

/** Says what anybody may try as often as they like. */
function unlimited({ providers, features }: Pick<ResolvedConfig, "providers" | "features">): Warning[] {
  // The limits that are there by default are only for what this package checks itself.
  if (features.some((feature) => feature.id === "limits" && feature !== limitsByDefault)) return [];
  const open = [...providers.values()].filter(({ type }) => type === "credentials" || type === "email");
  if (open.length === 0) return [];
  const names = open.map(({ id }) => `"${id}"`).join(", ");
  return [[
    "limits-missing",
    `anybody may try as many passwords, and ask for as many emails, as they like at ${names}: add \`limits()\` of ` +
    '@x/auth/limits to `features`, or say there who counts: `limits({ off: "our proxy counts" })`',
  ]];
}
