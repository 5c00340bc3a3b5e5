/**
 * What second factors do: loaded at the first use.
 *
 * @module
 */
import type { Points } from "../request/points.ts";
import { administrationOf } from "./administration.ts";
import { answerChallenge, openChallenge } from "./challenge.ts";
import { findings } from "./check.ts";
import { answerFactors, openFactors } from "./enrolment.ts";
import { factorsOf, isOn } from "./factors.ts";
import { judgeSession, mayGoOn } from "./judge.ts";
import { stopLoss } from "./lost.ts";
import type { SecondFactorSettings } from "./settings.ts";
import { keepTrust } from "./trusted.ts";
import { upstreamWarnings } from "./upstream.ts";

/** Makes what the feature does. */
export function makePoints(settings: SecondFactorSettings): Points {
  return {
    mint: (ctx, mint) => judgeSession(ctx, mint, settings),
    demands: async (config, userId) => isOn(await factorsOf(config, userId)) ? 2 : 1,
    factors: administrationOf(settings),
    entered: async (ctx, entered) => {
      await stopLoss(ctx, entered, settings);
      await keepTrust(ctx, entered, settings);
    },
    continues: (auth, findUser) => mayGoOn(auth, findUser, settings),
    check: (about) => [...upstreamWarnings(about.config, settings), ...findings(about, settings)],
    routes: {
      "GET challenge": (ctx, input) => openChallenge(ctx, input, settings),
      "POST challenge": (ctx, input) => answerChallenge(ctx, input, settings),
      "GET factors": (ctx, input) => openFactors(ctx, input, settings),
      "POST factors": (ctx, input) => answerFactors(ctx, input, settings),
    },
  };
}
