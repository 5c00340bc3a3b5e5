/**
 * The account page as functions, for the application.
 *
 * @module
 */
import type { AccountAdministration } from "../request/account_administration.ts";
import { findActor } from "../sign_in/actor.ts";
import { deleteDue } from "./deletion.ts";
import { viewOf } from "./overview.ts";
import { keepRemoved } from "./removed.ts";
import { runAct } from "./run_act.ts";
import type { AccountSettings } from "./settings.ts";
import { actNamed } from "./table.ts";

/** Makes the functions. */
export function accountFunctions(settings: AccountSettings): AccountAdministration {
  return {
    view: async (ctx) => {
      const found = await findActor(ctx, { act: "seeAccount", moment: "begun" });
      return found.act === "go-on" ? await viewOf(ctx, found.actor, settings) : found.act;
    },
    run: async (ctx, name, fields) => {
      const row = actNamed(name);
      if (!row) return { kind: "problem", problem: "not-found" };
      return await runAct(ctx, { name, row }, { fields, settings, byApplication: true });
    },
    deleteDue,
    keepRemoved,
  };
}
