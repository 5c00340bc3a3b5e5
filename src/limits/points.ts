/**
 * What the feature does at the points where it acts.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Warning } from "../config/warning.ts";
import { AdapterError } from "../kernel/errors.ts";
import type { ChallengeView } from "../request/challenge_view.ts";
import type { RequestContext } from "../request/context.ts";
import type { Limited } from "../request/limited.ts";
import type { Entered, Guess, GuessAnswer, MailAnswer, MailAsked, Points } from "../request/points.ts";
import { typedAccount } from "./account.ts";
import { type Act, ACTS, decide, type Standing, standingBefore, type Subject } from "./acts.ts";
import { actsOf, type ChallengeActs } from "./challenge.ts";
import { findClient } from "./client.ts";
import { networksOf } from "./client_address.ts";
import { deviceOf, readDevice, rememberDevice } from "./device.ts";
import { accountIds, keyedHash } from "./keys.ts";
import type { Taken } from "./ledger.ts";
import { limitedBy, waysOf } from "./refusal.ts";
import type { LimitsSettings } from "./settings.ts";
import { type State, stateFor, storedTake } from "./state.ts";
import { tellLimited } from "./told.ts";

/** Makes what the feature does. @param own What it knows where there is no storage. */
export function makePoints(settings: LimitsSettings, own: State): Points {
  const judges = (act: Act): boolean => settings.only?.has(act) ?? true;
  return {
    guess: async (ctx, guess) => judges(guess.kind) ? await judgeGuess(ctx, guess, { settings, own }) : COMPARE,
    mail: async (ctx, mail) => judges("mail") ? await judgeMail(ctx, mail, { settings, own }) : { act: "send" },
    again: (ctx, mail) => challengeToAskAgain(ctx, mail, settings),
    entered: (ctx, entered) => remember(ctx, entered, settings),
    check: ({ ctx, config }) => findings(ctx, config, settings),
  };
}

const COMPARE: GuessAnswer = { act: "compare" };

/** The feature as one request meets it. */
interface Feature {
  readonly settings: LimitsSettings;
  readonly own: State;
}

async function judgeGuess(ctx: RequestContext, guess: Guess, { settings, own }: Feature): Promise<GuessAnswer> {
  const { kind: act, provider, fields = {} } = guess;
  const state = stateFor(ctx.config, own);
  const subject = await subjectOf(ctx, { act, account: accountOf(ctx, guess, settings) }, settings);
  const judged = ACTS[act].paidAfter
    ? await judgeKnown(ctx, subject, { settings, state })
    : await judge(ctx, { subject, fields }, { settings, state });
  if (judged.act !== "pass") {
    await tellLimited(ctx, { act, provider, refused: judged.refused, told: state.told });
    return { act: "refuse", limited: await refusal(ctx, judged, { subject, fields }) };
  }
  return {
    act: "compare",
    done: async (isRight) => {
      if (ACTS[act].paidAfter) return isRight ? undefined : await pay(ctx, subject, { settings, state });
      // Only what this attempt took: a success says nothing about the attempts of others.
      if (isRight) state.ledger.giveBack(judged.taken);
    },
  };
}

async function judgeMail(ctx: RequestContext, mail: MailAsked, { settings, own }: Feature): Promise<MailAnswer> {
  const { provider, address, fields } = mail;
  const state = stateFor(ctx.config, own);
  const subject = await subjectOf(ctx, { act: "mail", account: address }, settings);
  const judged = await judge(ctx, { subject, fields }, { settings, state });
  const { refused } = judged;
  if (refused.length > 0) await tellLimited(ctx, { act: "mail", provider, refused, told: state.told });
  switch (judged.act) {
    case "pass":
      return { act: "send", failed: () => state.ledger.giveBack(judged.taken) };
    case "pretend":
      return { act: "pretend" };
    default:
      return { act: "refuse", limited: await refusal(ctx, judged, { subject, fields }) };
  }
}

