/**
 * Asks the features whether a session may come into being. Every place where one does asks here.
 *
 * @module
 */
import { type Assurance, type Mint, type PointContext, pointsOf } from "../request/points.ts";
import { AccessDenied } from "../kernel/errors.ts";
import { withLevel } from "../session_stores/authentication.ts";
import { withMethods } from "./methods.ts";

/** The answer of the features that a sign-in can act on: one that refuses ends it. */
export type Assured = Exclude<Assurance, { act: "refuse" }> & {
  /** What features know to be proven besides, as RFC 8176 names it. */
  readonly methods: readonly string[];
};

/**
 * Asks the features which level acts demand that change who can get in as a user.
 *
 * @returns 2 if one of them asks the user for a second proof.
 */
export async function demandedLevel(config: PointContext["config"], userId: string): Promise<1 | 2> {
  if (!config.actsAt.has("demands")) return 1;
  for (const { demands } of await pointsOf(config)) if (await demands?.(config, userId) === 2) return 2;
  return 1;
}

/**
 * Asks each feature in turn. What one of them refuses, no other allows; what several miss has to be proven for all. What one
 * knows to be proven, the next one sees.
 *
 * @throws {AccessDenied} if one refuses.
 */
export async function assure(ctx: PointContext, mint: Mint): Promise<Assured> {
  const missing: (readonly string[])[] = [];
  const methods: string[] = [];
  for (const { mint: judge } of await pointsOf(ctx.config)) {
    if (!judge) continue;
    const answer = await judge(ctx, { ...mint, authentication: withLevel(withMethods(mint.authentication, methods)) });
    // Anything else is a fault of the feature, and lets nobody in.
    if (answer.act === "challenge") missing.push(answer.missing);
    else if (answer.act !== "enter") throw new AccessDenied(answer.message, { logCode: "sign-in-denied" });
    else methods.push(...answer.methods ?? []);
  }
  const [first, ...others] = missing;
  if (!first) return { act: "enter", methods };
  // One proof for all of them if there is one, otherwise one after another.
  const shared = first.filter((method) => others.every((other) => other.includes(method)));
  return { act: "challenge", missing: shared.length > 0 ? shared : [...new Set(missing.flat())], methods };
}
