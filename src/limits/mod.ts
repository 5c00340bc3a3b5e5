/**
 * What limits do: loaded at the first use.
 *
 * @module
 */
import type { Points } from "../request/points.ts";
import { makePoints as makePointsWith } from "./points.ts";
import type { LimitsSettings } from "./settings.ts";
import { newState } from "./state.ts";

/** Makes what the feature does. */
export function makePoints(settings: LimitsSettings): Points {
  return makePointsWith(settings, newState());
}
