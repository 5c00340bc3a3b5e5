/**
 * Compares what somebody typed to show that a factor works.
 *
 * @module
 */
import { TooManyAttempts } from "../kernel/errors.ts";
import type { RequestContext } from "../request/context.ts";
import type { FactorsStep } from "../request/factor_views.ts";
import type { Outcome } from "../request/outcome.ts";
import type { Owner } from "./owner.ts";
import { judgeGuess, takeGuess } from "./judged_guess.ts";
import type { SecondFactorSettings } from "./settings.ts";
import { showFactors, showTooMany } from "./view.ts";

/** What is compared, and what follows. */
export interface Comparison<Right> {
  readonly settings: SecondFactorSettings;
  /** Makes the step that is shown again. */
  readonly step: () => Promise<FactorsStep>;
  /** Gives `null` if it is wrong. */
  readonly compare: () => Promise<Right | null>;
  readonly right: (found: Right) => Promise<Outcome | null>;
}

/** Compares, unless there were too many attempts. */
export async function guess<Right>(
  ctx: RequestContext,
  owner: Owner,
  { settings, step, compare, right }: Comparison<Right>,
): Promise<Outcome | null> {
  try {
    const guessed = await judgeGuess(ctx, { userId: owner.user.id, compare, isRight: (found) => found !== null });
    if (!guessed) return await showFactors(ctx, owner, settings, { step: await step(), problem: "too-many" });
    if (guessed.answer !== null) return await right(guessed.answer);
  } catch (error) {
    if (!(error instanceof TooManyAttempts)) throw error;
    return await showTooMany(ctx, owner, settings, { error, step: await step() });
  }
  return await showFactors(ctx, owner, settings, { step: await step(), problem: "wrong" });
}

/**
 * Counts what costs much to make, like a guess: whoever is signed in could keep the processors busy with it.
 *
 * @returns What somebody gets who has asked too often; `null` if it may be made.
 */
export async function refuseCostly(
  ctx: RequestContext,
  owner: Owner,
  settings: SecondFactorSettings,
): Promise<Outcome | null> {
  try {
    // Nobody says that it was right, so it stays counted.
    return await takeGuess(ctx, owner.user.id)
      ? null
      : await showFactors(ctx, owner, settings, { problem: "too-many" });
  } catch (error) {
    if (!(error instanceof TooManyAttempts)) throw error;
    return await showTooMany(ctx, owner, settings, { error, step: { kind: "list" } });
  }
}
