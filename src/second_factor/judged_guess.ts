/**
 * Guesses at a second factor: each is judged by the limits before anything is compared.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { type GuessEnd, mayGuess } from "../request/points.ts";
import { PROVIDER } from "./settings.ts";

/** What is compared, and which answers are right. */
export interface Compared<Answer> {
  /** Id of the user whose factor it is. */
  readonly userId: string;
  readonly compare: () => Promise<Answer>;
  readonly isRight: (answer: Answer) => boolean;
}

/**
 * Compares if the limits allow it, and tells them whether it was right.
 *
 * @returns `null` if nothing was compared, and nobody says why.
 * @throws {TooManyAttempts} if there were too many.
 */
export async function judgeGuess<Answer>(
  ctx: RequestContext,
  { userId, compare, isRight }: Compared<Answer>,
): Promise<{ readonly answer: Answer } | null> {
  const end = await takeGuess(ctx, userId);
  if (!end) return null;
  const answer = await compare();
  await end(isRight(answer));
  return { answer };
}

/** Takes one guess of a user. It stays counted until somebody says that it was right. */
export async function takeGuess(ctx: RequestContext, userId: string): Promise<GuessEnd | null> {
  return await mayGuess(ctx, { kind: "factor", provider: PROVIDER, subject: userId });
}