async function challengeToAskAgain(
  ctx: RequestContext,
  { address }: Omit<MailAsked, "fields">,
  settings: LimitsSettings,
): Promise<ChallengeView | null> {
  if (!settings.challenge || !(settings.only?.has("mail") ?? true)) return null;
  const { show } = await actsOf(settings.challenge);
  const subject = await subjectOf(ctx, { act: "mail", account: address }, settings);
  return await show(ctx, { ...await challengeAbout(ctx.config, subject), debt: 1 });
}

async function refusal(ctx: RequestContext, judged: Judged, { subject, fields }: Asked): Promise<Limited> {
  const { refused, challenge, byAccount } = judged;
  const { config } = ctx;
  const limited = limitedBy(refused, waysOf(config, judged), config.runtime.now());
  if (!challenge || !byAccount) return limited;
  const debt = Math.max(1, ...refused.map(({ times }) => times));
  const about = { ...await challengeAbout(config, subject), debt, fields };
  return { ...limited, challenge: await challenge.show(ctx, about) };
}

async function remember(
  ctx: RequestContext,
  { user, fields, address, provider }: Entered,
  settings: LimitsSettings,
): Promise<void> {
  const typed = fields && accountOf(ctx, { kind: "credentials", provider, subject: null, fields }, settings);
  // An address counts as theirs if they have proven it: anybody can have the address of another at some provider.
  const isProven = "emailVerified" in user && Boolean(user.emailVerified);
  const names = [typed, address, isProven ? user.email : null].filter((name) => typeof name === "string");
  const ids = await Promise.all(names.map((name) => accountIds(ctx.config.secrets.slice(0, 1), name)));
  if (ids.length > 0) await rememberDevice(ctx, ids.flat());
}

function accountOf({ config }: RequestContext, guess: Guess, { account }: LimitsSettings): string | null {
  const { subject, provider: id, fields = {} } = guess;
  if (subject !== null) return subject;
  const named = account?.(fields, id);
  if (typeof named === "string" && named !== "") return named;
  const provider = config.providers.get(id);
  return provider?.type === "credentials" ? typedAccount(fields, provider) : null;
}

interface About {
  readonly act: Act;
  /** Whose it is, as it was typed. */
  readonly account: string | null;
}

async function subjectOf(ctx: RequestContext, { act, account }: About, settings: LimitsSettings): Promise<Subject> {
  const { address, how } = findClient(ctx, settings.clientAddress);
  if (address === null) ctx.warn?.(["limits-address", `the address of a client is unknown: ${how}`], 1);
  const ids = account === null ? [] : await accountIds(ctx.config.secrets, account);
  return {
    act,
    account: ids[0] ?? null,
    device: deviceOf(ids.length > 0 ? await readDevice(ctx) : null, ids),
    networks: address === null ? [] : networksOf(address),
    isSolved: false,
  };
}

interface Judging {
  readonly settings: LimitsSettings;
  readonly state: State;
}

/** What came of an act before it is done. */
export interface Judged extends Taken<Standing> {
  readonly act: "pass" | "pretend" | "refuse";
  /** Whether a challenge would help. */
  readonly byAccount: boolean;
  /** The challenge, if one would help. */
  readonly challenge: ChallengeActs | null;
}

