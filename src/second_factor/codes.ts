/**
 * Makes recovery codes. With the first ones that somebody has kept, a second proof is asked of them.
 *
 * @module
 */
import { openAtRest, sealAtRest } from "../crypto/at_rest.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { RequestContext } from "../request/context.ts";
import type { Outcome } from "../request/outcome.ts";
import type { PointInput } from "../request/points.ts";
import { actionUrl } from "../request/links.ts";
import { redirectTo } from "../request/outcome.ts";
import { raiseSession } from "../sign_in/step_up.ts";
import { countedCodes, type Factor, factorsOf, newFactorId, type RecoveryFactor, recoveryIdOf } from "./factors.ts";
import { guess, refuseCostly } from "./guess.ts";
import { endLoss } from "./lost.ts";
import { tellAdded } from "./mails.ts";
import { type ActInput, begunFactor, type Owner } from "./owner.ts";
import { checkLastFour, lastFourOf, makeRecoveryCodes, RECOVERY_CODES } from "./recovery.ts";
import type { SecondFactorSettings } from "./settings.ts";
import { appsOf, showDone, showFactors } from "./view.ts";
import { endOtherSessions, planOf, write } from "./write.ts";

const PURPOSE = "end of a recovery code";

/** Makes ten codes that count for nothing until the end of one was typed back. Those that count stay until then. */
export async function beginCodes(ctx: RequestContext, owner: Owner, { settings }: ActInput): Promise<Outcome | null> {
  // Codes alone are no second factor.
  if (appsOf(owner).length + owner.passkeys.length === 0) return await showFactors(ctx, owner, settings);
  const refused = await refuseCostly(ctx, owner, settings);
  if (refused) return refused;
  const { config } = ctx;
  const { runtime } = config;
  const id = newFactorId(config);
  const { codes, hashes } = await makeRecoveryCodes(runtime);
  const ask = 1 + (runtime.random(new Uint8Array(1))[0] ?? 0) % RECOVERY_CODES;
  const sealedEnd = await sealAtRest(
    config.sealer,
    { purpose: PURPOSE, owner: id },
    lastFourOf(codes[ask - 1] ?? ""),
  );
  // Hashes take a while, so everything is looked at again.
  const factors = await factorsOf(config, owner.user.id);
  const { draft, ...common } = begunFactor(config, owner, id);
  const set: RecoveryFactor = { ...common, type: "recovery", draft: { ...draft, ask, sealedEnd }, hashes };
  // An application has to last as long as the codes that make it count.
  const apps = factors.filter(({ type, draft }) =>
    type === "totp" && draft?.hasWorked && draft.boundTo === owner.browser
  );
  const put = [set, ...apps.map((app) => ({ ...app, draft: app.draft && { ...app.draft, expires: draft.expires } }))];
  const remove = factors.filter((factor) => isDraftSet(factor, owner));
  if (!await write(ctx, owner, { put, remove })) return null;
  return await showFactors(ctx, owner, settings, { step: { kind: "recovery-codes", codes, ask } });
}

function isDraftSet(factor: Factor, { browser }: Owner): factor is RecoveryFactor {
  return factor.type === "recovery" && factor.draft?.boundTo === browser;
}

/** Takes the end of one of the codes, typed back. */
export async function keepCodes(
  ctx: RequestContext,
  owner: Owner,
  { fields, settings, resume }: ActInput & Pick<PointInput, "resume">,
): Promise<Outcome | null> {
  const set = owner.factors.find((factor) => isDraftSet(factor, owner));
  const end = set && await endOf(ctx.config, set);
  const ask = set?.draft?.ask;
  if (!set || !end || ask === undefined) return await showFactors(ctx, owner, settings, { problem: "expired" });
  return await guess(ctx, owner, {
    settings,
    step: () => Promise.resolve({ kind: "recovery-codes-again", ask }),
    compare: () => {
      const { code } = fields;
      return Promise.resolve(typeof code === "string" && checkLastFour(code.slice(0, 100), end) ? set : null);
    },
    right: async (set) => {
      const keepsSessions = Boolean(fields.keepSessions);
      if (owner.isOn) return await replaceCodes(ctx, owner, { set, settings, keepsSessions });
      return await turnOn(ctx, owner, { set, settings, keepsSessions, resume });
    },
  });
}

async function endOf(
  { sealer }: Pick<ResolvedConfig, "sealer">,
  { id, draft }: RecoveryFactor,
): Promise<string | null> {
  return draft?.sealedEnd ? await openAtRest(sealer, { purpose: PURPOSE, owner: id }, draft.sealedEnd) : null;
}

interface Kept {
  readonly set: RecoveryFactor;
  readonly settings: SecondFactorSettings;
  readonly keepsSessions: boolean;
}

async function countedSet({ draft: _, ...set }: RecoveryFactor, version: number): Promise<RecoveryFactor> {
  return { ...set, id: await recoveryIdOf(set.userId), version, isConfirmed: true };
}

async function replaceCodes(
  ctx: RequestContext,
  owner: Owner,
  { set, settings, keepsSessions }: Kept,
): Promise<Outcome | null> {
  const before = countedCodes(owner.factors);
  const id = await recoveryIdOf(owner.user.id);
  const after = await countedSet(set, before?.id === id ? before.version : 0);
  const others = before && before.id !== id ? [before] : [];
  if (!keepsSessions) await endOtherSessions(ctx, owner);
  if (!await write(ctx, owner, { put: [after], remove: [set, ...others] })) return null;
  // A link cannot bring back the codes before.
  await tellAdded(ctx, { act: "replaceRecoveryCodes", user: owner.user }, ["recovery"]);
  return await showDone(
    ctx,
    { ...owner, factors: [...owner.factors.filter((one) => one !== before), after] },
    settings,
  );
}

/**
 * Makes a second proof asked for. Other sessions are ended before: if it breaks off between the two, nobody is inside who
 * should not be, and nobody is locked out.
 */
async function turnOn(
  ctx: RequestContext,
  owner: Owner,
  { set, settings, keepsSessions, resume }: Kept & Pick<PointInput, "resume">,
): Promise<Outcome | null> {
  const apps = appsOf(owner).map(({ draft: _, ...app }) => ({ ...app, isConfirmed: true }));
  if (apps.length + owner.passkeys.length === 0) {
    return await showFactors(ctx, owner, settings, { problem: "expired" });
  }
  const codes = await countedSet(set, 0);
  // What was begun in another browser may be another person's.
  const remove = owner.factors.filter(({ id }) => !apps.some((app) => app.id === id));
  if (!keepsSessions) await endOtherSessions(ctx, owner);
  // What was lost before is not what is added now.
  await endLoss(ctx, owner.user.id, settings);
  const changes = { put: [codes, ...apps], remove };
  const { user, active } = owner;
  const hasWorked = apps.length > 0;
  const isDone = active && hasWorked
    ? await raiseSession(ctx, { active, user, methods: METHODS, plan: planOf(changes) })
    : await write(ctx, owner, changes);
  if (!isDone) return null;
  const types = [...apps.map(() => "totp" as const), "recovery" as const];
  await tellAdded(ctx, { act: "turnOnFactors", user, undo: [codes.id, ...apps.map(({ id }) => id)] }, types);
  if (active) return await showDone(ctx, { ...owner, isOn: true, factors: [codes, ...apps] }, settings);
  // A passkey was not asked for here.
  return hasWorked ? await resume(METHODS) : redirectTo(actionUrl(ctx, "challenge"));
}

/** What an application proves whose code was right. */
const METHODS = ["otp", "mfa"] as const;
