/**
 * The endpoint of the account page.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { notFound, type Outcome } from "../request/outcome.ts";
import type { PointInput } from "../request/points.ts";
import type { AccountSettings } from "./settings.ts";

/** Opens the page. */
export async function openAccount(
  _ctx: RequestContext,
  _input: PointInput,
  _settings: AccountSettings,
): Promise<Outcome> {
  return await Promise.resolve(notFound());
}

/** Answers a form. */
export async function answerAccount(
  _ctx: RequestContext,
  _input: PointInput,
  _settings: AccountSettings,
): Promise<Outcome> {
  return await Promise.resolve(notFound());
}
