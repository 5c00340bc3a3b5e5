/**
 * What the account page does: loaded at the first use.
 *
 * @module
 */
import type { Points } from "../request/points.ts";
import { notePasskeyUse } from "../sign_in/passkey_use.ts";
import { findings } from "./check.ts";
import { answerAccount, openAccount } from "./endpoint.ts";
import { accountFunctions } from "./functions.ts";
import { forgetDeletion, refuseDeleted } from "./deletion.ts";
import { linkTo } from "./menu.ts";
import { noteEntered } from "./seen.ts";
import type { AccountSettings } from "./settings.ts";

/** Makes what the feature does. */
export function makePoints(settings: AccountSettings): Points {
  return {
    entered: async (ctx, entered) => {
      if (settings.delete?.graceDays === 0) await forgetDeletion(ctx.config, entered.user.id);
      await noteEntered(ctx, entered, settings);
      const { user: { id: userId }, credentialID } = entered;
      if (userId && credentialID !== undefined) await notePasskeyUse(ctx.config, { userId, credentialID });
    },
    // Elsewhere a deletion that broke off is forgotten: other features may ask for sign-ins to be judged.
    ...(settings.delete && settings.delete.graceDays > 0 && { mint: refuseDeleted }),
    check: ({ config }) => findings(config, settings),
    page: (ctx, page) => linkTo(ctx, page),
    account: accountFunctions(settings),
    routes: {
      "GET account": (ctx, input) => openAccount(ctx, input, settings),
      "POST account": (ctx, input) => answerAccount(ctx, input, settings),
    },
  };
}
