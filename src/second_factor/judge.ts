/**
 * Decides whether a session needs a second proof.
 *
 * @module
 */
import type { Assurance, Mint, PointContext } from "../request/points.ts";
import { factorsOf, isOn } from "./factors.ts";
import type { SecondFactorSettings } from "./settings.ts";
import { trusts } from "./trusted.ts";

/** Judges a session that is about to come into being. */
export async function judgeSession(
  ctx: PointContext,
  { user, evicts, authentication }: Mint,
  { require, trustDays }: SecondFactorSettings,
): Promise<Assurance> {
  if (authentication.level >= 2) return { act: "enter" };
  const isEnrolled = !evicts && typeof user.id === "string" && isOn(await factorsOf(ctx.config, user.id));
  const isNeeded = isEnrolled || require === "always" ||
    (typeof require === "function" && await require(user, authentication));
  if (!isNeeded) return { act: "enter" };
  // Where everybody is asked, its session would not go on.
  const mayBeTrusted = trustDays !== null && require !== "always" && !evicts;
  if (mayBeTrusted && typeof user.id === "string" && await trusts(ctx, user.id)) return { act: "enter" };
  return { act: "challenge", missing: ["mfa"] };
}
