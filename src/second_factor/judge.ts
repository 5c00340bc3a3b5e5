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
  const { require: demand, trustDays } = settings;
  if (authentication.level >= 2) return { act: "enter" };
  if (isUpstreamEnough(mint, settings)) return { act: "enter", methods: ["mfa"] };
  const isDemanded = demand === "always" || (typeof demand === "function" && await demand(user, authentication));
  const enrolled = !evicts && typeof user.id === "string" && isOn(await factorsOf(ctx.config, user.id))
    ? user.id
    : null;
  if (!isDemanded && enrolled === null) return { act: "enter" };
  // Where it is demanded whoever they are, a session without it would not go on.
  const mayBeTrusted = !isDemanded && trustDays !== null && enrolled !== null;
  if (mayBeTrusted && await trusts(ctx, enrolled)) return { act: "enter" };
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
  { require: demand }: Pick<SecondFactorSettings, "require">,
): Promise<boolean> {
  if (auth.level >= 2 || demand === "enrolled") return true;
  return demand !== "always" && !await demand(await findUser(), auth);
}
