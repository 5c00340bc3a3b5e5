/**
 * Decides whether a session needs a second proof.
 *
 * @module
 */
import type { SessionAuth } from "../contract/config.ts";
import type { User } from "../kernel/model.ts";
import type { Assurance, Mint, PointContext } from "../request/points.ts";
import { factorsOf, isOn } from "./factors.ts";
import type { SecondFactorSettings } from "./settings.ts";
import { trusts } from "./trusted.ts";
import { isUpstreamEnough } from "./upstream.ts";

/** Judges a session that is about to come into being. */
export async function judgeSession(
  ctx: PointContext,
  mint: Mint,
  settings: SecondFactorSettings,
): Promise<Assurance> {
  const { user, evicts, authentication } = mint;
  const { require, trustDays } = settings;
  if (authentication.level >= 2) return { act: "enter" };
  if (isUpstreamEnough(mint, settings)) return { act: "enter", methods: ["mfa"] };
  const isEnrolled = !evicts && typeof user.id === "string" && isOn(await factorsOf(ctx.config, user.id));
  const isNeeded = isEnrolled || require === "always" ||
    (typeof require === "function" && await require(user, authentication));
  if (!isNeeded) return { act: "enter" };
  // Where everybody is asked, its session would not go on.
  const mayBeTrusted = trustDays !== null && require !== "always" && !evicts;
  if (mayBeTrusted && typeof user.id === "string" && await trusts(ctx, user.id)) return { act: "enter" };
  return { act: "challenge", missing: ["mfa"] };
}

/**
 * Whether a session goes on that is read. One of somebody who has enrolled since goes on: they chose whether it does.
 *
 * @param findUser Reads the user from storage.
 */
export async function mayGoOn(
  auth: SessionAuth,
  findUser: () => Promise<User>,
  { require }: Pick<SecondFactorSettings, "require">,
): Promise<boolean> {
  if (auth.level >= 2 || require === "enrolled") return true;
  return require !== "always" && !await require(await findUser(), auth);
}
