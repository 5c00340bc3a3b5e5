/**
 * The page where somebody sees, adds and removes their second factors.
 *
 * @module
 */
import { BadRequest } from "../kernel/errors.ts";
import type { RequestContext } from "../request/context.ts";
import type { Outcome } from "../request/outcome.ts";
import type { PointInput } from "../request/points.ts";
import type { DangerousAct } from "../sign_in/dangerous.ts";
import { beginApp, confirmApp } from "./apps.ts";
import { findEntry, removeFactor, renameFactor } from "./change.ts";
import { beginCodes, keepCodes } from "./codes.ts";
import { type ActInput, findOwner, type Owner } from "./owner.ts";
import type { SecondFactorSettings } from "./settings.ts";
import { answerUndo, openUndo } from "./undo.ts";
import { showFactors } from "./view.ts";
import { untilWritten } from "./write.ts";

/** Opens the page. */
export async function openFactors(
  ctx: RequestContext,
  input: PointInput,
  settings: SecondFactorSettings,
): Promise<Outcome> {
  const { query } = input;
  if (query.get("act") === "undo") return await openUndo(ctx, query.get("token") ?? "");
  const found = await findOwner(ctx, { act: "seeFactors", moment: "begun", input }, settings);
  if (found.act === "answer") return found.outcome;
  const { owner } = found;
  const isRemoval = query.get("act") === "remove";
  const factor = isRemoval ? findEntry(owner, { fields: { id: query.get("id") } }) : null;
  return await showFactors(ctx, owner, settings, factor ? { step: { kind: "remove", factor } } : {});
}

interface Flow {
  /** What it demands. */
  readonly act: DangerousAct;
  /** Gives `null` if somebody else has changed the factors meanwhile: then it is decided again. */
  readonly run: (
    ctx: RequestContext,
    owner: Owner,
    input: ActInput & Pick<PointInput, "resume">,
  ) => Promise<Outcome | null>;
}

/** What a form may do, by its field `act`. */
const FLOWS: Readonly<Record<string, Flow>> = {
  totp: { act: "prepareFactor", run: beginApp },
  confirm: { act: "addTotp", run: confirmApp },
  recovery: { act: "prepareFactor", run: beginCodes },
  keep: { act: "turnOnFactors", run: keepCodes },
  remove: { act: "removeFactor", run: removeFactor },
  rename: { act: "prepareFactor", run: renameFactor },
};

/** Answers the form. */
export async function answerFactors(
  ctx: RequestContext,
  input: PointInput,
  settings: SecondFactorSettings,
): Promise<Outcome> {
  const { fields, resume } = input;
  const name = typeof fields.act === "string" ? fields.act : "";
  if (name === "undo") return await answerUndo(ctx, typeof fields.token === "string" ? fields.token : "", settings);
  const flow = Object.hasOwn(FLOWS, name) ? FLOWS[name] : undefined;
  if (!flow) {
    throw new BadRequest(
      `Cannot change second factors: \`act\` is none of ${[...Object.keys(FLOWS), "undo"].join(", ")}`,
    );
  }
  return await untilWritten(async () => {
    const found = await findOwner(ctx, { act: flow.act, moment: "done", input }, settings);
    return found.act === "answer" ? found.outcome : await flow.run(ctx, found.owner, { fields, settings, resume });
  });
}
