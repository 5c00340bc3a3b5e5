/**
 * What the feature does at the points where it acts.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Warning } from "../config/warning.ts";
import { CallbackRouteError } from "../kernel/errors.ts";
import type { ChallengeView } from "../kernel/challenge_view.ts";
import type { RequestContext } from "../request/context.ts";
import type { Limited } from "../request/limited.ts";
import type { Entered, Guess, GuessAnswer, MailAnswer, MailAsked, Points } from "../request/points.ts";
import { isEmailProven } from "../sign_in/proven.ts";
import { MOST_NAMES, type NameAccount, typedAccounts } from "./account.ts";
import { type Act, ACTS, type Subject } from "./acts.ts";
import { actsOf } from "./challenge.ts";
import { findClient } from "./client.ts";
import { networksOf } from "./client_address.ts";
import { deviceOf, readDevice, rememberDevice } from "./device.ts";
import {
  type Asked,
  challengeAbout,
  IN_MEMORY,
  isProduction,
  judge,
  type Judged,
  judgeFirst,
  judgeKnown,
  pay,
} from "./judge.ts";
import { accountIds, userIds } from "./keys.ts";
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
  const { kind: act, provider, fields = {}, target } = guess;
  const state = stateFor(ctx.config, own);
  const names = namesOf(ctx, guess, settings);
  // Nobody signs in with so many, and each of them would cost.
  if (names.length > MOST_NAMES) return { act: "refuse" };
  const subject = await subjectOf(ctx, { act, names }, settings);
  const judged = ACTS[act].paidAfter
    ? await judgeKnown(ctx, subject, { settings, state })
    : (target && await judgeFirst(ctx, { subject, target }, { settings, state })) ||
      await judge(ctx, { subject, fields }, { settings, state });
  if (judged.act !== "pass") {
    await tellLimited(ctx, { act, provider, refused: judged.refused, told: state.told });
    return { act: "refuse", limited: await refusal(ctx, judged, { subject, fields }) };
  }
  return {
    act: "compare",
    done: async (isRight) => {
      if (ACTS[act].paidAfter) return isRight ? undefined : await pay(ctx, subject, { settings, state });
      // Only what this attempt took: a success says nothing about the attempts of others.
      if (isRight) state.ledger.giveBack(judged.taken, ctx.config.runtime.now());
    },
  };
}

async function judgeMail(ctx: RequestContext, mail: MailAsked, { settings, own }: Feature): Promise<MailAnswer> {
  const { provider, address, fields } = mail;
  const state = stateFor(ctx.config, own);
  const subject = await subjectOf(ctx, { act: "mail", names: [address] }, settings);
  const judged = await judge(ctx, { subject, fields }, { settings, state });
  const { refused } = judged;
  if (refused.length > 0) await tellLimited(ctx, { act: "mail", provider, refused, told: state.told });
  switch (judged.act) {
    case "pass":
      return { act: "send", failed: () => state.ledger.giveBack(judged.taken, ctx.config.runtime.now()) };
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
  const subject = await subjectOf(ctx, { act: "mail", names: [address] }, settings);
  return await show(ctx, { ...await challengeAbout(ctx.config, subject), debt: 1 });
}

async function refusal(ctx: RequestContext, judged: Judged, { subject, fields }: Asked): Promise<Limited> {
  const { refused, challenge, isSolvable } = judged;
  const { config } = ctx;
  const limited = limitedBy(refused, waysOf(config, judged), config.runtime.now());
  if (!challenge || !isSolvable) return limited;
  // How often a network was refused says nothing of who asks now.
  const debt = Math.max(1, ...refused.map(({ bucket, times }) => bucket.name === "network" ? 1 : times));
  const about = { ...await challengeAbout(config, subject), debt, fields };
  return { ...limited, challenge: await challenge.show(ctx, about) };
}

async function remember(
  ctx: RequestContext,
  { user, fields, address, provider, methods }: Entered,
  settings: LimitsSettings,
): Promise<void> {
  const typed = fields ? namesOf(ctx, { kind: "credentials", provider, subject: null, fields }, settings) : [];
  // Of several names, one may be somebody else's that nothing was compared with.
  const own = typed.length === 1 ? typed[0] : null;
  // Anybody can have the address of another at some provider.
  const names = [own, address, isEmailProven(user) ? user.email : null].filter((name) => typeof name === "string");
  const secrets = ctx.config.secrets.slice(0, 1);
  const accounts = (await Promise.all(names.map((name) => accountIds(secrets, name)))).flat();
  // Whoever only knows the password must not get more guesses at the second factor, however many browsers they use.
  const users = methods?.includes("mfa") && typeof user.id === "string" ? await userIds(secrets, user.id) : [];
  if (accounts.length > 0 || users.length > 0) await rememberDevice(ctx, { accounts, users });
}

function namesOf({ config }: RequestContext, guess: Guess, settings: LimitsSettings): readonly string[] {
  const { subject, provider: id, fields = {} } = guess;
  if (subject !== null) return [subject];
  const named = nameAccount(settings, fields, id);
  if (typeof named === "string" && named !== "") return [named];
  const provider = config.providers.get(id);
  return provider?.type === "credentials" ? typedAccounts(fields, provider) : [];
}

function nameAccount({ account }: LimitsSettings, ...asked: Parameters<NameAccount>): unknown {
  try {
    return account?.(...asked);
  } catch (cause) {
    // Closed: what makes it fail may be a guess that nothing counts.
    const message = "Cannot tell whose account it is: `account` of `limits()` failed";
    throw new CallbackRouteError(message, { cause, logCode: "callback-threw" });
  }
}

interface About {
  readonly act: Act;
  /** Whose it is, as it was typed. */
  readonly names: readonly string[];
}

async function subjectOf(ctx: RequestContext, { act, names }: About, settings: LimitsSettings): Promise<Subject> {
  const { address, how } = findClient(ctx, settings.clientAddress);
  // Second proofs are counted for their user alone.
  if (address === null && act !== "factor") {
    ctx.warn?.(["limits-address", `the address of a client is unknown: ${how}`], 1);
  }
  const idsOf = act === "factor" ? userIds : accountIds;
  const accounts = await Promise.all(names.map((name) => idsOf(ctx.config.secrets, name)));
  const ids = accounts.map(([newest = ""]) => newest);
  return {
    act,
    // Two spellings of one account count once.
    accounts: [...new Set(ids)],
    device: deviceOf(accounts.length > 0 ? await readDevice(ctx) : null, accounts),
    networks: address === null ? [] : networksOf(address),
    isSolved: false,
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
