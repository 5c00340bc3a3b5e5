/**
 * What the account page does: loaded at the first use.
 *
 * @module
 */
import type { Points } from "../request/points.ts";
import { answerAccount, openAccount } from "./endpoint.ts";
import type { AccountSettings } from "./settings.ts";

/** Makes what the feature does. */
export function makePoints(settings: AccountSettings): Points {
  return {
    routes: {
      "GET account": (ctx, input) => openAccount(ctx, input, settings),
      "POST account": (ctx, input) => answerAccount(ctx, input, settings),
    },
  };
}
