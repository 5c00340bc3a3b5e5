/**
 * Decides whether a session needs a second proof.
 *
 * @module
 */
import type { SessionAuth } from "../contract/config.ts";
import { CallbackRouteError } from "../kernel/errors.ts";
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
  const { trustDays } = settings;
  if (authentication.level >= 2) return { act: "enter" };
  if (isUpstreamEnough(mint, settings)) return { act: "enter", methods: ["mfa"] };
  const isDemanded = await demands(settings, user, authentication);
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
  settings: Pick<SecondFactorSettings, "require">,
): Promise<boolean> {
  if (auth.level >= 2 || settings.require === "enrolled") return true;
  if (settings.require === "always") return false;
  return !await demands(settings, await findUser(), auth);
}

/** Whether a second proof is demanded of somebody, whether they have enrolled or not. */
async function demands(
  { require }: Pick<SecondFactorSettings, "require">,
  user: User,
  auth: SessionAuth,
): Promise<boolean> {
  if (typeof require !== "function") return require === "always";
  try {
    return await require(user, auth);
  } catch (cause) {
    const message = "Cannot tell whether a second proof is needed: `require` of `secondFactor` failed";
    throw new CallbackRouteError(message, { cause, logCode: "callback-threw" });
  }
}
