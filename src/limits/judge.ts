/**
 * Judges an act by its buckets, and by the solution of a challenge.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Warning } from "../config/warning.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { AdapterError, Timeout } from "../kernel/errors.ts";
import type { RequestContext } from "../request/context.ts";
import { type Act, ACTS, decide, type Standing, standingBefore, standingBeforeFirst, type Subject } from "./acts.ts";
import { actsOf, type ChallengeActs } from "./challenge.ts";
import { keyedHash } from "./keys.ts";
import type { Taken } from "./ledger.ts";
import type { LimitsSettings } from "./settings.ts";
import { type State, storedTake } from "./state.ts";

/** What an act is judged by. */
export interface Judging {
  readonly settings: LimitsSettings;
  readonly state: State;
}

/** What came of an act before it is done. */
export interface Judged extends Taken<Standing> {
  readonly act: "pass" | "pretend" | "refuse";
  /** Whether a challenge would help. */
  readonly isSolvable: boolean;
  /** The challenge, if one would help. */
  readonly challenge: ChallengeActs | null;
}

/** What is judged, and what was typed. */
export interface Asked {
  readonly subject: Subject;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Judges an act. If a challenge helps and the form has its solution, it is judged as one that was solved. */
export async function judge(ctx: RequestContext, { subject, fields }: Asked, judging: Judging): Promise<Judged> {
  const judged = await judgeOnce(ctx, subject, judging);
  const helps = judged.act === "pretend" || (judged.act === "refuse" && judged.isSolvable);
  if (!judged.challenge || !helps || subject.isSolved) return judged;
  const about = { ...await challengeAbout(ctx.config, subject), fields };
  if (!await judged.challenge.verify(ctx, about)) return judged;
  return await judgeOnce(ctx, { ...subject, isSolved: true }, judging);
}

/** Judges the first guess at a code, which is the network's only; `null` if it is not the first, or is refused. */
export async function judgeFirst(
  ctx: RequestContext,
  { subject, target }: { readonly subject: Subject; readonly target: string },
  { settings, state }: Judging,
): Promise<Judged | null> {
  const { act } = subject;
  const first = await hashed(ctx.config, standingBeforeFirst(act, target));
  const nobodys = { ...subject, accounts: [], device: null };
  const standing = [...first, ...await hashed(ctx.config, standingBefore(nobodys, settings.rules))];
  const now = new Date(ctx.config.runtime.now());
  const { refused, taken } = await takeFrom(ctx, { act, standing, now }, state);
  if (refused.length === 0) {
    // It stays the first, right or wrong.
    const returned = taken.filter((bucket) => !first.includes(bucket));
    return { act: "pass", isSolvable: false, challenge: null, refused, taken: returned };
  }
  state.ledger.giveBack(taken, now.getTime());
  return null;
}

async function judgeOnce(ctx: RequestContext, subject: Subject, { settings, state }: Judging): Promise<Judged> {
  const { act } = subject;
  const standing = await hashed(ctx.config, standingBefore(subject, settings.rules));
  const now = new Date(ctx.config.runtime.now());
  const { refused, taken } = await takeFrom(ctx, { act, standing, now }, state);
  const challenge = settings.challenge && await actsOf(settings.challenge);
  const verdict = decide(subject, refused.map(({ bucket }) => bucket.name), challenge !== null);
  if (verdict.act !== "pass") state.ledger.giveBack(taken, now.getTime());
  return {
    act: verdict.act,
    isSolvable: verdict.act === "refuse" && verdict.isSolvable,
    challenge,
    refused,
    taken: verdict.act === "pass" ? taken : [],
  };
}

/** Judges by what this process knows, and takes nothing. */
export async function judgeKnown(ctx: RequestContext, subject: Subject, { settings, state }: Judging): Promise<Judged> {
  const standing = await hashed(ctx.config, standingBefore(subject, settings.rules));
  const refused = state.ledger.refusing(standing, ctx.config.runtime.now());
  return { act: refused.length > 0 ? "refuse" : "pass", isSolvable: false, challenge: null, refused, taken: [] };
}

/** Takes from the buckets of an act that has turned out to be wrong. */
export async function pay(ctx: RequestContext, subject: Subject, { settings, state }: Judging): Promise<void> {
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
  const { whenDown } = ACTS[act];
  try {
    const asking = () => ledger.take(take, standing, now);
    return await (whenDown === "closed" ? asking() : withinReason(ctx, asking));
  } catch (error) {
    if (!(error instanceof AdapterError || error instanceof Timeout)) throw error;
    // As where the adapter has no `take`: a new version of this package must not close what worked before it.
    if (error.logCode === "storage-tables") {
      ctx.warn?.(UNMIGRATED, 1);
      return await ledger.take(ledger.inMemory, standing, now);
    }
    if (whenDown === "closed") throw error;
    ctx.config.logger.error(new AdapterError(DOWN, { cause: error, logCode: "limits-storage" }), ctx);
    return await ledger.take(ledger.inMemory, standing, now);
  }
}

/** The part of `timeouts.total` that storage may take where this process can count as well. */
const PATIENCE = 1 / 4;

// Storage that is down does not always say so.
function withinReason<T>({ config }: RequestContext, run: () => Promise<T>): Promise<T> {
  return withDeadline(config.runtime, config.timeouts.total * PATIENCE, "`take` of `adapter`", run);
}

const DOWN = "Cannot count attempts in storage: this process counts for itself";

/** What is said where storage cannot count. */
export const IN_MEMORY: Warning = [
  "limits-in-memory",
  "attempts are counted in the memory of each process, and forgotten when it ends: use an `adapter` that has `take`",
];

const UNMIGRATED: Warning = [
  "limits-in-memory",
  "attempts are counted in the memory of each process, and forgotten when it ends: the table of buckets is missing. Call " +
  "`migrate()` once, or print the tables again",
];

/** Whether the program may serve strangers. */
export function isProduction({ runtime }: Pick<ResolvedConfig, "runtime">): boolean {
  return !["development", "test"].includes(runtime.env("NODE_ENV") ?? "");
}

async function hashed(
  { secrets: [secret = ""] }: Pick<ResolvedConfig, "secrets">,
  standing: readonly Standing[],
): Promise<readonly Standing[]> {
  return await Promise.all(standing.map(async (each) => ({ ...each, key: await keyedHash(secret, each.key) })));
}

/** Names what a challenge is for. */
export async function challengeAbout(
  { secrets: [secret = ""] }: Pick<ResolvedConfig, "secrets">,
  { act, accounts, networks: [network] }: Subject,
): Promise<{ readonly subject: string; readonly network: string | null }> {
  const hash = (about: readonly unknown[]) => keyedHash(secret, JSON.stringify(["challenge", ...about]));
  return {
    subject: await hash(["subject", act, ...accounts]),
    network: network ? await hash(["network", network.name]) : null,
  };
}