interface Asked {
  readonly subject: Subject;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Judges an act. If a challenge helps and the form has its solution, it is judged as one that was solved. */
async function judge(ctx: RequestContext, { subject, fields }: Asked, judging: Judging): Promise<Judged> {
  const judged = await judgeOnce(ctx, subject, judging);
  const helps = judged.act === "pretend" || (judged.act === "refuse" && judged.byAccount);
  if (!judged.challenge || !helps || subject.isSolved) return judged;
  const about = { ...await challengeAbout(ctx.config, subject), fields };
  if (!await judged.challenge.verify(ctx, about)) return judged;
  return await judgeOnce(ctx, { ...subject, isSolved: true }, judging);
}

async function judgeOnce(ctx: RequestContext, subject: Subject, { settings, state }: Judging): Promise<Judged> {
  const { act } = subject;
  const standing = await hashed(ctx.config, standingBefore(subject, settings.rules));
  const now = new Date(ctx.config.runtime.now());
  const { refused, taken } = await takeFrom(ctx, { act, standing, now }, state);
  const challenge = settings.challenge && await actsOf(settings.challenge);
  const verdict = decide(subject, refused.map(({ bucket }) => bucket.name), challenge !== null);
  if (verdict.act !== "pass") state.ledger.giveBack(taken);
  return {
    act: verdict.act,
    byAccount: verdict.act === "refuse" && verdict.byAccount,
    challenge,
    refused,
    taken: verdict.act === "pass" ? taken : [],
  };
}

/** Judges by what this process knows, and takes nothing. */
async function judgeKnown(ctx: RequestContext, subject: Subject, { settings, state }: Judging): Promise<Judged> {
  const standing = await hashed(ctx.config, standingBefore(subject, settings.rules));
  const refused = state.ledger.refusing(standing, ctx.config.runtime.now());
  return { act: refused.length > 0 ? "refuse" : "pass", byAccount: false, challenge: null, refused, taken: [] };
}

async function pay(ctx: RequestContext, subject: Subject, { settings, state }: Judging): Promise<void> {
  const standing = await hashed(ctx.config, standingBefore(subject, settings.rules));
  const now = new Date(ctx.config.runtime.now());
  await takeFrom(ctx, { act: subject.act, standing, now }, state);
}

interface TakeFrom {
  readonly act: Act;
  readonly standing: readonly Standing[];
  readonly now: Date;
}

async function takeFrom(
  ctx: RequestContext,
  { act, standing, now }: TakeFrom,
  { ledger }: State,
): Promise<Taken<Standing>> {
  if (standing.length === 0) return { refused: [], taken: [] };
  const take = storedTake(ctx.config);
  if (!take) {
    if (isProduction(ctx.config)) ctx.warn?.(IN_MEMORY, 1);
    return await ledger.take(ledger.inMemory, standing, now);
  }
  try {
    return await ledger.take(take, standing, now);
  } catch (error) {
    if (!(error instanceof AdapterError) || ACTS[act].whenDown === "closed") throw error;
    ctx.config.logger.error(new AdapterError(DOWN, { cause: error, logCode: "limits-storage" }), ctx);
    return await ledger.take(ledger.inMemory, standing, now);
  }
}

const DOWN = "Cannot count attempts in storage: this process counts for itself";

const IN_MEMORY: Warning = [
  "limits-in-memory",
  "attempts are counted in the memory of each process, and forgotten when it ends: use an `adapter` that has `take`",
];

function isProduction({ runtime }: Pick<ResolvedConfig, "runtime">): boolean {
  return !["development", "test"].includes(runtime.env("NODE_ENV") ?? "");
}

async function hashed(
  { secrets: [secret = ""] }: Pick<ResolvedConfig, "secrets">,
  standing: readonly Standing[],
): Promise<readonly Standing[]> {
  return await Promise.all(standing.map(async (each) => ({ ...each, key: await keyedHash(secret, each.key) })));
}

async function challengeAbout(
  { secrets: [secret = ""] }: Pick<ResolvedConfig, "secrets">,
  { act, account, networks: [network] }: Subject,
): Promise<{ readonly subject: string; readonly network: string | null }> {
  const hash = (about: readonly unknown[]) => keyedHash(secret, JSON.stringify(["challenge", ...about]));
  return {
    subject: await hash(["subject", act, account]),
    network: network ? await hash(["network", network.name]) : null,
  };
}

function findings(
  ctx: RequestContext | null,
  config: ResolvedConfig,
  { clientAddress }: LimitsSettings,
): readonly Warning[] {
  const found: Warning[] = storedTake(config) || !isProduction(config) ? [] : [IN_MEMORY];
  if (!ctx) return found;
  const { address, how } = findClient(ctx, clientAddress);
  return [...found, ["limits-address", `the address of this client is ${address ?? "unknown"}: ${how}`]];
}
