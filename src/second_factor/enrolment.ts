/**
 * To be written.
 *
 * @module
 */
import { notFound, type Outcome } from "../request/outcome.ts";
import type { PointInput } from "../request/points.ts";
import type { RequestContext } from "../request/context.ts";
import type { SecondFactorSettings } from "./settings.ts";

/** Opens the page. */
export function openFactors(
  _ctx: RequestContext,
  _input: PointInput,
  _settings: SecondFactorSettings,
): Promise<Outcome> {
  return Promise.resolve(notFound());
}

/** Answers the form. */
export function answerFactors(
  _ctx: RequestContext,
  _input: PointInput,
  _settings: SecondFactorSettings,
): Promise<Outcome> {
  return Promise.resolve(notFound());
}
