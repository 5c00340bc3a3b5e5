/**
 * Decides whether a session needs a second proof.
 *
 * @module
 */
import type { Assurance, Mint, PointContext } from "../request/points.ts";
import { factorsOf, isOn } from "./factors.ts";
import type { SecondFactorSettings } from "./settings.ts";

/** Judges a session that is about to come into being. */
export async function judgeSession(
  { config }: PointContext,
  { user, evicts, authentication }: Mint,
  { require }: SecondFactorSettings,
): Promise<Assurance> {
  if (authentication.level >= 2) return { act: "enter" };
  const isEnrolled = !evicts && typeof user.id === "string" && isOn(await factorsOf(config, user.id));
  const isNeeded = isEnrolled || require === "always" ||
    (typeof require === "function" && await require(user, authentication));
  return isNeeded ? { act: "challenge", missing: ["mfa"] } : { act: "enter" };
}
