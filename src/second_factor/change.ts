/**
 * Names and removes factors.
 *
 * @module
 */
import { UNFIT_IN_NAMES } from "../kernel/names.ts";
import type { RequestContext } from "../request/context.ts";
import type { FactorEntry } from "../request/factor_views.ts";
import type { Outcome } from "../request/outcome.ts";
import { isOn } from "./factors.ts";
import { tellRemoved } from "./mails.ts";
import type { ActInput, Owner } from "./owner.ts";
import { planRemoval, removePasskey, removeRecords, typesOf } from "./removal.ts";
import { appEntry, appsOf, passkeyEntry, showDone, showFactors } from "./view.ts";
import { write } from "./write.ts";

/** The longest name of a factor, in characters. */
const MAX_NAME_LENGTH = 100;

/** Names an application. */
export async function renameFactor(
  ctx: RequestContext,
  owner: Owner,
  { fields, settings }: ActInput,
): Promise<Outcome | null> {
  const app = appsOf(owner).find(({ id }) => id === fields.id);
  if (!app) return await showFactors(ctx, owner, settings);
  const name = typeof fields.name === "string" ? fields.name.trim() : "";
  const fits = name !== "" && name.length <= MAX_NAME_LENGTH && name.isWellFormed() && !UNFIT_IN_NAMES.test(name);
  if (!fits) return await showFactors(ctx, owner, settings, { problem: "name" });
  if (!await write(ctx, owner, { put: [{ ...app, name }] })) return null;
  const factors = owner.factors.map((factor) => factor === app ? { ...app, name } : factor);
  return await showFactors(ctx, { ...owner, factors }, settings, { step: { kind: "list", isSaved: true } });
}

/** Finds a factor of somebody; `null` if it is none of theirs, or its removal has to be asked for elsewhere. */
export function findEntry(owner: Owner, { fields }: Pick<ActInput, "fields">): FactorEntry | null {
  const app = appsOf(owner).find(({ id }) => id === fields.id);
  if (app) return appEntry(app);
  const passkey = owner.passkeys.find(({ credentialID }) => credentialID === fields.id);
  return passkey ? passkeyEntry(passkey) : null;
}

/** Removes a factor. */
export async function removeFactor(ctx: RequestContext, owner: Owner, input: ActInput): Promise<Outcome | null> {
  const { settings } = input;
  const { user } = owner;
  const entry = findEntry(owner, input);
  if (!entry) return await showFactors(ctx, owner, settings);
  const passkeys = owner.passkeys.filter(({ credentialID }) => credentialID !== entry.id);
  const passkeysLeft = passkeys.length;
  if (entry.type === "passkey") {
    await removePasskey(ctx.config, user, entry.id);
    const types = await removeRecords(ctx.config, { user, ids: [], passkeysLeft });
    await tellRemoved(ctx, { act: "removeFactor", user, types: ["passkey", ...types], by: "owner" });
    return await showDone(ctx, { ...owner, passkeys, isOn: owner.isOn && types.length === 0 }, settings);
  }
  const removal = planRemoval(owner.factors, { ids: [entry.id], passkeysLeft });
  if (!await write(ctx, owner, removal)) return null;
  const types = typesOf(removal);
  if (types.length > 0) await tellRemoved(ctx, { act: "removeFactor", user, types, by: "owner" });
  const factors = owner.factors.filter((factor) => !removal.remove.includes(factor));
  return await showDone(ctx, { ...owner, factors, isOn: isOn(factors) }, settings);
}
